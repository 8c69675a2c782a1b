import type { Sql } from '../database/dialect.js';
import { TABLES } from '../database/tables.js';
import { ALWAYS, allOf, type Condition, condition, isOneOf, NEVER } from '../kernel/condition.js';
import { mayEdit, mayRead, type PostRights } from '../kernel/visibility.js';
import type { Problems } from '../platform/errors/problems.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { TermKind } from './term.kind.js';
import type { TermFilters } from './term.params.js';

/** Reports ids that no term of the kind has, by the name of the parameter that holds them; one statement for all. */
export async function checkTermIds(
  sql: Sql,
  { taxonomy }: TermKind,
  given: Record<string, readonly number[]>,
  problems: Problems,
): Promise<void> {
  const names = Object.keys(given).filter((name) => !problems.has(name));
  const ids = new Set(names.flatMap((name) => given[name] ?? []));
  if (ids.size === 0) return;
  const where = allOf([condition('taxonomy = ?', taxonomy), isOneOf('id', [...ids])]);
  const rows = await sql.query<{ id: number }>(`SELECT id FROM ${TABLES.terms} WHERE ${where.sql}`, where.params);
  const known = new Set(rows.map(({ id }) => id));
  for (const name of names) problems.addUnknown(name, given[name]?.filter((id) => !known.has(id)) ?? []);
}

/**
 * The terms of the event that `event`, or else `post`, names. One that the caller may not read is as unknown as any
 * other; one behind a password yields nothing to those who may not edit it (contract 7.3).
 */
export async function findEventFilter(
  sql: Sql,
  { event, post }: TermFilters,
  problems: Problems,
  { caller, nowUtc }: RequestContext,
): Promise<Condition> {
  const [name, id] = event === undefined ? (['post', post] as const) : (['event', event] as const);
  if (id === undefined || problems.has(name)) return ALWAYS;
  const [row] = await sql.query<PostRights & { password_hash: string | null }>(
    `SELECT status, trashed_from, public_from, author_id, password_hash FROM ${TABLES.events} WHERE id = ?`,
    [id],
  );
  if (row === undefined || !mayRead(row, caller, nowUtc)) {
    problems.addUnknown(name, [id]);
    return NEVER;
  }
  if (row.password_hash !== null && !mayEdit(row, caller)) return NEVER;
  return condition(`t.id IN (SELECT term_id FROM ${TABLES.eventTerms} WHERE event_id = ?)`, id);
}
