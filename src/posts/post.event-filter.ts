import type { Sql } from '../database/sql/dialect.js';
import { TABLES } from '../database/sql/tables.js';
import type { Problems } from '../errors/problems.js';
import { ALWAYS, type SqlCondition, NEVER } from '../kernel/sql-condition.js';
import { mayEdit, mayRead, type PostRights } from '../kernel/visibility.js';
import type { RequestContext } from '../platform/http/request-context.js';

/**
 * Returns the condition for rows linked to an event. The parameter `name` gives its id. An event that the caller may not
 * read counts as unknown. A password-protected event that the caller may not edit matches nothing (contract 7.3).
 */
export async function filterByEvent(
  sql: Sql,
  { name, id, linkedTo }: EventReference,
  { caller, nowUtc }: RequestContext,
  problems: Problems,
): Promise<SqlCondition> {
  if (id === undefined) return ALWAYS;
  const [event] = await sql.query<PostRights & { readonly password_hash: string | null }>(
    `SELECT status, trashed_from, public_from, author_id, password_hash FROM ${TABLES.events} WHERE id = ?`,
    [id],
  );
  if (event === undefined || !mayRead(event, caller, nowUtc)) {
    problems.addUnknown(name, [id]);
    return NEVER;
  }
  return event.password_hash === null || mayEdit(event, caller) ? linkedTo(id) : NEVER;
}

/** A parameter that names an event. */
interface EventReference {
  readonly name: string;
  readonly id: number | undefined;
  /** Returns the condition for rows linked to the event. */
  readonly linkedTo: (id: number) => SqlCondition;
}
