import { can } from '../../kernel/caller.js';
import { allOf, type SqlCondition, condition, isOneOf } from '../../kernel/sql-condition.js';
import { type Bound, withImplied } from '../../kernel/time/date-window.js';
import type { SearchQuery } from '../../kernel/text/search-query.js';
import { unprotected } from '../../kernel/visibility.js';
import { TABLES } from '../../database/sql/tables.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { listed, statusWords } from '../../posts/post.access.js';
import type { Flag } from '../../posts/post.entity.js';
import { LINKED, LINKED_NAMES } from '../event.link-kinds.js';
import type { EventParams } from '../event.params.js';

/** What the parameters of a list mean once dates are read and references are looked up. */
export interface EventFilter {
  readonly params: EventParams;
  readonly start: readonly Bound[];
  readonly end: readonly Bound[];
  readonly search?: SearchQuery;
  /** Only these can hold the words searched for; they need not. */
  readonly candidates?: readonly number[];
  /** Descendants included. */
  readonly categoryIds?: readonly number[];
  readonly tagIds?: readonly number[];
  /** Venues within the radius that the caller sees. */
  readonly nearVenueIds?: readonly number[];
  /** Which venues a geoloc filter looks at. */
  readonly visibleVenue: SqlCondition;
  /** Events are looked at one by one in the order of the list, and their links then (index-hints.ts). */
  readonly isWalk?: boolean;
}

/** The rows of `events e` that belong to a list (contract 10.1). */
export function eventCondition(filter: EventFilter, context: RequestContext): SqlCondition {
  return allOf([
    inWindow(filter),
    listed('e', statusWords(filter.params.status, context), context),
    ...furtherFilters(filter, context),
  ]);
}

/** Events that are hidden or not, as the list wants them, and lie within its dates. */
function inWindow({ params, start, end }: EventFilter): SqlCondition {
  return allOf([...hidden(params), ...bounds('e.start_utc', withImplied(start, end)), ...bounds('e.end_utc', end)]);
}

/** What a list asks for besides its window and its statuses. */
export function furtherFilters(filter: EventFilter, context: RequestContext): SqlCondition[] {
  const { params } = filter;
  const blanked = blankedFilters(filter);
  return [
    ...(params.include === undefined ? [] : [isOneOf('e.id', params.include)]),
    ...candidates(filter),
    ...(params.post_parent === undefined ? [] : [condition('e.post_parent = ?', params.post_parent)]),
    ...blanked,
    ...(blanked.length > 0 ? [unprotected('e', context.caller)] : []),
  ];
}

/**
 * Filters on members that a list blanks for protected events: they must not tell what is behind the password
 * (contract 7.3, Passwords).
 */
function blankedFilters(filter: EventFilter): SqlCondition[] {
  const { params, search, categoryIds, tagIds } = filter;
  const linked = filter.isWalk === true ? linkedOneByOne : linkedTogether;
  return [
    ...flag('e.featured', params.featured),
    ...flag('e.ticketed', params.ticketed),
    ...LINKED_NAMES.flatMap((name) => linked(LINKED[name].kind.linkTable, LINKED[name].kind.linkColumn, params[name])),
    ...linked(TABLES.eventTerms, 'term_id', categoryIds),
    ...linked(TABLES.eventTerms, 'term_id', tagIds),
    ...linked(TABLES.eventVenues, 'venue_id', filter.nearVenueIds),
    ...geoloc(params.geoloc, filter.visibleVenue),
    ...(search === undefined ? [] : words(search)),
  ];
}

/** Hidden events are left out always, unless an editor asks for them. */
function hidden(params: EventParams): SqlCondition[] {
  const flag = hiddenFlag(params);
  return flag === undefined ? [] : [condition('e.hide_from_listings = ?', flag)];
}

/** As the column holds it; undefined: both. */
export function hiddenFlag({ hide_from_listings }: EventParams): Flag | undefined {
  if (hide_from_listings === 'any') return undefined;
  return hide_from_listings === true ? 1 : 0;
}

/** Along the list each event is looked at when its turn comes. */
function candidates({ candidates: ids, isWalk }: EventFilter): SqlCondition[] {
  return ids === undefined || isWalk === true ? [] : [isOneOf('e.id', ids)];
}

function bounds(column: string, limits: readonly Bound[]): SqlCondition[] {
  return limits.map(({ op, utc }) => condition(`${column} ${op} ?`, utc));
}

function flag(column: string, value: boolean | undefined): SqlCondition[] {
  return value === undefined ? [] : [condition(`${column} = ?`, value ? 1 : 0)];
}

function linkedTogether(table: string, column: string, ids: readonly number[] | undefined): SqlCondition[] {
  if (ids === undefined) return [];
  const { sql, params } = isOneOf(column, ids);
  return [{ sql: `e.id IN (SELECT event_id FROM ${table} WHERE ${sql})`, params }];
}

/** An EXISTS would be turned into the same as above: all links are collected before the first event is looked at. */
function linkedOneByOne(table: string, column: string, ids: readonly number[] | undefined): SqlCondition[] {
  if (ids === undefined) return [];
  const { sql, params } = isOneOf(`l.${column}`, ids);
  return [{ sql: `(SELECT 1 FROM ${table} l WHERE l.event_id = e.id AND ${sql} LIMIT 1) = 1`, params }];
}

function geoloc(wanted: boolean | undefined, visibleVenue: SqlCondition): SqlCondition[] {
  if (wanted === undefined) return [];
  const located =
    `EXISTS (SELECT 1 FROM ${TABLES.eventVenues} l JOIN ${TABLES.venues} v ON v.id = l.venue_id ` +
    `WHERE l.event_id = e.id AND v.geo_lat IS NOT NULL AND ${visibleVenue.sql})`;
  return [{ sql: wanted ? located : `NOT ${located}`, params: visibleVenue.params }];
}

/** Texts are stored folded, so that no database has to know about accents (contract section 3, Comparing). */
function words({ include, exclude }: SearchQuery): SqlCondition[] {
  const occurs = (word: string) => condition('instr(e.search_text, ?) > 0', word);
  const lacks = (word: string) => condition('instr(e.search_text, ?) = 0', word);
  return [...include.map(occurs), ...exclude.map(lacks)];
}

/** Only editors and administrators may ask for hidden events. */
export function maySeeHidden({ caller }: RequestContext): boolean {
  return can(caller, 'edit_others_posts');
}
