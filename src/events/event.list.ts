import { Injectable } from '@nestjs/common';
import { cacheMoment, type ReadCache } from '../database/cache/read-cache.js';
import { Database } from '../database/database.js';
import type { Sql } from '../database/sql/dialect.js';
import { TABLES } from '../database/sql/tables.js';
import { offsetOf, type Page } from '../kernel/pagination.js';
import type { SqlCondition } from '../kernel/sql-condition.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { checkPageExists } from '../platform/http/responses/collection-reply.js';
import { joinImage } from '../platform/images/image.columns.js';
import type { EventRow } from './event.entity.js';
import { EVENT } from './event.kind.js';
import { type EventOrder, type EventParams, sortOf } from './event.params.js';
import { type EventReadRow, SHOWN_COLUMNS } from './event.query.js';
import { eventCondition, type EventFilter } from './filter/filter.js';
import { indexHint, isShortScan, orderedScanIndex } from './filter/index-hints.js';
import { EventSearch } from './search/event-search.js';
import { EventTotals } from './totals/event-totals.js';

/** A page of events, and the total on all pages. */
interface EventPage {
  readonly total: number;
  readonly rows: readonly EventReadRow[];
}

/** Turns a filter into a page of events: search index, total, index hint, rows. */
@Injectable()
export class EventList {
  constructor(
    private readonly database: Database,
    private readonly search: EventSearch,
    private readonly totals: EventTotals,
  ) {}

  async page(sql: ReadCache, requested: EventFilter, page: Page, context: RequestContext): Promise<EventPage> {
    const { dialect } = this.database;
    const filter = await this.search.withCandidates(sql, requested);
    // Statements contain the cache moment instead of the request's time, so that their cached rows serve later requests.
    const cached = { ...context, nowUtc: cacheMoment(sql, context.nowUtc) };
    const total = await this.totals.of(sql, filter, cached);
    checkPageExists(total, page, EVENT.errors.pageNotFound);
    if (total === 0) return { total, rows: [] };
    const index = orderedScanIndex(dialect, filter, total, page);
    const isOrderedScan = index !== undefined;
    const where = eventCondition({ ...filter, isOrderedScan }, cached);
    const source = isOrderedScan && isShortScan(page) ? sql : sql.scans;
    return { total, rows: await selectPage(source, where, filter.params, page, indexHint(dialect, filter, index)) };
  }
}

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

const SORT_COLUMNS = {
  start_date: 'start_utc',
  end_date: 'end_utc',
  title: 'title_key',
  date: 'date_utc',
  modified: 'modified_utc',
  id: 'id',
} as const satisfies Record<EventOrder, keyof EventRow>;

/** Returns the ORDER BY of `events e`. Ties are ascending by id in both directions (contract EV-LIST-20). */
function sqlOrder(params: EventParams): string {
  const { orderby, order } = sortOf(params);
  const column = `e.${SORT_COLUMNS[orderby]} ${order === 'desc' ? 'DESC' : 'ASC'}`;
  return orderby === 'id' ? column : `${column}, e.id ASC`;
}

/** Returns the same order as a comparison of rows, or undefined for titles, whose sort keys are not selected. */
function rowOrder(params: EventParams): ((a: EventReadRow, b: EventReadRow) => number) | undefined {
  const { orderby, order } = sortOf(params);
  const column = SORT_COLUMNS[orderby];
  if (column === 'title_key') return undefined;
  const sign = order === 'desc' ? -1 : 1;
  return (a, b) => (a[column] === b[column] ? a.id - b.id : a[column] < b[column] ? -sign : sign);
}
