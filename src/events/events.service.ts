import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/connection/transaction.js';
import type { IdOrSlug } from '../kernel/id-or-slug.js';
import { apiError, mustHave } from '../errors/api-error.js';
import type { Reply } from '../platform/http/reply.js';
import { filtersOf, postCollection } from '../platform/http/responses/collection-reply.js';
import { requestedPage } from '../platform/http/fields/page-fields.js';
import type { Input } from '../platform/http/fields/input.js';
import {
  createdReply,
  deletedReply,
  readReply,
  recordReply,
  writeReply,
} from '../platform/http/responses/record-reply.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { lockEditable, mustBeOwnAuthor, mustRead, statusWords } from '../posts/post.access.js';
import type { InsertedPost } from '../posts/post.store.js';
import type { EventByIdDto, EventDeleteParams, EventDto, EventReadParams } from './event.dto.js';
import { type EventDraft, EventDrafts } from './write/draft.js';
import type { EventRow } from './event.entity.js';
import { EventFilterReader, validUntil } from './filter/read-filter.js';
import { EVENT } from './event.kind.js';
import { EventList } from './event.list.js';
import { EVENT_LINK_ORDER, type EventParams } from './event.params.js';
import { EventProtection, EventReader } from './event.reader.js';
import { findWrongCounts, recountEvents, type WrongCounts } from './totals/recount.js';
import type { KnownReferences } from './write/references.js';
import { EventSearch } from './search/event-search.js';
import { ScheduledPublisher } from './write/scheduled-publisher.js';
import { EventWriter } from './write/event-writer.js';

/** The operations on events. */
@Injectable()
export class EventsService {
  constructor(
    private readonly database: Database,
    private readonly filters: EventFilterReader,
    private readonly events: EventList,
    private readonly reader: EventReader,
    private readonly protection: EventProtection,
    private readonly drafts: EventDrafts,
    private readonly writer: EventWriter,
    private readonly search: EventSearch,
    private readonly publisher: ScheduledPublisher,
  ) {}

  async list({ dto, problems }: Input<EventParams>, context: RequestContext): Promise<Reply> {
    const sql = await this.database.cachedReads(context);
    const filter = await this.filters.read(sql, dto, problems, context);
    problems.throwIfAny();
    const page = requestedPage(dto, context);
    const { total, rows } = await this.events.page(sql, filter, page, context);
    const shown = { ...dto, ...filter.effectiveDates, status: statusWords(dto.status, context) };
    const filters = filtersOf(shown, [...EVENT_LINK_ORDER, ...filter.further.map(({ name }) => name)]);
    const items = await this.reader.items(sql, rows, context);
    const expiresAt = validUntil(filter, context);
    return postCollection({ name: EVENT.collection, items, total, page, filters, expiresAt }, context);
  }

  async read(idOrSlug: IdOrSlug, { dto, problems }: Input<EventReadParams>, context: RequestContext): Promise<Reply> {
    problems.throwIfAny();
    const sql = await this.database.cachedReads(context);
    const row = mustRead(await this.reader.find(sql, idOrSlug), EVENT, idOrSlug, context);
    await this.protection.mustHavePassword(row, dto.password, context);
    return readReply(await this.reader.present(sql, row, context, 'single'));
  }

  async create(input: Input<EventDto>, context: RequestContext): Promise<Reply> {
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

  async update(idOrSlug: IdOrSlug, input: Input<EventByIdDto>, context: RequestContext): Promise<Reply> {
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
  ): Promise<Reply> {
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

  /** Recounts all events and returns the counts that were wrong. */
  recount(): Promise<WrongCounts[]> {
    return this.database.inTransaction(recountEvents);
  }

  /** Returns the counts that `recount` would change, without writing. */
  wrongCounts(): Promise<WrongCounts[]> {
    return this.database.snapshot(findWrongCounts);
  }

  /** Starts the background work of a server. CLI commands do not call it, because some must not write. */
  startBackgroundWork(): void {
    this.publisher.start();
  }

  /** Updates the search index, if it is enabled. */
  indexTexts(): Promise<void> {
    return this.search.updateIndex();
  }
}
