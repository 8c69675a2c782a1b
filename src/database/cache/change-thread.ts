import { setTimeout as sleep } from 'node:timers/promises';
import { condition, type SqlCondition } from '../../kernel/sql-condition.js';
import type { Sql } from '../sql/dialect.js';
import { TABLES } from '../sql/tables.js';
import {
  type DatabaseState,
  readWithVersion,
  STATE_COLUMNS,
  type StateColumns,
  versionedRows,
  type VersionedRows,
} from './read-at-version.js';
import type { Change } from './recent-changes.js';

/** A change with the columns that tell it from a change of another history of the database. */
interface NotedChange extends Change {
  readonly id: number;
  readonly made_utc: string;
}

/** The next changes after a place. */
export interface NextChanges {
  readonly changes: readonly NotedChange[];
  /** The version of the database from which they were read. */
  readonly readVersion: number;
  /** Whether they reach to that version. */
  readonly isLastPage: boolean;
  /** The place after them. */
  readonly next: Place;
}

const NOTED = 'c.id, c.seq, c.kind, c.record_id, c.made_utc';
const MAX_CHANGES_PER_PAGE = 2_000;
/** Each request waits for a look. */
const MAX_CHANGES_PER_LOOK = 100;
/** A node of a cluster may lag behind. After these delays (ms) a lower version means that a backup was restored. */
const LAG_DELAYS_MS = [20, 50, 100, 200];

/** A place in the change record, to which something in memory has followed it. */
export interface Place {
  readonly epoch: string;
  /** The number of the last commit that is known as a whole. */
  readonly version: number;
  /** The last known change. undefined: the commit `version` left none. */
  readonly last: NotedChange | undefined;
}

/** Returns the place after the newest commit. */
export async function newestPlace(sql: Sql): Promise<Place> {
  const newest = `SELECT ${NOTED} FROM ${TABLES.changes} c
    WHERE c.seq = (SELECT version FROM ${TABLES.dataVersion} WHERE id = 1) ORDER BY c.id DESC LIMIT 1`;
  const { version, epoch, rows } = await readWithVersion<NotedChange>(sql, condition(newest));
  return { epoch, version, last: rows[0] };
}

/**
 * Returns the next changes after a place. Returns undefined if the record does not continue there: changes were purged, a
 * backup was restored, or a commit left no change.
 */
export async function changesFrom(sql: Sql, place: Place): Promise<NextChanges | undefined> {
  return pageAfter(place, await rowsFrom(sql, place), MAX_CHANGES_PER_PAGE);
}

/** Returns the next changes among rows that were read from a place on. `limit`: how many were read at most. */
function pageAfter(place: Place, found: VersionedRows<NotedChange>, limit: number): NextChanges | undefined {
  const { last } = place;
  const { version, epoch } = found;
  // Changes beyond the version are of another history: `data_version` was lowered. Later commits get their numbers again.
  const rows = found.rows.filter(({ seq }) => seq <= version).toSorted((a, b) => a.seq - b.seq || a.id - b.id);
  if (epoch !== place.epoch || (last !== undefined && !isSameChange(rows[0], last))) return undefined;
  const changes = last === undefined ? rows : rows.slice(1);
  let seq = last?.seq ?? place.version;
  for (const change of changes) {
    if (change.seq !== seq && change.seq !== seq + 1) return undefined;
    seq = change.seq;
  }
  const isLastPage = found.rows.length < limit || rows.length < found.rows.length;
  if (isLastPage && seq !== version) return undefined;
  // The page may end within a commit.
  const next = { epoch, version: isLastPage ? version : seq - 1, last: changes.at(-1) ?? last };
  return { changes, readVersion: version, isLastPage, next };
}

/** Returns the condition for the changes from the last one before a place on. */
function fromPlace({ version, last }: Place): SqlCondition {
  const { seq, id } = last ?? { seq: version + 1, id: 0 };
  return condition('c.seq >= ? AND (c.seq > ? OR c.id >= ?)', seq, seq, id);
}

async function rowsFrom(sql: Sql, place: Place): Promise<VersionedRows<NotedChange>> {
  const { version: from } = place;
  const { sql: where, params } = fromPlace(place);
  const select = condition(
    `SELECT ${NOTED} FROM ${TABLES.changes} c WHERE ${where} ORDER BY c.seq, c.id LIMIT ${MAX_CHANGES_PER_PAGE}`,
    ...params,
  );
  let found = await readWithVersion<NotedChange>(sql, select);
  for (const delay of LAG_DELAYS_MS) {
    if (found.version >= from) break;
    await sleep(delay);
    found = await readWithVersion<NotedChange>(sql, select);
  }
  return found;
}

/** What a look at the database has found. */
interface Look {
  readonly state: DatabaseState;
  /** The changes since a place. undefined: many, or the record does not continue there. */
  readonly page: NextChanges | undefined;
}

/** Reads the state of the database and the few changes after a place by one statement. */
export async function lookFrom(sql: Sql, place: Place): Promise<Look> {
  const { sql: where, params } = fromPlace(place);
  const rows = await sql.query<NotedChange & StateColumns>(
    `SELECT ${STATE_COLUMNS}, ${NOTED} FROM ${TABLES.dataVersion} v LEFT JOIN ${TABLES.changes} c ON ${where}
     WHERE v.id = 1 LIMIT ${MAX_CHANGES_PER_LOOK}`,
    params,
  );
  const found = versionedRows(rows);
  const page = rows.length < MAX_CHANGES_PER_LOOK ? pageAfter(place, found, MAX_CHANGES_PER_LOOK) : undefined;
  return { state: { version: found.version, epoch: found.epoch }, page };
}

function isSameChange(one: NotedChange | undefined, other: NotedChange): boolean {
  return (['id', 'seq', 'kind', 'record_id', 'made_utc'] as const).every((column) => one?.[column] === other[column]);
}
