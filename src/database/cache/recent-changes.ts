import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { allOf, ALWAYS, anyOf, condition, not, type SqlCondition } from '../../kernel/sql-condition.js';
import type { Dialect, Sql } from '../sql/dialect.js';
import { INDEXES, TABLES } from '../sql/tables.js';

/** A row of the change record. */
export interface Change {
  /** The version of the database that its commit made. */
  readonly seq: number;
  /** `event.created`, `venue.trashed` … */
  readonly kind: string;
  readonly record_id: number;
}

/** The same with those who may know of it. */
export interface AudienceChange extends Change {
  readonly id: number;
  readonly made_utc: UtcTime;
  /** Whether an anonymous list showed the record before the commit or shows it after. */
  readonly listed: 0 | 1;
  readonly listed_before: 0 | 1;
  readonly listed_after: 0 | 1;
  readonly owner_id: number;
}

/** A place in the change record: behind a row of a commit, or behind the whole commit. Rows are ordered by both. */
export interface ChangePosition {
  readonly seq: number;
  /** The id of the row. undefined: the whole commit. */
  readonly id?: number;
}

/** The changes that a reader may know of: all, listed ones, or those and the changes of own records. */
export type Readership = 'all' | 'listed' | { readonly ownerId: number };

/** The state of the change record. */
export interface ChangeRecordState {
  /** The number of the last commit. */
  readonly version: number;
  /** Differs between a database and its restored copy. */
  readonly epoch: string;
  /** Rows made an hour before this time, or earlier, may be missing. null: none is missing. */
  readonly purgedBeforeUtc: UtcTime | null;
  /** When the last commit was made, by the clock of its instance. null: unknown. */
  readonly lastMadeUtc: UtcTime | null;
}

/** Reads the state of the change record. Throws if the database has lost its version. */
export async function changeRecordState(sql: Sql): Promise<ChangeRecordState> {
  const [row] = await sql.query<{ version: number; epoch: string; purged: string | null; made: string | null }>(
    `SELECT v.version, v.epoch, s.purged_before_utc AS purged,
     (SELECT max(c.made_utc) FROM ${TABLES.changes} c WHERE c.seq = v.version) AS made
     FROM ${TABLES.dataVersion} v LEFT JOIN ${TABLES.site} s ON s.id = 1 WHERE v.id = 1`,
  );
  if (row === undefined) throw new Error(`${TABLES.dataVersion} has lost its row with id 1`);
  return { version: row.version, epoch: row.epoch, purgedBeforeUtc: row.purged, lastMadeUtc: row.made };
}

const AUDIENCE_COLUMNS = 'id, seq, kind, record_id, made_utc, listed, listed_before, listed_after, owner_id';

/** What to read of the change record. */
interface ChangeQuery {
  readonly after: ChangePosition;
  /** The number of the last commit to read. */
  readonly upTo: number;
  readonly readership: Readership;
  readonly limit: number;
}

/** Returns the next changes behind a position, in the order of commits. */
export function changesAfter(
  sql: Sql,
  dialect: Dialect,
  { after, upTo, readership, limit }: ChangeQuery,
): Promise<AudienceChange[]> {
  const hint = dialect.byIndex(readership === 'listed' ? INDEXES.changesListed : INDEXES.changesSeq);
  const where = allOf([readBy(readership), behind(after), condition('seq <= ?', upTo)]);
  return sql.query<AudienceChange>(
    `SELECT ${AUDIENCE_COLUMNS} FROM ${TABLES.changes}${hint}
     WHERE ${where.sql} ORDER BY seq, id LIMIT ${limit}`,
    where.params,
  );
}

/** A time span of the change record, up to a position. */
interface ChangeSpan {
  readonly fromUtc: UtcTime;
  readonly toUtc: UtcTime;
  readonly upTo: ChangePosition;
  readonly readership: Readership;
  readonly limit: number;
}

/** Returns the first changes made from one time to another, both included, in the order of commits. */
export function changesMade(
  sql: Sql,
  { fromUtc, toUtc, upTo, readership, limit }: ChangeSpan,
): Promise<AudienceChange[]> {
  const { sql: where, params } = allOf([
    readBy(readership),
    condition('made_utc >= ? AND made_utc <= ?', fromUtc, toUtc),
    not(behind(upTo)),
  ]);
  return sql.query<AudienceChange>(
    `SELECT ${AUDIENCE_COLUMNS} FROM ${TABLES.changes} WHERE ${where} ORDER BY seq, id LIMIT ${limit}`,
    params,
  );
}

/** Returns the number of the last commit, up to `upTo`, with a change that anonymous readers may know of. 0: none. */
export async function lastListedCommit(sql: Sql, upTo: number): Promise<number> {
  const [row] = await sql.query<{ seq: number | null }>(
    `SELECT max(seq) AS seq FROM ${TABLES.changes} WHERE listed = 1 AND seq <= ?`,
    [upTo],
  );
  return row?.seq ?? 0;
}

/** The same rule as `readBy` for a row in memory. */
export function mayKnowOf({ listed, owner_id }: AudienceChange, readership: Readership): boolean {
  if (readership === 'all' || listed === 1) return true;
  return readership !== 'listed' && owner_id === readership.ownerId;
}

function readBy(readership: Readership): SqlCondition {
  if (readership === 'all') return ALWAYS;
  const isListed = condition('listed = 1');
  return readership === 'listed' ? isListed : anyOf([isListed, condition('owner_id = ?', readership.ownerId)]);
}

function behind({ seq, id }: ChangePosition): SqlCondition {
  if (id === undefined) return condition('seq > ?', seq);
  return allOf([condition('seq >= ?', seq), anyOf([condition('seq > ?', seq), condition('id > ?', id)])]);
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
