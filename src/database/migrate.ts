import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, MigrationInterface } from 'typeorm';
import { driverError } from './sql/dialect.js';
import { BetterSqlite3 } from './connection/sqlite-driver.js';
import { schemaStateOf } from './schema-state.js';

/** How long an instance waits for another one that migrates. */
const MIGRATION_TIMEOUT_MS = 120_000;

/** Applies migrations under a lock, because several instances may start at once. Returns the names of those applied. */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  // Without new migrations no lock is taken, so that serving needs no privilege to create tables.
  if ((await schemaStateOf(dataSource)).pending.length === 0) return [];
  const release = await (dataSource.options.type === 'better-sqlite3'
    ? lockFile(dataSource.options.database)
    : lockRow(dataSource));
  try {
    nameInErrors(dataSource.migrations);
    const applied = await dataSource.runMigrations();
    return applied.map(({ name }) => name);
  } finally {
    await release();
  }
}

/** Makes the error of a migration begin with its name, because drivers name the statement at most. */
function nameInErrors(migrations: readonly MigrationInterface[]): void {
  for (const migration of migrations) {
    const up = migration.up.bind(migration);
    migration.up = async (runner) => {
      try {
        await up(runner);
      } catch (error) {
        const { message } = driverError(error);
        const named = { message: `migration ${migration.constructor.name}: ${message ?? String(error)}` };
        // Of both, because operators see the error of the driver, and programs that of TypeORM.
        Object.assign(driverError(error), named);
        throw Object.assign(error as Error, named);
      }
    };
  }
}

/** Locks a file beside the database, because a lock on the database itself would block the migrations. */
async function lockFile(database: string): Promise<() => Promise<void>> {
  const path = `${database}.lock`;
  createWithModeOf(database, path);
  const file = new BetterSqlite3(path, { timeout: 0 });
  await takeLock(
    () => Promise.resolve(file.exec('BEGIN IMMEDIATE')),
    (error) => (error as { code?: string }).code?.startsWith('SQLITE_BUSY') ?? false,
  );
  return () => {
    file.exec('ROLLBACK');
    file.close();
    return Promise.resolve();
  };
}

/** Creates a file with the mode of the database, so that exactly the users who may serve may migrate. */
function createWithModeOf(database: string, path: string): void {
  const mode = statSync(database).mode & 0o777;
  closeSync(openSync(path, 'a', mode));
  try {
    if ((statSync(path).mode & 0o777) !== mode) chmodSync(path, mode);
  } catch {
    // The file belongs to another user. It can still be locked.
  }
}

/** Locks a row, because clusters reject named locks or keep them local to a node. */
async function lockRow(dataSource: DataSource): Promise<() => Promise<void>> {
  await dataSource.query('CREATE TABLE IF NOT EXISTS migration_lock (id INT PRIMARY KEY) ENGINE = InnoDB');
  await dataSource.query('INSERT IGNORE INTO migration_lock (id) VALUES (1)');
  // TypeORM would create this table with the default character set of the database.
  await dataSource.query(
    'CREATE TABLE IF NOT EXISTS migrations (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, timestamp bigint NOT NULL, ' +
      'name varchar(255) NOT NULL) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
  );
  const runner = dataSource.createQueryRunner();
  await takeLock(
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

async function takeLock(take: () => Promise<unknown>, isTaken: (error: unknown) => boolean): Promise<void> {
  const deadline = Date.now() + MIGRATION_TIMEOUT_MS;
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
