import { Injectable } from '@nestjs/common';
import { cacheMoment, type ReadCache, recordsFor } from '../database/cache/read-cache.js';
import { Database } from '../database/database.js';
import type { Sql } from '../database/sql/dialect.js';
import { INDEXES, TABLES } from '../database/sql/tables.js';
import { offsetOf, type Page } from '../kernel/pagination.js';
import { allOf, type SqlCondition, condition, isOneOf } from '../kernel/sql-condition.js';
import type { StillHolds } from '../platform/http/reply.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { checkPageExists } from '../platform/http/responses/collection-reply.js';
import { joinImage } from '../platform/images/image.columns.js';
import type { EventRow } from './event.entity.js';
import { EVENT } from './event.kind.js';
import type { EventParams } from './event.params.js';
import { countEvents, type EventReadRow, SHOWN_COLUMNS } from './event.query.js';
import { rowOrder, sqlOrder } from './event.sort.js';
import { eventCondition, type EventFilter, withFound } from './filter/filter.js';
import { countingHint, indexHint, isShortScan, orderedScanIndex } from './filter/index-hints.js';
import { IndexedList, type ListedIds } from './index/indexed-list.js';
import { EventSearch } from './search/event-search.js';

/** A page of events, and the total on all pages. */
interface EventPage {
  readonly total: number;
  readonly rows: readonly EventReadRow[];
  /** Whether the same events are on the page. undefined: unknown. */
  readonly stillHolds?: StillHolds;
}

/** Events by id, without a gap. */
interface EventRun {
  readonly rows: readonly EventReadRow[];
  /** The id up to which nothing is missing. undefined: there are no further events. */
  readonly next: number | undefined;
}

/** Ids in one query of `after`, so that each query is short even if a filter matches nothing. */
const IDS_PER_QUERY = 2_000;
/** After this many queries, `after` returns what it has found. */
const MAX_QUERIES = 20;

/** The ids of the first events of a filter, in order. */
interface EventSequence {
  /** The number of all events of the filter. */
  readonly total: number;
  readonly ids: readonly number[];
  /** Returns the rows of some of the ids, in their order, without events that a commit has taken out of the filter. */
  readonly rows: (ids: readonly number[]) => Promise<EventReadRow[]>;
}

/** A filter with its total. */
interface OpenList {
  readonly filter: EventFilter;
  /** The context at the moment of the cache, or of the index. */
  readonly context: RequestContext;
  readonly total: number;
  /** The events on the page, if the index has them. */
  readonly listed: ListedIds | undefined;
}

/** Turns a filter into a page of events, or a sequence of them: index or search index, total, index hint, rows. */
@Injectable()
export class EventList {
  constructor(
    private readonly database: Database,
    private readonly indexed: IndexedList,
    private readonly search: EventSearch,
  ) {}

  async page(sql: ReadCache, requested: EventFilter, page: Page, context: RequestContext): Promise<EventPage> {
    const list = await this.open(sql, requested, page, context);
    const { total, filter, listed } = list;
    checkPageExists(total, page, EVENT.errors.pageNotFound);
    if (listed !== undefined) {
      const rows = await this.rowsOf(sql, list, listed);
      const isWhole = rows.length === listed.ids.length;
      const stillHolds = isWhole ? this.indexed.watch(filter, page, context, { total, ids: listed.ids }) : undefined;
      return { total, rows, stillHolds };
    }
    if (total === 0) return { total, rows: [] };
    const { source, where, hint } = this.scan(sql, list, page);
    return { total, rows: await selectPage(source, where, filter.params, page, hint) };
  }

  /** Returns at most `maxEvents` ids, whose rows can then be read in parts. */
  async sequence(
    sql: ReadCache,
    requested: EventFilter,
    maxEvents: number,
    context: RequestContext,
  ): Promise<EventSequence> {
    const page = { number: 1, size: maxEvents };
    const list = await this.open(sql, requested, page, context);
    const ids = list.listed?.ids ?? (await this.selectIds(sql, list, page));
    return { total: list.total, ids, rows: (some) => this.stillListed(sql.scans, list, some) };
  }

  private async open(sql: ReadCache, requested: EventFilter, page: Page, context: RequestContext): Promise<OpenList> {
    const found = await this.search.find(sql, requested.search);
    const indexed = await this.indexed.find(sql, { ...requested, found }, page, context);
    // Statements contain the cache moment instead of the request's time, so that their cached rows serve later requests.
    const cached = { ...context, nowUtc: indexed?.nowUtc ?? cacheMoment(sql, context.nowUtc) };
    const filter = withFound(requested, found);
    const total = indexed?.total ?? (await this.count(sql, filter, cached));
    return { filter, context: cached, total, listed: indexed?.page };
  }

  private count(sql: ReadCache, filter: EventFilter, context: RequestContext): Promise<number> {
    return countEvents(sql.scans, eventCondition(filter, context), countingHint(this.database.dialect, filter));
  }

  /** Returns how to find the ids of a page. */
  private scan(sql: ReadCache, { filter, total, context }: OpenList, page: Page) {
    const { dialect } = this.database;
    const index = orderedScanIndex(dialect, filter, total, page);
    const isOrderedScan = index !== undefined;
    return {
      source: isOrderedScan && isShortScan(page) ? sql : sql.scans,
      where: eventCondition({ ...filter, isOrderedScan }, context),
      hint: indexHint(dialect, filter, index),
    };
  }

  private async selectIds(sql: ReadCache, list: OpenList, page: Page): Promise<number[]> {
    if (list.total === 0) return [];
    const { source, where, hint } = this.scan(sql, list, page);
    const rows = await source.query<{ id: number }>(
      `SELECT e.id FROM ${TABLES.events} e${hint} WHERE ${where.sql} ORDER BY ${sqlOrder(list.filter.params)} LIMIT ?`,
      [...where.params, page.size],
    );
    return rows.map(({ id }) => id);
  }

  /** Returns the rows of listed events, in their order. Reads those that are not cached, and caches them across commits. */
  private async rowsOf(sql: ReadCache, list: OpenList, { ids, cached }: ListedIds): Promise<EventReadRow[]> {
    const missing = ids.filter((id) => !cached.has(id));
    if (missing.length === 0) return ids.map((id) => cached.get(id)!);
    const read = (source: Sql) => this.stillListed(source, list, missing);
    const wanted = { table: TABLES.events, ids: [], minVersion: sql.state?.version ?? 0 };
    const rows = await (recordsFor(sql, TABLES.events)?.load(sql.sql, wanted, read) ?? read(sql));
    const byId = new Map([...cached, ...rows.map((row) => [row.id, row] as const)]);
    return ids.map((id) => byId.get(id)).filter((row) => row !== undefined);
  }

  /** Returns the rows of ids, in their order. A commit since the ids were read may have taken some out of the list. */
  private async stillListed(sql: Sql, { filter, context }: OpenList, ids: readonly number[]): Promise<EventReadRow[]> {
    const byId = new Map((await this.among(sql, filter, ids, context)).map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id)).filter((row) => row !== undefined);
  }

  /** Returns those of these events that match a filter, by id. */
  among(sql: Sql, filter: EventFilter, ids: readonly number[], context: RequestContext): Promise<EventReadRow[]> {
    return this.matching(sql, filter, isOneOf('e.id', ids), ids.length, context);
  }

  /** Returns up to `count` matching events with higher ids, by id. */
  async after(
    { id, count }: { readonly id: number; readonly count: number },
    filter: EventFilter,
    context: RequestContext,
  ): Promise<EventRun> {
    const { scans } = this.database;
    const [{ last = null } = {}] = await scans.query<{ last: number | null }>(
      `SELECT max(id) AS last FROM ${TABLES.events}`,
    );
    const rows: EventReadRow[] = [];
    let from = id;
    for (let queries = 0; queries < MAX_QUERIES && from < Number(last) && rows.length <= count; queries += 1) {
      const range = condition('e.id > ? AND e.id <= ?', from, from + IDS_PER_QUERY);
      // One event more than wanted tells whether there are further ones.
      rows.push(...(await this.matching(scans, filter, range, count + 1 - rows.length, context)));
      from += IDS_PER_QUERY;
    }
    if (rows.length > count) return { rows: rows.slice(0, count), next: rows[count - 1]?.id ?? id };
    return { rows, next: from < Number(last) ? from : undefined };
  }

  /** Checks the links of each event, because the events are few. */
  private matching(
    sql: Sql,
    filter: EventFilter,
    restriction: SqlCondition,
    count: number,
    context: RequestContext,
  ): Promise<EventReadRow[]> {
    const where = allOf([restriction, eventCondition({ ...filter, isOrderedScan: true }, context)]);
    return selectPage(sql, where, { orderby: 'id' }, { number: 1, size: count }, this.database.dialect.byId);
  }

  /** Returns only the times of the first events of a filter without a search: rows without their long texts. */
  spans(sql: ReadCache, filter: EventFilter, maxEvents: number, context: RequestContext): Promise<EventSpan[]> {
    const cached = { ...context, nowUtc: cacheMoment(sql, context.nowUtc) };
    const where = eventCondition({ ...filter, isOrderedScan: true }, cached);
    const columns = SPAN_COLUMNS.map((name) => `e.${name}`).join(', ');
    const hint = this.database.dialect.byIndex(INDEXES.eventList);
    return sql.query<EventSpan>(
      `SELECT ${columns} FROM ${TABLES.events} e${hint} WHERE ${where.sql} ORDER BY ${sqlOrder(filter.params)} LIMIT ?`,
      [...where.params, maxEvents],
    );
  }
}

/** The local times of an event, and what places it in a list. */
export type EventSpan = Pick<EventRow, 'id' | 'start_local' | 'end_local' | 'start_utc' | 'end_utc' | 'timezone'>;

const SPAN_COLUMNS = [
  'id',
  'start_local',
  'end_local',
  'start_utc',
  'end_utc',
  'timezone',
] satisfies (keyof EventSpan)[];

/**
 * Returns the rows of a page. Selects the ids first, if possible from an index alone, then their rows. Sorts the rows
 * here, because some servers write a temporary file to sort rows with long texts.
 */
async function selectPage(
  sql: Sql,
  where: SqlCondition,
  params: EventParams,
  page: Page,
  hint: string,
): Promise<EventReadRow[]> {
  const order = `ORDER BY ${sqlOrder(params)}`;
  const compare = rowOrder(params);
  const rows = await sql.query<EventReadRow>(
    `SELECT ${SHOWN_COLUMNS} FROM (SELECT e.id FROM ${TABLES.events} e${hint} WHERE ${where.sql} ${order} LIMIT ? OFFSET ?) p
     JOIN ${TABLES.events} e ON e.id = p.id ${joinImage('e')} ${compare === undefined ? order : ''}`,
    [...where.params, page.size, offsetOf(page)],
  );
  return compare === undefined ? rows : rows.toSorted(compare);
}
