import type { Dialect } from '../database/dialect.js';
import { offsetOf, type Page } from '../kernel/page.js';
import type { EventFilter } from './event.filter.js';

/** `(hide_from_listings, start_utc, id, …)`: holds all that the default list asks for, in its order. */
export const LIST_INDEX = 'ix_events_list';

/** `(status, public_from)`: finds what the clock has overtaken. */
export const STATUS_INDEX = 'ix_events_status';

/**
 * Whether matches are counted by the list's index. Left to themselves MySQL and MariaDB look up what is not hidden, and
 * then at every past event.
 */
export function countsByList(filter: EventFilter): boolean {
  const { candidates } = filter;
  return isOneSideOfHidden(filter) && !isNarrow(filter) && linkedIds(filter).length === 0 && candidates === undefined;
}

/** Whether a page is found by walking along the list until it is full. */
export function walksList(filter: EventFilter, total: number, page: Page): boolean {
  const { orderby = 'start_date', order = 'asc' } = filter.params;
  if (orderby !== 'start_date' || order !== 'asc' || !isOneSideOfHidden(filter) || isNarrow(filter)) return false;
  return (offsetOf(page) + page.size) * LIST < eventsLookedAt(filter, total) * total;
}

/** The first pages, which most ask for, are found at once; the way to deep ones counts as a look at many rows. */
export function isShortWalk(page: Page): boolean {
  return offsetOf(page) + page.size <= SHORT_WALK;
}

const SHORT_WALK = 1_000;

/**
 * The way along the list is (rows up to the page) × (rows of the list) ÷ (matches) long. The list counts as half a
 * million rows: where it is shorter both ways are short.
 */
const LIST = 500_000;

/** By which index events are read, as the dialect says it; '' leaves the choice to the engine. */
export function indexHint(dialect: Dialect, { candidates }: EventFilter, isAlongList: boolean): string {
  if (isAlongList) return dialect.byIndex(LIST_INDEX);
  return candidates === undefined ? '' : dialect.byId;
}

/** How long the other way is: over what the index of words names, over links, or, with neither, over all. */
function eventsLookedAt(filter: EventFilter, total: number): number {
  if (filter.candidates !== undefined) return filter.candidates.length;
  // As half of the events are past.
  return linkedIds(filter).length === 0 ? Infinity : 2 * total;
}

function isOneSideOfHidden({ params }: EventFilter): boolean {
  return params.hide_from_listings !== 'any';
}

function isNarrow({ params }: EventFilter): boolean {
  return params.include !== undefined || params.post_parent !== undefined;
}

function linkedIds({ params, categoryIds, tagIds, nearVenueIds }: EventFilter): readonly (readonly number[])[] {
  return [params.venue, params.organizer, categoryIds, tagIds, nearVenueIds].filter((ids) => ids !== undefined);
}
