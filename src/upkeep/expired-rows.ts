import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import type { SqlValue } from '../database/sql/dialect.js';
import { TABLES } from '../database/sql/tables.js';
import type { UtcTime } from '../kernel/time/calendar-time.js';
import { isOneOf } from '../kernel/sql-condition.js';

/** Rows that nobody needs any more: which, and how many of the table they are. */
export interface ExpiredRows {
  readonly table: string;
  readonly key: string;
  /** What a row must still be when it is removed. */
  readonly where: string;
  readonly params: readonly SqlValue[];
  /** The order in which the old ones come first, so that a batch is found without reading the others. */
  readonly order: string;
}

export function oldChanges(beforeUtc: UtcTime): ExpiredRows {
  // The index of searches learns by them which events have changed, and must not see half a commit.
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

/** Small enough that nobody waits long for the rows, or for the only writer. */
const ROWS_A_BATCH = 200;
const PAUSE_MS = 20;

export async function countRows(database: Database, { table, where, params }: ExpiredRows): Promise<number> {
  const [row] = await database.query<{ rows: number }>(
    `SELECT count(*) AS "rows" FROM ${table} WHERE ${where}`,
    params,
  );
  return Number(row?.rows ?? 0);
}

/** Removes them batch by batch, each in a transaction of its own, and answers how many there were. */
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
    `SELECT ${key} FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT ${ROWS_A_BATCH}`,
    params,
  );
  return found.map((row) => row[key] as string | number);
}
