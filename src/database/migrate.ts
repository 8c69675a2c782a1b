import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { driverError } from './sql/dialect.js';
import { BetterSqlite3 } from './connection/sqlite-driver.js';

/** How long an instance waits for another one that migrates, in milliseconds. */
const PATIENCE = 120_000;

/** Brings the schema up to date; several instances may start at once, one of them does it. Answers what was applied. */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  // Where nothing is to be done nothing is locked: a user who may only serve need not be allowed to create tables.
  if (await isUpToDate(dataSource)) return [];
  const release = await (dataSource.options.type === 'better-sqlite3'
    ? lockFile(dataSource.options.database)
    : lockRow(dataSource));
  try {
    const applied = await dataSource.runMigrations();
    return applied.map(({ name }) => name);
  } finally {
    await release();
  }
}

async function isUpToDate(dataSource: DataSource): Promise<boolean> {
  try {
    const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
    const applied = new Set(rows.map(({ name }) => name));
    return dataSource.migrations.every(({ name, constructor }) => applied.has(name ?? constructor.name));
  } catch {
    // There is no such table yet; if it is something else, migrating will tell.
    return false;
  }
}

/** A lock on the database itself would shut out the migrations, so a file beside it is locked. */
async function lockFile(database: string): Promise<() => Promise<void>> {
  const path = `${database}.lock`;
  makeLike(database, path);
  const file = new BetterSqlite3(path, { timeout: 0 });
  await patiently(
    () => Promise.resolve(file.exec('BEGIN IMMEDIATE')),
    (error) => (error as { code?: string }).code?.startsWith('SQLITE_BUSY') ?? false,
  );
  return () => {
    file.exec('ROLLBACK');
    file.close();
    return Promise.resolve();
  };
}

/** A file with the mode of the database, so that who may serve may migrate, too, and nobody else. */
function makeLike(database: string, path: string): void {
  const mode = statSync(database).mode & 0o777;
  closeSync(openSync(path, 'a', mode));
  try {
    if ((statSync(path).mode & 0o777) !== mode) chmodSync(path, mode);
  } catch {
    // It is somebody else's, and can be locked all the same.
  }
}

/** A row, not a named lock: named locks are refused or local on clusters. */
async function lockRow(dataSource: DataSource): Promise<() => Promise<void>> {
  await dataSource.query('CREATE TABLE IF NOT EXISTS migration_lock (id INT PRIMARY KEY) ENGINE = InnoDB');
  await dataSource.query('INSERT IGNORE INTO migration_lock (id) VALUES (1)');
  // TypeORM would make its list of migrations with the database's character set.
  await dataSource.query(
    'CREATE TABLE IF NOT EXISTS migrations (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, timestamp bigint NOT NULL, ' +
      'name varchar(255) NOT NULL) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
  );
  const runner = dataSource.createQueryRunner();
  await patiently(
    async () => {
      await runner.query('START TRANSACTION');
      await runner.query('SELECT id FROM migration_lock WHERE id = 1 FOR UPDATE');
    },
    (error) => [1205, 1213].includes(driverError(error).errno ?? 0),
  );
  return async () => {
    await runner.query('ROLLBACK');
    await runner.release();
  };
}

async function patiently(take: () => Promise<unknown>, isTaken: (error: unknown) => boolean): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    try {
      await take();
      return;
    } catch (error) {
      if (!isTaken(error) || Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}
