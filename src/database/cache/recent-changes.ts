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

/** The changes after version `from`, up to version `to` or a later one; undefined: `most` or more, or some were purged. */
export async function changesSince(
  sql: Sql,
  from: number,
  to: number,
  most: number,
): Promise<readonly Change[] | undefined> {
  const changes = await sql.query<Change>(
    `SELECT seq, kind, record_id FROM ${TABLES.changes} WHERE seq > ? ORDER BY seq LIMIT ${most}`,
    [from],
  );
  const last = changes.at(-1)?.seq ?? from;
  return changes.length < most && last >= to && isComplete(changes, from, last) ? changes : undefined;
}

/**
 * The changes of the first commits after version `from`, at most up to version `to`: all changes of each commit, `some`
 * or a few more in all. undefined: some were purged.
 */
export async function nextChanges(
  sql: Sql,
  from: number,
  to: number,
  some: number,
): Promise<readonly Change[] | undefined> {
  const [last] = await sql.query<{ seq: number }>(
    `SELECT seq FROM ${TABLES.changes} WHERE seq > ? ORDER BY seq LIMIT 1 OFFSET ${some}`,
    [from],
  );
  const end = last?.seq ?? to;
  const changes = await sql.query<Change>(
    `SELECT seq, kind, record_id FROM ${TABLES.changes} WHERE seq > ? AND seq <= ? ORDER BY seq`,
    [from, end],
  );
  return isComplete(changes, from, end) ? changes : undefined;
}

/** Joins the changes after a version as `c`, for a statement that reads that version itself. */
export function joinChangesSince(versionColumn: string): string {
  return `LEFT JOIN ${TABLES.changes} c ON c.seq > ${versionColumn}`;
}

/** Whether these are the changes of all commits from one version to another: each commit leaves one, which may be purged. */
export function isComplete(changes: readonly Change[], from: number, to: number): boolean {
  return new Set(changes.map(({ seq }) => seq)).size === to - from;
}

/** The ids of the changed records of a noun, such as `event`. */
export function changedIds(changes: readonly Change[], noun: string): number[] {
  return [...new Set(changes.filter(({ kind }) => kind.startsWith(`${noun}.`)).map(({ record_id }) => record_id))];
}
