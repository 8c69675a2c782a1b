import type { Dialect } from '../database/sql/dialect.js';
import { INDEXES, TABLES } from '../database/sql/tables.js';
import { allOf, type SqlCondition, condition } from '../kernel/sql-condition.js';
import { inStatus, readable, unprotected } from '../kernel/visibility.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { listed, statusWords } from '../posts/post.access.js';
import type { LinkedPostKind } from './linked-post.kind.js';
import type { LinkedPostParams } from './linked-post.params.js';

/**
 * Returns the condition for status, `has_events` and the filters of the kind. Other filters: search (linked-post.query.ts), event
 * (post.event-filter.ts) and upcoming events (linked-post.upcoming.ts). The table's alias is `p`.
 */
export function linkedPostCondition(
  dialect: Dialect,
  kind: LinkedPostKind,
  params: LinkedPostParams,
  context: RequestContext,
): SqlCondition {
  return allOf([
    listed('p', statusWords(params.status, context), context),
    ...hasEvents(dialect, kind, params.has_events, context),
    ...ownFilters(kind, params),
  ]);
}

/** Returns the condition for records linked to an event. */
export function linkedTo({ linkTable, linkColumn }: LinkedPostKind, eventId: number): SqlCondition {
  return condition(`p.id IN (SELECT l.${linkColumn} FROM ${linkTable} l WHERE l.event_id = ?)`, eventId);
}

/** Counts hidden events, but no drafts, and protected events only for callers who may edit them (contract VO-08). */
function hasEvents(
  dialect: Dialect,
  kind: LinkedPostKind,
  wanted: boolean | undefined,
  { caller, nowUtc }: RequestContext,
): SqlCondition[] {
  if (wanted === undefined) return [];
  const isCounted = inStatus('e', ['publish', 'future', 'private'], nowUtc);
  const event = allOf([isCounted, readable('e', caller, nowUtc), unprotected('e', caller)]);
  return [linkedToAny(dialect, kind, event, wanted)];
}

/** Compares the columns that only this kind filters by. */
function ownFilters({ filters = [] }: LinkedPostKind, params: LinkedPostParams): SqlCondition[] {
  const values: Record<string, unknown> = { ...params };
  const given = filters.filter((name) => values[name] !== undefined);
  return given.map((name) => condition(`p.${name} = ?`, values[name] as string | number));
}

/**
 * Returns the condition for records linked to any event `e` that matches, or to none. Reads the events of each record,
 * newest first, until one matches. The optimizer would turn EXISTS into a scan of all matching events.
 */
export function linkedToAny(
  dialect: Dialect,
  { linkTable, linkColumn, linkIndex }: LinkedPostKind,
  { sql, params }: SqlCondition,
  wanted = true,
): SqlCondition {
  const ofRecord = `${linkTable} l${dialect.byIndex(linkIndex)}`;
  const links = `${ofRecord} ${dialect.joinInOrder} ${TABLES.events} e ON e.id = l.event_id`;
  // MySQL uses the order of the index only if ORDER BY names its first column, too, although that is constant.
  const newestFirst = `ORDER BY l.${linkColumn} DESC, l.event_id DESC`;
  const first = `(SELECT 1 FROM ${links} WHERE l.${linkColumn} = p.id AND ${sql} ${newestFirst} LIMIT 1)`;
  return { sql: `${first} IS ${wanted ? 'NOT NULL' : 'NULL'}`, params };
}

/** Returns the same condition for few matching events. Scans these by the list index. */
export function linkedToFew(
  dialect: Dialect,
  { linkTable, linkColumn }: LinkedPostKind,
  { sql, params }: SqlCondition,
): SqlCondition {
  const events = `${TABLES.events} e${dialect.byIndex(INDEXES.eventList)}`;
  const links = `${events} ${dialect.joinInOrder} ${linkTable} l ON l.event_id = e.id`;
  return { sql: `p.id IN (SELECT l.${linkColumn} FROM ${links} WHERE ${sql})`, params };
}
