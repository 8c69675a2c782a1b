import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type Driver from 'better-sqlite3';
import { OperatorError } from '../errors/operator-error.js';
import { renameDurably } from '../config/durable-files.js';
import { isServer, sqlitePath } from '../config/database-url.js';
import { makeFolder } from '../config/data-folder.js';
import { migrations } from './migrations/list.js';
import { BetterSqlite3, DURABLE } from './connection/sqlite-driver.js';

type Connection = Driver.Database;

/** How long to wait for a lock. A longer lock belongs to a server. */
const LOCK_TIMEOUT_MS = 1_000;
const PAGES_PER_STEP = 1_000;
/** Suffixes of SQLite's files beside a database. SQLite would replay them into any database of the same name. */
const COMPANION_SUFFIXES = ['-wal', '-shm', '-journal'];

/** Copies a snapshot of the embedded database to a file, while servers run. */
export async function backUp(databaseUrl: string, path: string): Promise<void> {
  const live = embeddedPath(databaseUrl);
  mustBeElsewhere(path, live);
  const source = open(live);
  try {
    // Without a read transaction, the copy would restart with every write of other connections.
    source.exec('BEGIN');
    mustBeIntact(source, live);
    const copy = await copyOf(source, path);
    renameDurably(copy, path);
    source.exec('COMMIT');
    // If no server runs, closing moves the write-ahead log into the database file.
    source.pragma(DURABLE);
  } finally {
    source.close();
  }
}

/** How to restore. */
interface RestoreOptions {
  /** Whether to replace a database with data in it. */
  readonly force?: boolean;
  /** Whether webhooks go on. By default they are paused, because a copy on another machine must not send. */
  readonly keepWebhooks?: boolean;
}

/**
 * Replaces the embedded database, which no process may have open, with a backup. Replaces a database that contains data or
 * is damaged only with `force`, and keeps it under another name. Returns the path of the replaced database, if any.
 */
export async function restore(
  databaseUrl: string,
  path: string,
  { force = false, keepWebhooks = false }: RestoreOptions,
): Promise<string | undefined> {
  const target = embeddedPath(databaseUrl);
  mustBeElsewhere(path, target);
  const source = open(path);
  try {
    mustBeIntact(source, path);
    source.pragma(DURABLE);
    makeFolder(dirname(target));
    const lock = existsSync(target) ? lockExclusively(target, force) : undefined;
    try {
      const copy = await copyOf(source, target);
      beginAnew(copy, keepWebhooks);
      const replaced = moveAside(target);
      renameDurably(copy, target);
      return replaced;
    } finally {
      lock?.close();
    }
  } finally {
    source.close();
  }
}

function embeddedPath(databaseUrl: string): string {
  if (!isServer(databaseUrl)) return sqlitePath(databaseUrl);
  throw new OperatorError(
    'The database is on a server: use the tools of the server. mariadb-dump --single-transaction (or mysqldump) makes ' +
      'a backup while everything runs; docs/backup.md tells how.',
  );
}

/** Rejects a path that is the database itself, also through a link, because a copy there would replace it under its servers. */
function mustBeElsewhere(path: string, database: string): void {
  const own = ['', ...COMPANION_SUFFIXES].map((suffix) => `${resolvedPath(resolve(database))}${suffix}`);
  if (!own.some((name) => name === resolvedPath(resolve(path)) || isSameFile(name, path))) return;
  throw new OperatorError(`${path} is the database itself, or a part of it: name another file.`);
}

/** Returns the absolute path without links, also of a file that does not exist. */
function resolvedPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(resolvedPath(dirname(path)), basename(path));
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
}

function open(path: string): Connection {
  try {
    return new BetterSqlite3(path, { fileMustExist: true, timeout: LOCK_TIMEOUT_MS });
  } catch (error) {
    throw new OperatorError(`${path} cannot be opened: ${(error as Error).message}`);
  }
}

/** Rejects files that are not Kalends databases, are damaged, or were written by a later version. */
function mustBeIntact(connection: Connection, path: string): void {
  try {
    const applied = appliedMigrations(connection);
    if (applied === undefined) throw new OperatorError(`${path} is no database of Kalends.`);
    const known = new Set(migrations.map(({ name }) => name));
    const unknown = applied.filter((name) => !known.has(name));
    if (unknown.length > 0) {
      throw new OperatorError(`${path} was written by a later version, which has made ${unknown.join(', ')}.`);
    }
    const damage = connection.pragma('quick_check', { simple: true });
    if (damage !== 'ok') throw new OperatorError(`${path} is damaged: ${String(damage)}`);
  } catch (error) {
    throw hasCode(error, 'CORRUPT') ? new OperatorError(`${path} is damaged: ${(error as Error).message}`) : error;
  }
}

/** Returns the names of applied migrations, or undefined if none was ever applied. */
function appliedMigrations(connection: Connection): string[] | undefined {
  try {
    const names = connection.prepare('SELECT name FROM migrations').pluck().all() as string[];
    return names.length > 0 ? names : undefined;
  } catch (error) {
    // The table does not exist, or the file is not an SQLite database.
    if (hasCode(error, 'ERROR', 'NOTADB')) return undefined;
    throw error;
  }
}

/** Whether an error has one of these SQLite codes, extended codes included. */
function hasCode(error: unknown, ...names: string[]): boolean {
  const { code = '' } = error as { code?: string };
  return names.some((name) => code === `SQLITE_${name}` || code.startsWith(`SQLITE_${name}_`));
}

function mustBeFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  throw new OperatorError(`${path} is a folder: name a file in it.`);
}

/** Copies to a temporary file beside the path, complete and readable by its owner only. */
async function copyOf(source: Connection, path: string): Promise<string> {
  const copy = `${path}.${process.pid}.part`;
  mustBeFile(path);
  try {
    writeFileSync(copy, '', { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new OperatorError(`${path} cannot be written: ${(error as Error).message}`);
  }
  try {
    await source.backup(copy, { progress: () => PAGES_PER_STEP });
    const written = open(copy);
    written.pragma(DURABLE);
    // A single file without a write-ahead log. A server changes the mode back.
    written.pragma('journal_mode = DELETE');
    const damage = written.pragma('quick_check', { simple: true });
    written.close();
    if (damage !== 'ok') throw new OperatorError(`The copy is damaged: ${String(damage)}`);
    return copy;
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  }
}

/**
 * Gives a restored copy a new epoch, so that positions of later changes, which it has lost, are recognised. A database of
 * an earlier version gets its epoch from the migration. Pauses its webhooks.
 */
function beginAnew(copy: string, keepWebhooks: boolean): void {
  const restored = open(copy);
  const columns = restored.pragma('table_info(data_version)') as { name: string }[];
  if (columns.some(({ name }) => name === 'epoch')) {
    restored.prepare('UPDATE data_version SET epoch = ?').run(randomBytes(4).toString('hex'));
  }
  const hasWebhooks = (restored.pragma('table_info(webhooks)') as unknown[]).length > 0;
  if (hasWebhooks && !keepWebhooks) {
    const pause = `UPDATE webhooks SET active = 0, disabled_reason = 'restored', revision = revision + 1 WHERE active = 1`;
    restored.prepare(pause).run();
  }
  restored.close();
}

/** Renames the database and its companion files. Returns the new path of the database, if it existed. */
function moveAside(target: string): string | undefined {
  const kept = `${target}.replaced-${new Date().toISOString().replace(/[-:]|\..*/g, '')}`;
  const present = ['', ...COMPANION_SUFFIXES].filter((suffix) => existsSync(`${target}${suffix}`));
  for (const suffix of present) renameSync(`${target}${suffix}`, `${kept}${suffix}`);
  return present.includes('') ? kept : undefined;
}

/**
 * Locks the database exclusively while the returned connection is open. Leaving WAL mode fails while a server has it
 * open. Returns undefined for a damaged file with `force`, because it cannot be locked.
 */
function lockExclusively(target: string, force: boolean): Connection | undefined {
  const lock = open(target);
  try {
    lock.pragma(DURABLE);
    if (lock.pragma('journal_mode = DELETE', { simple: true }) !== 'delete') throw inUse(target, 'open elsewhere');
    lock.exec('BEGIN EXCLUSIVE');
    if (force || appliedMigrations(lock) === undefined) return lock;
    throw new OperatorError(`${target} is there already: --force replaces it, and keeps it under another name.`);
  } catch (error) {
    lock.close();
    const { message } = error as Error;
    if (hasCode(error, 'BUSY')) throw inUse(target, message);
    if (!hasCode(error, 'CORRUPT', 'NOTADB')) throw error;
    if (force) return undefined;
    throw new OperatorError(
      `${target} is damaged (${message}): --force replaces it, and keeps it under another name. Stop the server first.`,
    );
  }
}

function inUse(target: string, reason: string): OperatorError {
  return new OperatorError(`${target} is in use: stop the server first (${reason}).`);
}
