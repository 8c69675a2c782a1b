import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import type { SqlValue } from '../database/sql/dialect.js';
import { TABLES } from '../database/sql/tables.js';
import type { UtcTime } from '../kernel/time/calendar-time.js';
import { isOneOf } from '../kernel/sql-condition.js';

/** The rows of a table that `purge` deletes. */
export interface ExpiredRows {
  readonly table: string;
  readonly key: string;
  /** The condition for expired rows. Each DELETE checks it again. */
  readonly where: string;
  readonly params: readonly SqlValue[];
  /** The ORDER BY that puts old rows first, so that finding a batch reads no other rows. */
  readonly order: string;
}

export function oldChanges(beforeUtc: UtcTime): ExpiredRows {
  // Keeps changes that the search index has not yet processed.
  const isIndexed = `NOT EXISTS (SELECT 1 FROM ${TABLES.searchIndex} i WHERE i.seq < ${TABLES.changes}.seq)`;
  return {
    table: TABLES.changes,
    key: 'id',
    where: `made_utc < ? AND ${isIndexed}`,
    params: [beforeUtc],
    order: 'id',
  };
}

export function oldIdempotencyKeys(beforeUtc: UtcTime): ExpiredRows {
  return {
    table: TABLES.idempotencyKeys,
    key: 'key_hash',
    where: 'expires_utc < ?',
    params: [beforeUtc],
    order: 'expires_utc',
  };
}

/** Limits the time for which a transaction locks rows, and on SQLite all writes. */
const MAX_ROWS_PER_BATCH = 200;
/** Lets other writes run between batches. */
const PAUSE_MS = 20;

export async function countRows(database: Database, { table, where, params }: ExpiredRows): Promise<number> {
  const [row] = await database.query<{ rows: number }>(
    `SELECT count(*) AS "rows" FROM ${table} WHERE ${where}`,
    params,
  );
  return Number(row?.rows ?? 0);
}

/** Deletes the rows in batches, each in its own transaction, and returns their number. */
export async function removeRows(database: Database, rows: ExpiredRows): Promise<number> {
  for (let removed = 0; ; await sleep(PAUSE_MS)) {
    const keys = await firstKeys(database, rows);
    if (keys.length === 0) return removed;
    const { sql, params } = isOneOf(rows.key, keys);
    removed += await database.inTransaction((tx) =>
      tx.execute(`DELETE FROM ${rows.table} WHERE ${sql} AND ${rows.where}`, [...params, ...rows.params]),
    );
  }
}

async function firstKeys(database: Database, { table, key, where, params, order }: ExpiredRows) {
  const found = await database.query<Record<string, string | number>>(
    `SELECT ${key} FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT ${MAX_ROWS_PER_BATCH}`,
    params,
  );
  return found.map((row) => row[key] as string | number);
}
