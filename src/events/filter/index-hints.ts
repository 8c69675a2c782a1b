import { LONG_TEXTS_ARE_INDEXED } from '../../database/sql/columns.js';
import type { Dialect } from '../../database/sql/dialect.js';
import { INDEXES } from '../../database/sql/tables.js';
import { offsetOf, type Page } from '../../kernel/pagination.js';
import type { EventFilter } from './filter.js';
import { LINKED_NAMES } from '../event.link-kinds.js';
import { type EventOrder, sortOf } from '../event.params.js';

/** The index that has the events in an order. By end and id they are sorted: the index of the list holds both. */
const ORDER_INDEXES: Partial<Record<EventOrder, string>> = {
  start_date: INDEXES.eventList,
  date: INDEXES.eventDate,
  modified: INDEXES.eventModified,
  ...(LONG_TEXTS_ARE_INDEXED ? { title: INDEXES.eventTitle } : {}),
};

/**
 * The index by which matches are counted; undefined: the engine chooses. Left to themselves MySQL and MariaDB look up what
 * is not hidden, and then at every past event.
 */
export function countedIndex(filter: EventFilter): string | undefined {
  const isList = isOneSideOfHidden(filter) && !isNarrow(filter);
  return isList && linkedIds(filter).length === 0 && filter.candidates === undefined ? INDEXES.eventList : undefined;
}

/** The index along which a page is found by walking until it is full; undefined: its events are collected and sorted. */
export function walkedIndex(dialect: Dialect, filter: EventFilter, total: number, page: Page): string | undefined {
  const { orderby, order } = sortOf(filter.params);
  const index = ORDER_INDEXES[orderby];
  // Equal ones are in the order of their ids in both directions, an index backwards has them the other way round.
  if (index === undefined || (order === 'desc' && !dialect.sortsWithinTies) || isNarrow(filter)) return undefined;
  if (index === INDEXES.eventList && !isOneSideOfHidden(filter)) return undefined;
  const isShorter = (offsetOf(page) + page.size) * LIST < otherWay(filter, total, index) * total;
  return isShorter ? index : undefined;
}

/** The first pages, which most ask for, are found at once; the way to deep ones counts as a look at many rows. */
export function isShortWalk(page: Page): boolean {
  return offsetOf(page) + page.size <= SHORT_WALK;
}

const SHORT_WALK = 1_000;

/**
 * The way along an index is (rows up to the page) × (rows of the list) ÷ (matches) long. The list counts as half a
 * million rows: where it is shorter both ways are short.
 */
const LIST = 500_000;

/** To look up an event and to sort it among the others takes as long as so many steps along an index. */
const LOOK_UP = 16;

/** By which index events are read, as the dialect says it; '' leaves the choice to the engine. */
export function indexHint(dialect: Dialect, { candidates }: EventFilter, index: string | undefined): string {
  if (index !== undefined) return dialect.byIndex(index);
  return candidates === undefined ? '' : dialect.byId;
}

/** How long the other way is, in steps: over what the index of words names, over links, or, with neither, over the window. */
function otherWay(filter: EventFilter, total: number, index: string): number {
  if (filter.candidates !== undefined) return filter.candidates.length;
  // As half of the events are past.
  if (linkedIds(filter).length > 0) return 2 * total;
  // Along the list nothing outside of the window is looked at.
  return index === INDEXES.eventList ? Infinity : LOOK_UP * total;
}

function isOneSideOfHidden({ params }: EventFilter): boolean {
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
