import { Injectable } from '@nestjs/common';
import type { ReadCache } from '../../database/cache/read-cache.js';
import { Database } from '../../database/database.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { eventUid } from '../../kernel/event-uid.js';
import { isOneOf } from '../../kernel/sql-condition.js';
import { mayRead, type PostRights } from '../../kernel/visibility.js';
import { filtersOf } from '../../platform/http/responses/collection-reply.js';
import type { Input } from '../../platform/http/fields/input.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { UNCOUNTED } from '../../terms/term.counts.js';
import { findTerms } from '../../terms/term.query.js';
import { EventFilterReader, validUntil } from '../filter/read-filter.js';
import type { EventFilter } from '../filter/filter.js';
import {
  EventLinkKinds,
  isTermName,
  LINKED_NAMES,
  type LinkedRecords,
  TERM_NAMES,
  TERMS,
} from '../event.link-kinds.js';
import { EventList } from '../event.list.js';
import { EVENT_LINK_ORDER, type EventFeedParams } from '../event.params.js';
import { presentEvent } from '../event.presenter.js';
import type { EventReadRow } from '../event.query.js';
import { EventLinks, isBlanked, latestChange } from '../event.reader.js';
import type { CalendarEvent, CalendarFeed } from '../event.response.js';

/** Rows per statement: as many as a page of a list has, so that a feed needs no more memory for its rows. */
const BATCH_SIZE = 100;

/** Reads events for calendar programs: those of a filter, or single ones (ical 1). */
@Injectable()
export class EventCalendar {
  constructor(
    private readonly database: Database,
    private readonly filters: EventFilterReader,
    private readonly events: EventList,
    private readonly links: EventLinks,
    private readonly kinds: EventLinkKinds,
  ) {}

  /** Returns the first events of a filter. Throws one error with all problems of the parameters. */
  async feed(input: Input<EventFeedParams>, context: RequestContext): Promise<CalendarFeed> {
    const { pastDays, maxEvents } = context.site.feed;
    const sql = await this.database.cachedReads(context);
    const filter = await this.filters.read(sql, input, context, pastDays);
    input.problems.throwIfAny();
    const { total, ids, rows } = await this.events.sequence(sql, filter, maxEvents, context);
    const names = [...EVENT_LINK_ORDER, ...filter.further.map(({ name }) => name)];
    const present = (found: readonly EventReadRow[]) =>
      this.present(sql, found, (row) => isBlanked(row, context), context);
    async function* readBatches() {
      for (let from = 0; from < ids.length; from += BATCH_SIZE)
        yield await present(await rows(ids.slice(from, from + BATCH_SIZE)));
    }
    return {
      total,
      filters: filtersOf(input.dto, names),
      subject: await this.subjectOf(sql, filter, context),
      expiresAt: validUntil(filter, context),
      batches: readBatches(),
    };
  }

  /** Returns an event that the caller may read in full. */
  async single(sql: Sql, row: EventReadRow, context: RequestContext): Promise<CalendarEvent> {
    const [event] = await this.present(sql, [row], () => false, context);
    return event!;
  }

  private async present(
    sql: Sql,
    rows: readonly EventReadRow[],
    isHidden: (row: EventReadRow) => boolean,
    context: RequestContext,
  ): Promise<CalendarEvent[]> {
    const linked = await this.links.load(sql, rows, context);
    const parents = await readableUids(sql, rows, context);
    return rows.map((row) => {
      const records = linked.get(row.id) as LinkedRecords;
      const isBlank = isHidden(row);
      return {
        shown: presentEvent(row, records, context, isBlank ? 'blanked' : 'full'),
        uid: eventUid(row, context.site.instance),
        revision: row.revision,
        // The linked records of a blanked event are not shown, so that their changes are not, either.
        changedUtc: isBlank ? row.modified_utc : latestChange(row, records),
        parentUid: parents.get(row.post_parent),
      };
    });
  }

  /** Returns the name of the only category, tag, venue or organizer in the filter. */
  private async subjectOf(sql: ReadCache, filter: EventFilter, context: RequestContext): Promise<string | undefined> {
    const { params, termIds } = filter;
    const given = [...TERM_NAMES, ...LINKED_NAMES].filter((name) => params[name] !== undefined);
    const [only] = given;
    if (only === undefined || given.length > 1 || params[only]?.length !== 1) return undefined;
    if (!isTermName(only)) {
      const ids = params[only];
      return (await this.kinds.links[only].findVisible(sql, ids, context)).get(ids[0]!)?.title;
    }
    // The descendants of the category are in the filter, too.
    const ids = termIds[only] ?? [];
    const terms = await findTerms(sql, [TERMS[only]], ids, UNCOUNTED);
    return [...terms.values()].find(({ parent }) => !ids.includes(parent))?.name;
  }
}

/** Returns the uids of the parents that the caller may read, by id. */
async function readableUids(
  sql: Sql,
  rows: readonly EventReadRow[],
  { caller, nowUtc, site }: RequestContext,
): Promise<Map<number, string>> {
  const ids = [...new Set(rows.map((row) => row.post_parent))].filter((id) => id !== 0);
  if (ids.length === 0) return new Map();
  const where = isOneOf('id', ids);
  const parents = await sql.query<PostRights & { readonly id: number; readonly uid: string | null }>(
    `SELECT id, uid, status, trashed_from, public_from, author_id FROM ${TABLES.events} WHERE ${where.sql}`,
    where.params,
  );
  const readable = parents.filter((parent) => mayRead(parent, caller, nowUtc));
  return new Map(readable.map((parent) => [parent.id, eventUid(parent, site.instance)]));
}
