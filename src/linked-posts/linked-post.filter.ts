import type { Dialect } from '../database/sql/dialect.js';
import { INDEXES, TABLES } from '../database/sql/tables.js';
import { allOf, type SqlCondition, condition } from '../kernel/sql-condition.js';
import { inStatus, readable, unprotected } from '../kernel/visibility.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { listed, statusWords } from '../posts/post.access.js';
import type { LinkedPostKind } from './linked-post.kind.js';
import type { LinkedPostParams } from './linked-post.params.js';

/**
 * The rows `p` of a list, but for its search (linked-post.query.ts), its event (post.event-filter.ts) and what is upcoming
 * (linked-post.upcoming.ts).
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
  ]);
}

/** Linked to the event of this id. */
export function linkedTo({ linkTable, linkColumn }: LinkedPostKind, eventId: number): SqlCondition {
  return condition(`p.id IN (SELECT l.${linkColumn} FROM ${linkTable} l WHERE l.event_id = ?)`, eventId);
}

/** Hidden events count here, drafts do not, protected ones for those who may edit them (contract VO-08). */
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

/**
 * Linked to an event `e` of a kind, or to none. Each record's events are looked at, the newest first, until one is found: an
 * EXISTS would be turned round, and go through all events of that kind, on SQLite for each record anew.
 */
export function linkedToAny(
  dialect: Dialect,
  { linkTable, linkColumn, linkIndex }: LinkedPostKind,
  { sql, params }: SqlCondition,
  wanted = true,
): SqlCondition {
  const ofRecord = `${linkTable} l${dialect.byIndex(linkIndex)}`;
  const links = `${ofRecord} ${dialect.joinInOrder} ${TABLES.events} e ON e.id = l.event_id`;
  // With the column that is the same for all MySQL sees that the index has them in this order.
  const newestFirst = `ORDER BY l.${linkColumn} DESC, l.event_id DESC`;
  const first = `(SELECT 1 FROM ${links} WHERE l.${linkColumn} = p.id AND ${sql} ${newestFirst} LIMIT 1)`;
  return { sql: `${first} IS ${wanted ? 'NOT NULL' : 'NULL'}`, params };
}

/** The same of a kind `e` of which there are few, and which the index of the list finds: they are gone through. */
export function linkedToAnyOfFew(
  dialect: Dialect,
  { linkTable, linkColumn }: LinkedPostKind,
  { sql, params }: SqlCondition,
): SqlCondition {
  const events = `${TABLES.events} e${dialect.byIndex(INDEXES.eventList)}`;
  const links = `${events} ${dialect.joinInOrder} ${linkTable} l ON l.event_id = e.id`;
  return { sql: `p.id IN (SELECT l.${linkColumn} FROM ${links} WHERE ${sql})`, params };
}
