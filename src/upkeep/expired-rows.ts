import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import type { SqlValue } from '../database/sql/dialect.js';
import { TABLES } from '../database/sql/tables.js';
import { addSeconds } from '../kernel/time/calendar-arithmetic.js';
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

/**
 * Rows made an hour before `beforeUtc`, because the clocks of instances differ: a token of `/changes` issued at that time
 * still finds every later row.
 */
export function oldChanges(beforeUtc: UtcTime, nowUtc: UtcTime): ExpiredRows {
  // Keeps changes that the search index has not yet processed.
  const isIndexed = `NOT EXISTS (SELECT 1 FROM ${TABLES.searchIndex} i WHERE i.seq < ${TABLES.changes}.seq)`;
  // Keeps the changes of the newest commit, by which processes recognize the change record that they follow.
  const isOlder = `seq < (SELECT version FROM ${TABLES.dataVersion} WHERE id = 1)`;
  // Keeps changes of the last 30 days that an active webhook has not taken (webhooks rule 3.7).
  const isTaken = `(made_utc < ? OR NOT EXISTS (SELECT 1 FROM ${TABLES.webhooks} w
    WHERE w.active = 1 AND w.position_seq < ${TABLES.changes}.seq))`;
  return {
    table: TABLES.changes,
    key: 'id',
    where: `made_utc < ? AND ${isIndexed} AND ${isOlder} AND ${isTaken}`,
    params: [addSeconds(beforeUtc, -CLOCK_DIFFERENCE_SECONDS), addSeconds(nowUtc, -WEBHOOK_SECONDS)],
    order: 'id',
  };
}

const CLOCK_DIFFERENCE_SECONDS = 3_600;
/** How long active webhooks keep changes that they have not taken. */
const WEBHOOK_SECONDS = 30 * 86_400;

/**
 * Makes tokens of `/changes` issued before this time expire, before rows are removed that they need. The change empties
 * the caches, which may hold answers to such tokens.
 */
export async function expireTokens(database: Database, beforeUtc: UtcTime): Promise<void> {
  await database.inTransaction(async (tx) => {
    const raised = await tx.execute(
      `UPDATE ${TABLES.site} SET purged_before_utc = ?
       WHERE id = 1 AND (purged_before_utc IS NULL OR purged_before_utc < ?)`,
      [beforeUtc, beforeUtc],
    );
    if (raised > 0) tx.recordChange('changes.purged', 0, 0);
  });
}

/** Tells webhooks from when on changes behind their position may be missing, after rows were removed. */
export async function noteMissedChanges(database: Database, beforeUtc: UtcTime): Promise<void> {
  const isBehind = `position_seq + 1 < (SELECT min(seq) FROM ${TABLES.changes})`;
  await database.inTransaction((tx) =>
    tx.execute(
      `UPDATE ${TABLES.webhooks} SET missed_before_utc = ?
       WHERE ${isBehind} AND (missed_before_utc IS NULL OR missed_before_utc < ?)`,
      [beforeUtc, beforeUtc],
    ),
  );
}

const MESSAGE_SECONDS = 7 * 86_400;

/** Messages of webhooks a week after they were delivered, failed or dropped, and those of deleted webhooks. */
export function oldMessages(nowUtc: UtcTime): ExpiredRows {
  return {
    table: TABLES.webhookMessages,
    key: 'id',
    where: `(ended_utc < ? OR webhook_id NOT IN (SELECT id FROM ${TABLES.webhooks}))`,
    params: [addSeconds(nowUtc, -MESSAGE_SECONDS)],
    order: 'id',
  };
}

const MAX_MESSAGES_PER_WEBHOOK = 100_000;

/** The ended messages of a webhook beyond its newest 100,000. */
export function excessMessages(webhookId: number): ExpiredRows {
  // MySQL deletes by a subquery of the same table only through a derived table.
  const newest = `SELECT id FROM ${TABLES.webhookMessages} WHERE webhook_id = ? ORDER BY id DESC LIMIT 1`;
  const limit = `(SELECT id FROM (${newest} OFFSET ${MAX_MESSAGES_PER_WEBHOOK}) newest)`;
  return {
    table: TABLES.webhookMessages,
    key: 'id',
    where: `webhook_id = ? AND ended_utc IS NOT NULL AND id <= ${limit}`,
    params: [webhookId, webhookId],
    order: 'id',
  };
}

export async function webhookIds(database: Database): Promise<number[]> {
  const rows = await database.query<{ id: number }>(`SELECT id FROM ${TABLES.webhooks} ORDER BY id`);
  return rows.map(({ id }) => id);
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
