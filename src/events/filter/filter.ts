import { can } from '../../kernel/caller.js';
import { allOf, type SqlCondition, condition, isOneOf } from '../../kernel/sql-condition.js';
import { type Bound, withImplied } from '../../kernel/time/date-window.js';
import type { SearchQuery } from '../../kernel/text/search-query.js';
import { unprotected } from '../../kernel/visibility.js';
import { TABLES } from '../../database/sql/tables.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { listed, statusWords } from '../../posts/post.access.js';
import type { Flag } from '../../posts/post.entity.js';
import {
  type ByTermName,
  LINKED,
  LINKED_NAMES,
  type LinkedName,
  TERM_NAMES,
  type TermName,
} from '../event.link-kinds.js';
import type { EventParams } from '../event.params.js';
import type { GivenFilter, LazyCondition } from '../hooks/list-filter.js';

/** The events of a search. */
export interface FoundEvents {
  readonly size: number;
  has(id: number): boolean;
  /** Returns the ids, ascending. */
  ids(): readonly number[];
}

/** The parameters of a list with parsed dates and resolved references. */
export interface EventFilter {
  readonly params: EventParams;
  readonly start: readonly Bound[];
  readonly end: readonly Bound[];
  readonly search?: SearchQuery;
  /** The events that match `search`. undefined: their texts tell. */
  readonly found?: FoundEvents;
  /** The ids of terms, descendants included. */
  readonly termIds: Partial<ByTermName<readonly number[]>>;
  /** The ids of visible venues within the radius. */
  readonly nearVenueIds?: readonly number[];
  /** The condition for venues that the `geoloc` filter considers. */
  readonly visibleVenue: SqlCondition;
  /** The filters of modules. */
  readonly further: readonly GivenFilter[];
  /** Whether the query scans an index in list order and checks each event's links on the way (index-hints.ts). */
  readonly isOrderedScan?: boolean;
}

/** With more events of a search a statement scans the list: its page is soon full, and the ids would make a long statement. */
const MAX_FOUND_IDS = 10_000;

/** Returns a filter for statements, with the events of its search if they are few. */
export function withFound(filter: EventFilter, found: FoundEvents | undefined): EventFilter {
  return found !== undefined && found.size <= MAX_FOUND_IDS ? { ...filter, found } : filter;
}

/** Returns the condition for the rows of `events e` in a list (contract 10.1). */
export function eventCondition(filter: EventFilter, context: RequestContext): SqlCondition {
  return allOf([
    inWindow(filter),
    listed('e', statusWords(filter.params.status, context), context),
    ...otherFilters(filter, context),
  ]);
}

/** Returns the condition for `hide_from_listings` and the dates. */
function inWindow({ params, start, end }: EventFilter): SqlCondition {
  return allOf([...hidden(params), ...bounds('e.start_utc', withImplied(start, end)), ...bounds('e.end_utc', end)]);
}

/** Returns the conditions of all other filters than dates, `hide_from_listings` and statuses. */
function otherFilters(filter: EventFilter, { caller }: RequestContext): SqlCondition[] {
  const given = usedFilters(filter).map(({ toSql }) => toSql());
  return [...given, ...(isRevealing(filter) ? [unprotected('e', caller)] : [])];
}

/** Whether the result of a filter would reveal members that a password hides. */
export function isRevealing(filter: EventFilter): boolean {
  return usedFilters(filter).some(({ hiddenBehindPassword }) => hiddenBehindPassword);
}

/** Whether the index of events knows all filters of a list. It knows no filters of modules. */
export function isIndexed(filter: EventFilter): boolean {
  return filter.further.length === 0 && UNINDEXED.every((rule) => rule.condition(filter) === undefined);
}

/** One filter of the list. */
interface FilterRule {
  /** Returns undefined if the request does not use the filter. */
  readonly condition: (filter: EventFilter) => LazyCondition | undefined;
  /**
   * Whether the filter reads members that lists blank for protected events. It then excludes these events, because its
   * result would reveal the members (contract 7.3, Passwords).
   */
  readonly hiddenBehindPassword: boolean;
  /** Whether the index of events answers the filter (index/filter-selection.ts). Default: only the database does. */
  readonly isIndexed?: boolean;
}

const FILTERS: readonly FilterRule[] = [
  { condition: include, hiddenBehindPassword: false, isIndexed: true },
  { condition: parent, hiddenBehindPassword: false, isIndexed: true },
  { condition: featured, hiddenBehindPassword: true, isIndexed: true },
  { condition: ticketed, hiddenBehindPassword: true, isIndexed: true },
  ...LINKED_NAMES.map((name) => linkFilter(linkedPosts(name))),
  ...TERM_NAMES.map((name) => linkFilter(terms(name))),
  linkFilter(nearVenues),
  { condition: geoloc, hiddenBehindPassword: true },
  { condition: found, hiddenBehindPassword: true, isIndexed: true },
  { condition: words, hiddenBehindPassword: true },
];

const UNINDEXED = FILTERS.filter((rule) => rule.isIndexed !== true);

function linkFilter(condition: FilterRule['condition']): FilterRule {
  return { condition, hiddenBehindPassword: true, isIndexed: true };
}

interface UsedFilter {
  readonly hiddenBehindPassword: boolean;
  readonly toSql: LazyCondition;
}

function usedFilters(filter: EventFilter): UsedFilter[] {
  const own = FILTERS.map((rule) => ({ ...rule, toSql: rule.condition(filter) }));
  return [...own, ...filter.further].flatMap(({ hiddenBehindPassword, toSql }) =>
    toSql ? [{ hiddenBehindPassword, toSql }] : [],
  );
}

/** Excludes hidden events, unless an editor requests them. */
function hidden(params: EventParams): SqlCondition[] {
  const flag = hiddenFlag(params);
  return flag === undefined ? [] : [condition('e.hide_from_listings = ?', flag)];
}

/** Returns the wanted value of the column. undefined: both. */
export function hiddenFlag({ hide_from_listings }: EventParams): Flag | undefined {
  if (hide_from_listings === 'any') return undefined;
  return hide_from_listings === true ? 1 : 0;
}

function bounds(column: string, limits: readonly Bound[]): SqlCondition[] {
  return limits.map(({ op, utc }) => condition(`${column} ${op} ?`, utc));
}

function include({ params: { include: ids } }: EventFilter): LazyCondition | undefined {
  return ids && (() => isOneOf('e.id', ids));
}

function parent({ params: { post_parent: id } }: EventFilter): LazyCondition | undefined {
  return id === undefined ? undefined : () => condition('e.post_parent = ?', id);
}

function featured({ params }: EventFilter): LazyCondition | undefined {
  return flag('e.featured', params.featured);
}

function ticketed({ params }: EventFilter): LazyCondition | undefined {
  return flag('e.ticketed', params.ticketed);
}

function linkedPosts(name: LinkedName) {
  const { linkTable, linkColumn } = LINKED[name].kind;
  return (filter: EventFilter) => linked(filter, linkTable, linkColumn, filter.params[name]);
}

function terms(name: TermName) {
  return (filter: EventFilter) => linked(filter, TABLES.eventTerms, 'term_id', filter.termIds[name]);
}

function nearVenues(filter: EventFilter): LazyCondition | undefined {
  return linked(filter, TABLES.eventVenues, 'venue_id', filter.nearVenueIds);
}

function geoloc({ params: { geoloc: isWanted }, visibleVenue }: EventFilter): LazyCondition | undefined {
  if (isWanted === undefined) return undefined;
  const located =
    `EXISTS (SELECT 1 FROM ${TABLES.eventVenues} l JOIN ${TABLES.venues} v ON v.id = l.venue_id ` +
    `WHERE l.event_id = e.id AND v.geo_lat IS NOT NULL AND ${visibleVenue.sql})`;
  return () => ({ sql: isWanted ? located : `NOT ${located}`, params: visibleVenue.params });
}

function found({ found: events, isOrderedScan }: EventFilter): LazyCondition | undefined {
  return events === undefined || isOrderedScan === true ? undefined : () => isOneOf('e.id', events.ids());
}

/** An ordered scan compares the text of each event that it reaches, because it may reach few of the events that were found. */
function words({ search, found: events, isOrderedScan }: EventFilter): LazyCondition | undefined {
  return search && (events === undefined || isOrderedScan === true) ? () => containsWords(search) : undefined;
}

/** Searches texts that are stored without case and accents, because engines fold them differently (contract section 3). */
export function containsWords({ include, exclude }: SearchQuery): SqlCondition {
  const contains = (word: string) => condition('instr(e.search_text, ?) > 0', word);
  const lacks = (word: string) => condition('instr(e.search_text, ?) = 0', word);
  return allOf([...include.map(contains), ...exclude.map(lacks)]);
}

function flag(column: string, value: boolean | undefined): LazyCondition | undefined {
  return value === undefined ? undefined : () => condition(`${column} = ?`, value ? 1 : 0);
}

function linked({ isOrderedScan }: EventFilter, table: string, column: string, ids: readonly number[] | undefined) {
  const bySubquery = isOrderedScan === true ? linkedByCorrelatedQuery : linkedBySubquery;
  return ids && (() => bySubquery(table, column, ids));
}

function linkedBySubquery(table: string, column: string, ids: readonly number[]): SqlCondition {
  const { sql, params } = isOneOf(column, ids);
  return { sql: `e.id IN (SELECT event_id FROM ${table} WHERE ${sql})`, params };
}

/** Compares with 1, because the optimizer would turn EXISTS into the IN above and collect all links first. */
function linkedByCorrelatedQuery(table: string, column: string, ids: readonly number[]): SqlCondition {
  const { sql, params } = isOneOf(`l.${column}`, ids);
  return { sql: `(SELECT 1 FROM ${table} l WHERE l.event_id = e.id AND ${sql} LIMIT 1) = 1`, params };
}

/** Whether the caller may request hidden events: editors and administrators only. */
export function maySeeHidden({ caller }: RequestContext): boolean {
  return can(caller, 'edit_others_posts');
}
