import { createConnection } from 'mysql2/promise';
import { BetterSqlite3 } from '../../src/database/connection/sqlite-driver.js';
import { TABLES } from '../../src/database/sql/tables.js';
import type { TestApp } from './app.js';

/**
 * Runs `work` while another connection has an open write transaction. On SQLite it locks the file, on a server the row
 * of `data_version`, which every commit updates.
 */
export async function whileWritesWait<Result>(service: TestApp, work: () => Promise<Result>): Promise<Result> {
  const { databaseUrl } = service;
  if (databaseUrl.startsWith('mysql:')) {
    const write = `UPDATE ${TABLES.dataVersion} SET version = version WHERE id = 1`;
    return whileHeld(databaseUrl, ['START TRANSACTION', write], work);
  }
  const other = new BetterSqlite3(databaseUrl.replace('sqlite:', ''));
  try {
    other.exec('BEGIN IMMEDIATE');
    return await work();
  } finally {
    other.close();
  }
}

/** Runs `work` while another connection locks whole tables of a server. */
export function whileLocked<Result>(service: TestApp, tables: string[], work: () => Promise<Result>): Promise<Result> {
  return whileHeld(service.databaseUrl, [`LOCK TABLES ${tables.map((table) => `${table} WRITE`).join(', ')}`], work);
}

/** Runs `work` while another connection, which has executed these statements on a server, is open. */
export async function whileHeld<Result>(
  url: string,
  statements: string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const other = await createConnection(url);
  try {
    for (const statement of statements) await other.query(statement);
    return await work();
  } finally {
    // A server releases the locks of a closed connection a moment after the client has closed it.
    await other.query('ROLLBACK');
    await other.query('UNLOCK TABLES');
    await other.end();
  }
}
