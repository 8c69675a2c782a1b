import { LONG_TEXTS_ARE_INDEXED } from '../../database/sql/columns.js';
import type { Dialect } from '../../database/sql/dialect.js';
import { INDEXES } from '../../database/sql/tables.js';
import { offsetOf, type Page } from '../../kernel/pagination.js';
import type { EventFilter } from './filter.js';
import { LINKED_NAMES } from '../event.link-kinds.js';
import { type EventOrder, sortOf } from '../event.params.js';

/** The index that has events in an order. Lists by end or id are sorted, from the list index, which covers both. */
const ORDER_INDEXES: Partial<Record<EventOrder, string>> = {
  start_date: INDEXES.eventList,
  date: INDEXES.eventDate,
  modified: INDEXES.eventModified,
  ...(LONG_TEXTS_ARE_INDEXED ? { title: INDEXES.eventTitle } : {}),
};

/**
 * Returns the index for counting matches, or undefined to let the engine choose. Without a hint, MySQL and MariaDB read
 * every past event that is not hidden.
 */
export function countingIndex(filter: EventFilter): string | undefined {
  const isList = hasOneHiddenFlag(filter) && !isNarrow(filter) && filter.further.length === 0;
  return isList && linkedIds(filter).length === 0 && filter.found === undefined ? INDEXES.eventList : undefined;
}

/** Returns the index hint for counting matches. */
export function countingHint(dialect: Dialect, filter: EventFilter): string {
  return indexHint(dialect, filter, countingIndex(filter));
}

/** Returns the index to scan in list order until the page is full, or undefined to collect all matches and sort them. */
export function orderedScanIndex(dialect: Dialect, filter: EventFilter, total: number, page: Page): string | undefined {
  const { orderby, order } = sortOf(filter.params);
  const index = ORDER_INDEXES[orderby];
  // Ties are ascending by id in both directions, but a backward index scan returns them descending.
  if (index === undefined || (order === 'desc' && !dialect.sortsWithinTies) || isNarrow(filter)) return undefined;
  if (index === INDEXES.eventList && !hasOneHiddenFlag(filter)) return undefined;
  const isCheaper = (offsetOf(page) + page.size) * ASSUMED_EVENTS < costOfSorting(filter, total, index) * total;
  return isCheaper ? index : undefined;
}

/** Whether a page is among the first ones, which need a short scan. Deeper pages count as slow queries. */
export function isShortScan(page: Page): boolean {
  return offsetOf(page) + page.size <= MAX_SHORT_SCAN_ROWS;
}

/** The rows up to the end of a page. */
const MAX_SHORT_SCAN_ROWS = 1_000;

/**
 * The assumed number of events. An ordered scan reads (rows up to the page) × (events) ÷ (matches) index entries. With
 * fewer events, both plans are fast.
 */
const ASSUMED_EVENTS = 500_000;

/** The cost of looking up and sorting one event, in index entries read. */
const LOOKUP_COST = 16;

/** Returns the index hint of the dialect, or '' to let the engine choose. */
export function indexHint(dialect: Dialect, { found }: EventFilter, index: string | undefined): string {
  if (index !== undefined) return dialect.byIndex(index);
  return found === undefined ? '' : dialect.byId;
}

/** Returns the cost of collecting and sorting, in index entries read: via found events, links or the dates. */
function costOfSorting(filter: EventFilter, total: number, index: string): number {
  if (filter.found !== undefined) return filter.found.size;
  // Twice, because half of the events are past. Filters of modules mostly read links of their own.
  if (linkedIds(filter).length > 0 || filter.further.length > 0) return 2 * total;
  // A scan of the list index reads no event outside the dates, so that it is never slower.
  return index === INDEXES.eventList ? Infinity : LOOKUP_COST * total;
}

function hasOneHiddenFlag({ params }: EventFilter): boolean {
  return params.hide_from_listings !== 'any';
}

function isNarrow({ params }: EventFilter): boolean {
  return params.include !== undefined || params.post_parent !== undefined;
}

function linkedIds({ params, termIds, nearVenueIds }: EventFilter): readonly (readonly number[])[] {
  return [...LINKED_NAMES.map((name) => params[name]), ...Object.values(termIds), nearVenueIds].filter(
    (ids) => ids !== undefined,
  );
}
