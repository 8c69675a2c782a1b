import type { Sql } from '../sql/dialect.js';
import { TABLES } from '../sql/tables.js';

/** A row of the change record. */
export interface Change {
  /** The version of the database that its commit made. */
  readonly seq: number;
  /** `event.created`, `venue.trashed` … */
  readonly kind: string;
  readonly record_id: number;
}

/**
 * Returns the changes after version `from`, up to version `to` or a later one. Returns undefined if there are `maxChanges`
 * or more, or if some were purged.
 */
export async function changesSince(
  sql: Sql,
  from: number,
  to: number,
  maxChanges: number,
): Promise<readonly Change[] | undefined> {
  const changes = await sql.query<Change>(
    `SELECT seq, kind, record_id FROM ${TABLES.changes} WHERE seq > ? ORDER BY seq LIMIT ${maxChanges}`,
    [from],
  );
  const last = changes.at(-1)?.seq ?? from;
  return changes.length < maxChanges && last >= to && isComplete(changes, from, last) ? changes : undefined;
}

/**
 * Returns the changes of the first commits after version `from`, up to version `to` or an earlier one. Includes all changes
 * of each commit, so their number is `count` or slightly more. Returns undefined if some were purged.
 */
export async function nextChanges(
  sql: Sql,
  from: number,
  to: number,
  count: number,
): Promise<readonly Change[] | undefined> {
  const [last] = await sql.query<{ seq: number }>(
    `SELECT seq FROM ${TABLES.changes} WHERE seq > ? ORDER BY seq LIMIT 1 OFFSET ${count}`,
    [from],
  );
  const end = last?.seq ?? to;
  const changes = await sql.query<Change>(
    `SELECT seq, kind, record_id FROM ${TABLES.changes} WHERE seq > ? AND seq <= ? ORDER BY seq`,
    [from, end],
  );
  return isComplete(changes, from, end) ? changes : undefined;
}

/** Returns a join of the changes after a version, with the alias `c`. `versionColumn` gives the version. */
export function joinChangesSince(versionColumn: string): string {
  return `LEFT JOIN ${TABLES.changes} c ON c.seq > ${versionColumn}`;
}

/** Whether no change between two versions is missing. Every commit writes at least one change, which may be purged. */
export function isComplete(changes: readonly Change[], from: number, to: number): boolean {
  return new Set(changes.map(({ seq }) => seq)).size === to - from;
}

/** Returns the ids of the changed records of a noun, such as `event`. */
export function changedIds(changes: readonly Change[], noun: string): number[] {
  return [...new Set(changes.filter(({ kind }) => kind.startsWith(`${noun}.`)).map(({ record_id }) => record_id))];
}
