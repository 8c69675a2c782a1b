import type { Sql } from '../database/dialect.js';
import { TABLES } from '../database/tables.js';
import { isOneOf } from '../kernel/condition.js';

/** The given terms and all below them. */
export async function findBranches(sql: Sql, ids: readonly number[]): Promise<number[]> {
  const roots = isOneOf('id', ids);
  const rows = await sql.query<{ id: number }>(
    `WITH RECURSIVE branches (id) AS (
      SELECT id FROM ${TABLES.terms} WHERE ${roots.sql}
      UNION SELECT c.id FROM ${TABLES.terms} c JOIN branches p ON c.parent = p.id
    ) SELECT id FROM branches`,
    roots.params,
  );
  return rows.map(({ id }) => id);
}
