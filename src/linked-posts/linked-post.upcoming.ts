import type { Dialect, Sql } from '../database/dialect.js';
import { INDEXES, TABLES } from '../database/tables.js';
import { allOf, type Condition, condition } from '../kernel/condition.js';
import { readable, unprotected } from '../kernel/visibility.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { linkedToAny, linkedToOneOf } from './linked-post.filter.js';
import type { LinkedPostKind } from './linked-post.kind.js';

/** So many upcoming events are gone through; with more of them most records have one among their last. */
const FEW = 1_000;

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
): Promise<Condition> {
  const isUpcoming = condition('e.hide_from_listings = 0 AND e.start_utc >= ?', nowUtc);
  const isTold = allOf([condition('e.status <> ?', 'trash'), readable('e', caller, nowUtc), unprotected('e', caller)]);
  const upcoming = await sql.query<{ id: number }>(
    `SELECT e.id FROM ${TABLES.events} e${dialect.byIndex(INDEXES.eventList)} WHERE ${isUpcoming.sql} LIMIT ${FEW + 1}`,
    isUpcoming.params,
  );
  if (upcoming.length > FEW) return linkedToAny(dialect, kind, allOf([isUpcoming, isTold]));
  const ids = upcoming.map(({ id }) => id);
  return linkedToOneOf(dialect, kind, ids, isTold);
}
