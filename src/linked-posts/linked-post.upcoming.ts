import type { Dialect, Sql } from '../database/sql/dialect.js';
import { cachedQuery } from '../database/cache/read-cache.js';
import { INDEXES, TABLES } from '../database/sql/tables.js';
import { allOf, type SqlCondition, condition } from '../kernel/sql-condition.js';
import { readable, unprotected } from '../kernel/visibility.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { linkedToAny, linkedToFew } from './linked-post.filter.js';
import type { LinkedPostKind } from './linked-post.kind.js';

/** The assumed number of events per record. If at least one event in this number is upcoming, `linkedToAny` is faster. */
const EVENTS_PER_RECORD = 20;

/**
 * Returns the condition for records `p` with an upcoming event. Counts drafts for callers who may read them, protected
 * events for callers who may edit them, and no hidden events (contract VO-10). Chooses one of two queries: a scan of all
 * upcoming events is slow if they are many, and a scan per record is slow if most events are past.
 */
export async function upcomingCondition(
  sql: Sql,
  dialect: Dialect,
  kind: LinkedPostKind,
  { caller, nowUtc }: RequestContext,
): Promise<SqlCondition> {
  const isUpcoming = condition('e.hide_from_listings = 0 AND e.start_utc >= ?', nowUtc);
  const isVisible = allOf([
    condition('e.status <> ?', 'trash'),
    readable('e', caller, nowUtc),
    unprotected('e', caller),
  ]);
  const few = Math.floor((await lastId(sql)) / EVENTS_PER_RECORD);
  const list = `${TABLES.events} e${dialect.byIndex(INDEXES.eventList)}`;
  const more = await sql.query(
    `SELECT e.id FROM ${list} WHERE ${isUpcoming.sql} ORDER BY e.start_utc LIMIT 1 OFFSET ?`,
    [...isUpcoming.params, few],
  );
  const linkedTo = more.length > 0 ? linkedToAny : linkedToFew;
  return linkedTo(dialect, kind, allOf([isUpcoming, isVisible]));
}

/** Returns the highest id of an event, as an estimate of their number. */
async function lastId(sql: Sql): Promise<number> {
  const [row] = await cachedQuery<{ last: number | null }>(sql, `SELECT max(id) AS last FROM ${TABLES.events}`, []);
  return row?.last ?? 0;
}
