import type { Dialect, Sql } from '../database/sql/dialect.js';
import { cachedQuery } from '../database/cache/read-cache.js';
import { INDEXES, TABLES } from '../database/sql/tables.js';
import { allOf, type SqlCondition, condition } from '../kernel/sql-condition.js';
import { readable, unprotected } from '../kernel/visibility.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { linkedToAny, linkedToAnyOfFew } from './linked-post.filter.js';
import type { LinkedPostKind } from './linked-post.kind.js';

/** Among so many events of a record one is upcoming, as a rule, or the upcoming ones of all are few. */
const EVENTS_OF_A_RECORD = 20;

/**
 * The rows `p` that are linked to an upcoming event. Drafts count here for those who may read them, protected events for
 * those who may edit them, hidden ones do not (contract VO-10). Neither way alone will do: of many upcoming events it would
 * take too long to go through all, and of a record with many past events to find that none is upcoming.
 */
export async function upcomingCondition(
  sql: Sql,
  dialect: Dialect,
  kind: LinkedPostKind,
  { caller, nowUtc }: RequestContext,
): Promise<SqlCondition> {
  const isUpcoming = condition('e.hide_from_listings = 0 AND e.start_utc >= ?', nowUtc);
  const isTold = allOf([condition('e.status <> ?', 'trash'), readable('e', caller, nowUtc), unprotected('e', caller)]);
  const few = Math.floor((await lastId(sql)) / EVENTS_OF_A_RECORD);
  const list = `${TABLES.events} e${dialect.byIndex(INDEXES.eventList)}`;
  const more = await sql.query(
    `SELECT e.id FROM ${list} WHERE ${isUpcoming.sql} ORDER BY e.start_utc LIMIT 1 OFFSET ?`,
    [...isUpcoming.params, few],
  );
  const linkedTo = more.length > 0 ? linkedToAny : linkedToAnyOfFew;
  return linkedTo(dialect, kind, allOf([isUpcoming, isTold]));
}

/** About as high as there are events. */
async function lastId(sql: Sql): Promise<number> {
  const [row] = await cachedQuery<{ last: number | null }>(sql, `SELECT max(id) AS last FROM ${TABLES.events}`, []);
  return row?.last ?? 0;
}
