import type { Sql } from '../database/sql/dialect.js';
import { TABLES } from '../database/sql/tables.js';
import { ALWAYS, type SqlCondition, NEVER } from '../kernel/sql-condition.js';
import { mayEdit, mayRead, type PostRights } from '../kernel/visibility.js';
import type { Problems } from '../errors/problems.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { linkedTo } from '../linked-posts/linked-post.filter.js';
import type { LinkedPostKind } from '../linked-posts/linked-post.kind.js';

/** The filter by event: one that the caller may not read counts as unknown, of a protected one nothing is told (contract 7.3). */
export async function eventCondition(
  sql: Sql,
  kind: LinkedPostKind,
  id: number | undefined,
  { caller, nowUtc }: RequestContext,
  problems: Problems,
): Promise<SqlCondition> {
  if (id === undefined) return ALWAYS;
  const event = await findEvent(sql, id);
  if (event === undefined || !mayRead(event, caller, nowUtc)) {
    problems.addUnknown('event', [id]);
    return NEVER;
  }
  return event.password_hash === null || mayEdit(event, caller) ? linkedTo(kind, id) : NEVER;
}

async function findEvent(sql: Sql, id: number): Promise<(PostRights & { password_hash: string | null }) | undefined> {
  const columns = 'status, trashed_from, public_from, author_id, password_hash';
  const [event] = await sql.query<PostRights & { password_hash: string | null }>(
    `SELECT ${columns} FROM ${TABLES.events} WHERE id = ?`,
    [id],
  );
  return event;
}
