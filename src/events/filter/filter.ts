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

/** What the parameters of a list mean once dates are read and references are looked up. */
export interface EventFilter {
  readonly params: EventParams;
  readonly start: readonly Bound[];
  readonly end: readonly Bound[];
  readonly search?: SearchQuery;
  /** Only these can hold the words searched for; they need not. */
  readonly candidates?: readonly number[];
  /** Descendants included. */
  readonly termIds: Partial<ByTermName<readonly number[]>>;
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
export function furtherFilters(filter: EventFilter, { caller }: RequestContext): SqlCondition[] {
  const given = givenFilters(filter);
  const isRevealing = given.some(({ rule }) => rule.hiddenBehindPassword);
  return [...given.map((one) => one.condition), ...(isRevealing ? [unprotected('e', caller)] : [])];
}

/** Whether the events that a list asks for change with the time of day, beside those that become public. */
export function usesClock(filter: EventFilter): boolean {
  return givenFilters(filter).some(({ rule }) => rule.usesClock);
}

/** One thing that a list may ask for. */
interface FilterRule {
  /** undefined: the list does not ask for it. */
  readonly condition: (filter: EventFilter) => SqlCondition | undefined;
  /**
   * It looks at members that a list blanks for protected events: it leaves these out, because the result would tell what is
   * behind the password (contract 7.3, Passwords).
   */
  readonly hiddenBehindPassword: boolean;
  /** Its result changes with the time of day, without a commit: totals are not cached (event-totals.ts). */
  readonly usesClock: boolean;
}

const FILTERS: readonly FilterRule[] = [
  { condition: include, hiddenBehindPassword: false, usesClock: false },
  { condition: candidates, hiddenBehindPassword: false, usesClock: false },
  { condition: parent, hiddenBehindPassword: false, usesClock: false },
  { condition: featured, hiddenBehindPassword: true, usesClock: false },
  { condition: ticketed, hiddenBehindPassword: true, usesClock: false },
  ...LINKED_NAMES.map((name) => ({ condition: linkedPosts(name), hiddenBehindPassword: true, usesClock: false })),
  ...TERM_NAMES.map((name) => ({ condition: terms(name), hiddenBehindPassword: true, usesClock: false })),
  { condition: nearVenues, hiddenBehindPassword: true, usesClock: false },
  { condition: geoloc, hiddenBehindPassword: true, usesClock: true },
  { condition: words, hiddenBehindPassword: true, usesClock: false },
];

function givenFilters(filter: EventFilter) {
  return FILTERS.flatMap((rule) => {
    const asked = rule.condition(filter);
    return asked === undefined ? [] : [{ rule, condition: asked }];
  });
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

function bounds(column: string, limits: readonly Bound[]): SqlCondition[] {
  return limits.map(({ op, utc }) => condition(`${column} ${op} ?`, utc));
}

function include({ params }: EventFilter): SqlCondition | undefined {
  return params.include && isOneOf('e.id', params.include);
}

/** Along the list each event is looked at when its turn comes. */
function candidates({ candidates: ids, isWalk }: EventFilter): SqlCondition | undefined {
  return ids === undefined || isWalk === true ? undefined : isOneOf('e.id', ids);
}

function parent({ params: { post_parent: id } }: EventFilter): SqlCondition | undefined {
  return id === undefined ? undefined : condition('e.post_parent = ?', id);
}

function featured({ params }: EventFilter): SqlCondition | undefined {
  return flag('e.featured', params.featured);
}

function ticketed({ params }: EventFilter): SqlCondition | undefined {
  return flag('e.ticketed', params.ticketed);
}

function linkedPosts(name: LinkedName) {
  const { linkTable, linkColumn } = LINKED[name].kind;
  return (filter: EventFilter) => linked(filter, linkTable, linkColumn, filter.params[name]);
}

function terms(name: TermName) {
  return (filter: EventFilter) => linked(filter, TABLES.eventTerms, 'term_id', filter.termIds[name]);
}

function nearVenues(filter: EventFilter): SqlCondition | undefined {
  return linked(filter, TABLES.eventVenues, 'venue_id', filter.nearVenueIds);
}

function geoloc({ params: { geoloc: wanted }, visibleVenue }: EventFilter): SqlCondition | undefined {
  if (wanted === undefined) return undefined;
  const located =
    `EXISTS (SELECT 1 FROM ${TABLES.eventVenues} l JOIN ${TABLES.venues} v ON v.id = l.venue_id ` +
    `WHERE l.event_id = e.id AND v.geo_lat IS NOT NULL AND ${visibleVenue.sql})`;
  return { sql: wanted ? located : `NOT ${located}`, params: visibleVenue.params };
}

/** Texts are stored folded, so that no database has to know about accents (contract section 3, Comparing). */
function words({ search }: EventFilter): SqlCondition | undefined {
  const occurs = (word: string) => condition('instr(e.search_text, ?) > 0', word);
  const lacks = (word: string) => condition('instr(e.search_text, ?) = 0', word);
  return search && allOf([...search.include.map(occurs), ...search.exclude.map(lacks)]);
}

function flag(column: string, value: boolean | undefined): SqlCondition | undefined {
  return value === undefined ? undefined : condition(`${column} = ?`, value ? 1 : 0);
}

function linked({ isWalk }: EventFilter, table: string, column: string, ids: readonly number[] | undefined) {
  if (ids === undefined) return undefined;
  return isWalk === true ? linkedOneByOne(table, column, ids) : linkedTogether(table, column, ids);
}

function linkedTogether(table: string, column: string, ids: readonly number[]): SqlCondition {
  const { sql, params } = isOneOf(column, ids);
  return { sql: `e.id IN (SELECT event_id FROM ${table} WHERE ${sql})`, params };
}

/** An EXISTS would be turned into the same as above: all links are collected before the first event is looked at. */
function linkedOneByOne(table: string, column: string, ids: readonly number[]): SqlCondition {
  const { sql, params } = isOneOf(`l.${column}`, ids);
  return { sql: `(SELECT 1 FROM ${table} l WHERE l.event_id = e.id AND ${sql} LIMIT 1) = 1`, params };
}

/** Only editors and administrators may ask for hidden events. */
export function maySeeHidden({ caller }: RequestContext): boolean {
  return can(caller, 'edit_others_posts');
}
