import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/connection/transaction.js';
import type { IdOrSlug } from '../kernel/id-or-slug.js';
import { apiError, mustHave } from '../errors/api-error.js';
import type { Page } from '../kernel/pagination.js';
import { allHold, type Reply, type WrittenReply } from '../platform/http/reply.js';
import { filtersOf, postCollection } from '../platform/http/responses/collection-reply.js';
import { requestedPage } from '../platform/http/fields/page-fields.js';
import type { Input } from '../platform/http/fields/input.js';
import {
  createdReply,
  deletedReply,
  type FoundRecord,
  readReply,
  recordReply,
  writeReply,
} from '../platform/http/responses/record-reply.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { ShownRecords } from '../platform/http/shown-records.js';
import type { Problems } from '../errors/problems.js';
import type { Sql } from '../database/sql/dialect.js';
import { lockEditable, mustBeOwnAuthor, mustRead, statusWords } from '../posts/post.access.js';
import type { InsertedPost } from '../posts/post.store.js';
import { EventCalendar } from './views/calendar.js';
import type { EventByIdDto, EventDeleteParams, EventDto, EventReadParams } from './event.dto.js';
import { type EventDraft, EventDrafts } from './write/draft.js';
import type { EventRow } from './event.entity.js';
import { EventFragments } from './fragments/event-fragments.js';
import { EventFilterReader, REFERENCED, validUntil } from './filter/read-filter.js';
import { EVENT } from './event.kind.js';
import { EventList, type EventSpan } from './event.list.js';
import { EventOverview } from './views/overview.js';
import { EVENT_LINK_ORDER, type EventFeedParams, type EventParams } from './event.params.js';
import type { EventReadRow } from './event.query.js';
import { EventProtection, EventReader, isBlanked } from './event.reader.js';
import type {
  CalendarEvent,
  CalendarExtent,
  CalendarFeed,
  EventNeighbours,
  EventResponse,
  FoundEvents,
} from './event.response.js';
import type { KnownReferences } from './write/references.js';
import { EventWriter } from './write/event-writer.js';

/** The operations on events. */
@Injectable()
export class EventsService {
  constructor(
    private readonly database: Database,
    private readonly filters: EventFilterReader,
    private readonly events: EventList,
    private readonly reader: EventReader,
    private readonly fragments: EventFragments,
    private readonly protection: EventProtection,
    private readonly drafts: EventDrafts,
    private readonly writer: EventWriter,
    private readonly overview: EventOverview,
    private readonly calendar: EventCalendar,
  ) {}

  async list(input: Input<EventParams>, context: RequestContext): Promise<Reply> {
    const { dto } = input;
    const { sql, filter, hasSameReferences } = await this.openList(input, context);
    const page = requestedPage(dto, context);
    const listed = await this.events.page(sql, filter, page, context);
    const { total, rows } = listed;
    const shown = { ...dto, ...filter.effectiveDates, status: statusWords(dto.status, context) };
    const filters = filtersOf(shown, [...EVENT_LINK_ORDER, ...filter.further.map(({ name }) => name)]);
    const view = (row: EventReadRow) => (isBlanked(row, context) ? 'blanked' : 'full');
    const ready = await this.fragments.texts(sql, rows, view, context);
    const items = ready?.texts.map(({ json }) => json) ?? (await this.reader.items(sql, rows, context));
    const expiresAt = validUntil(filter, context);
    // The cheapest first: the last one reads a list of the index.
    const stillHolds = allHold([hasSameReferences, ready?.stillHold, listed.stillHolds]);
    return postCollection({ name: EVENT.collection, items, total, page, filters, expiresAt, stillHolds }, context);
  }

  /**
   * Returns the events that a list with these filters shows, for programs that keep a copy. Dates restrict nothing. Reports
   * invalid filters. The result takes the context of each read, because programs may wait for a change.
   */
  async shown(
    params: EventParams,
    problems: Problems,
    context: RequestContext,
  ): Promise<(context: RequestContext) => ShownRecords> {
    // `include` drops the dates.
    const read = await this.filters.read(this.database, { dto: { ...params, include: [] }, problems }, context);
    const filter = { ...read, params };
    return (now) => ({
      among: async (ids) => {
        const rows = await this.events.among(this.database, filter, ids, now);
        return this.found(this.database, rows, now);
      },
      after: async (id, count) => {
        const { rows, next } = await this.events.after({ id, count }, filter, now);
        return { records: await this.found(this.database.scans, rows, now), next };
      },
    });
  }

  private async found(sql: Sql, rows: readonly EventReadRow[], context: RequestContext): Promise<FoundRecord[]> {
    const items = await this.reader.items(sql, rows, context);
    return rows.map(({ revision, modified_utc }, index) => {
      return { body: items[index]!, revision, modifiedUtc: modified_utc };
    });
  }

  /** Returns a page of a list, of any size. Throws as `list` does. */
  async find(input: Input<EventParams>, page: Page, context: RequestContext): Promise<FoundEvents> {
    const { sql, filter } = await this.openList(input, context);
    const { total, rows } = await this.events.page(sql, filter, page, context);
    return { total, items: await this.reader.items(sql, rows, context) };
  }

  /** Returns the times of the first events of a list, without any other member. */
  async spans(input: Input<EventParams>, maxEvents: number, context: RequestContext): Promise<EventSpan[]> {
    const { sql, filter } = await this.openList(input, context);
    return this.events.spans(sql, filter, maxEvents, context);
  }

  /** Returns where the public calendar begins and ends, or undefined if it is empty. */
  async extent(context: RequestContext): Promise<CalendarExtent | undefined> {
    return this.overview.extent(await this.database.cachedReads(context), context);
  }

  /**
   * Returns an event with those before and after it in the list, and whether other events may have it as their parent.
   * Without the right password a protected event is as lists show it. Throws as `read` does if the caller may not read the event, or after too many wrong passwords.
   */
  async readShown(
    idOrSlug: IdOrSlug,
    password: string | undefined,
    context: RequestContext,
  ): Promise<{ event: EventResponse; isOpen: boolean; neighbours: EventNeighbours; hasChildren: boolean }> {
    const sql = await this.reader.withRecords(await this.database.cachedReads(context));
    const row = mustRead(await this.reader.find(sql, idOrSlug), EVENT, idOrSlug, context);
    const isOpen = await this.protection.hasPassword(row, password, context);
    const [event] = isOpen ? [await this.reader.full(sql, row, context)] : await this.reader.items(sql, [row], context);
    const neighbours = await this.overview.neighbours(sql, row, context);
    return { event: event!, isOpen, neighbours, hasChildren: await this.overview.hasChildren(sql, row) };
  }

  async read(idOrSlug: IdOrSlug, { dto, problems }: Input<EventReadParams>, context: RequestContext): Promise<Reply> {
    problems.throwIfAny();
    const sql = await this.reader.withRecords(await this.database.cachedReads(context));
    const row = await this.readable(sql, idOrSlug, dto, context);
    const ready = await this.fragments.texts(sql, [row], () => 'single', context);
    if (ready === undefined) return readReply(await this.reader.present(sql, row, context, 'single'));
    const { json: body, modifiedUtc } = ready.texts[0]!;
    return readReply({ body, revision: row.revision, modifiedUtc, stillHolds: ready.stillHold });
  }

  /** Returns the events of a filter for calendar programs: the earliest ones, in order (ical 1). */
  feed(input: Input<EventFeedParams>, context: RequestContext): Promise<CalendarFeed> {
    return this.calendar.feed(input, context);
  }

  /** Returns one event for calendar programs. Throws as `read` does. */
  async calendarEvent(
    idOrSlug: IdOrSlug,
    { dto, problems }: Input<EventReadParams>,
    context: RequestContext,
  ): Promise<CalendarEvent> {
    problems.throwIfAny();
    const sql = await this.reader.withRecords(await this.database.cachedReads(context));
    return this.calendar.single(sql, await this.readable(sql, idOrSlug, dto, context), context);
  }

  async create(input: Input<EventDto>, context: RequestContext): Promise<WrittenReply> {
    const draft = await this.draft(input, await this.findReferences([input], context), context);
    return writeReply(this.database, context, async (tx) => {
      const [inserted] = await this.writer.insert(tx, [draft], context);
      const { id, shown } = inserted!;
      const row = shown ?? (await this.reader.find(tx, { id }));
      return createdReply(await this.reader.present(tx, row, context, 'full'), EVENT.collection, context);
    });
  }

  /** Looks up the records that several creates refer to, for `draft`. */
  findReferences(inputs: readonly Input<EventDto>[], context: RequestContext): Promise<KnownReferences> {
    return this.drafts.findReferences(inputs, context);
  }

  /** Runs all checks of a create without writing. */
  async draft(input: Input<EventDto>, known: KnownReferences, context: RequestContext): Promise<EventDraft> {
    const draft = await this.drafts.read(input, known, 'create', context);
    mustBeOwnAuthor(draft.dto, context.caller.userId, context);
    return draft;
  }

  /** Inserts checked events and returns their ids and slugs. For callers that write many events in one transaction. */
  insert(tx: Transaction, drafts: readonly EventDraft[], context: RequestContext): Promise<InsertedPost[]> {
    return this.writer.insert(tx, drafts, context);
  }

  async update(idOrSlug: IdOrSlug, input: Input<EventByIdDto>, context: RequestContext): Promise<WrittenReply> {
    const draft = await this.drafts.read(input, await this.findReferences([input], context), 'update', context);
    return writeReply(this.database, context, async (tx) => {
      const stored = await lockEditable<EventRow>(tx, EVENT, idOrSlug, draft.dto, context);
      await this.writer.update(tx, stored, draft, context);
      return recordReply(await this.reader.record(tx, { id: stored.id }, context));
    });
  }

  async remove(
    idOrSlug: IdOrSlug,
    { dto, problems }: Input<EventDeleteParams>,
    context: RequestContext,
  ): Promise<WrittenReply> {
    problems.throwIfAny();
    mustHave(context.caller, 'edit_posts');
    return writeReply(this.database, context, async (tx) => {
      const stored = await lockEditable<EventRow>(tx, EVENT, idOrSlug, {}, context);
      const { id } = stored;
      if (dto.force === true) {
        const { body } = await this.reader.record(tx, { id }, context);
        await this.writer.delete(tx, stored, context);
        return deletedReply(body);
      }
      if (stored.status === 'trash') throw apiError(EVENT.errors.alreadyTrashed);
      await this.writer.trash(tx, stored, context);
      return recordReply(await this.reader.record(tx, { id }, context));
    });
  }

  /** Returns the filter of a list, and what its events are read from. Throws the problems of the request. */
  private async openList(input: Input<EventParams>, context: RequestContext) {
    const sql = await this.reader.withRecords(await this.database.cachedReads(context));
    const hasSameReferences = sql.state && sql.records?.watch(REFERENCED, sql.state);
    const filter = await this.filters.read(sql, input, context);
    input.problems.throwIfAny();
    return { sql, filter, hasSameReferences };
  }

  /** Returns the row of an event that the caller may read, with its password if it needs one. */
  private async readable(
    sql: Sql,
    idOrSlug: IdOrSlug,
    { password }: EventReadParams,
    context: RequestContext,
  ): Promise<EventReadRow> {
    const row = mustRead(await this.reader.find(sql, idOrSlug), EVENT, idOrSlug, context);
    await this.protection.mustHavePassword(row, password, context);
    return row;
  }
}
