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

/** How long a lock is waited for before its holder is taken for a server, in milliseconds. */
const PATIENCE = 1_000;
const PAGES_A_STEP = 1_000;
/** What SQLite keeps beside a database. It belongs to that one only, but is replayed into any file of its name. */
const NEIGHBOURS = ['-wal', '-shm', '-journal'];

/** Copies the embedded database as it is at this moment into a file of its own, while servers run. */
export async function backUp(databaseUrl: string, path: string): Promise<void> {
  const live = embedded(databaseUrl);
  mustBeElsewhere(path, live);
  const source = open(live);
  try {
    // A copy would begin anew with every write of others; with a moment to hold on to it does not see them.
    source.exec('BEGIN');
    mustBeOurs(source, live);
    const copy = await copyOf(source, path);
    renameDurably(copy, path);
    source.exec('COMMIT');
    // Where no server runs it moves the log into the file as it closes.
    source.pragma(DURABLE);
  } finally {
    source.close();
  }
}

/**
 * Puts a backup in the place of the embedded database, which nobody may have open. One with data in it, or damaged, is
 * replaced only with `force`, and stays beside it: answers its new path, if there was one.
 */
export async function restore(databaseUrl: string, path: string, force: boolean): Promise<string | undefined> {
  const target = embedded(databaseUrl);
  mustBeElsewhere(path, target);
  const source = open(path);
  try {
    mustBeOurs(source, path);
    source.pragma(DURABLE);
    makeFolder(dirname(target));
    const holder = existsSync(target) ? takeOver(target, force) : undefined;
    try {
      const copy = await copyOf(source, target);
      const replaced = setAside(target);
      renameDurably(copy, target);
      return replaced;
    } finally {
      holder?.close();
    }
  } finally {
    source.close();
  }
}

function embedded(databaseUrl: string): string {
  if (!isServer(databaseUrl)) return sqlitePath(databaseUrl);
  throw new OperatorError(
    'The database is on a server: use the tools of the server. mariadb-dump --single-transaction (or mysqldump) makes ' +
      'a backup while everything runs; docs/operations.md tells how.',
  );
}

/** A copy in the place of the database would take it from under its servers, whatever name it is called by. */
function mustBeElsewhere(path: string, database: string): void {
  const own = ['', ...NEIGHBOURS].map((suffix) => `${place(resolve(database))}${suffix}`);
  if (!own.some((name) => name === place(resolve(path)) || isSameFile(name, path))) return;
  throw new OperatorError(`${path} is the database itself, or a part of it: name another file.`);
}

/** The absolute path without links, of a file that need not be there. */
function place(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(place(dirname(path)), basename(path));
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
}

function open(path: string): Connection {
  try {
    return new BetterSqlite3(path, { fileMustExist: true, timeout: PATIENCE });
  } catch (error) {
    throw new OperatorError(`${path} cannot be opened: ${(error as Error).message}`);
  }
}

/** Refuses files that are no database of ours, are damaged, or were written by a later version. */
function mustBeOurs(connection: Connection, path: string): void {
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
    throw isOf(error, 'CORRUPT') ? new OperatorError(`${path} is damaged: ${(error as Error).message}`) : error;
  }
}

/** undefined: nothing has ever been migrated here. */
function appliedMigrations(connection: Connection): string[] | undefined {
  try {
    const names = connection.prepare('SELECT name FROM migrations').pluck().all() as string[];
    return names.length > 0 ? names : undefined;
  } catch (error) {
    // There is no such table, or the file is none of SQLite's.
    if (isOf(error, 'ERROR', 'NOTADB')) return undefined;
    throw error;
  }
}

/** Whether SQLite gives one of these reasons, in whichever of their finer kinds. */
function isOf(error: unknown, ...reasons: string[]): boolean {
  const { code = '' } = error as { code?: string };
  return reasons.some((reason) => code === `SQLITE_${reason}` || code.startsWith(`SQLITE_${reason}_`));
}

/** A copy beside the path where it is to be, whole and readable by its owner only. */
async function copyOf(source: Connection, path: string): Promise<string> {
  const copy = `${path}.${process.pid}.part`;
  writeFileSync(copy, '', { mode: 0o600, flag: 'wx' });
  try {
    await source.backup(copy, { progress: () => PAGES_A_STEP });
    const written = open(copy);
    written.pragma(DURABLE);
    // One file, without neighbours; a server changes it back.
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

/** Gives the database and all that is beside it another name; answers that of the database, if there was one. */
function setAside(target: string): string | undefined {
  const kept = `${target}.replaced-${new Date().toISOString().replace(/[-:]|\..*/g, '')}`;
  const present = ['', ...NEIGHBOURS].filter((suffix) => existsSync(`${target}${suffix}`));
  for (const suffix of present) renameSync(`${target}${suffix}`, `${kept}${suffix}`);
  return present.includes('') ? kept : undefined;
}

/**
 * Locks everybody out for as long as the connection is open. Leaving the mode of servers fails while one is there. A
 * damaged file cannot be locked: undefined, with `force`.
 */
function takeOver(target: string, force: boolean): Connection | undefined {
  const holder = open(target);
  try {
    holder.pragma(DURABLE);
    if (holder.pragma('journal_mode = DELETE', { simple: true }) !== 'delete') throw inUse(target, 'open elsewhere');
    holder.exec('BEGIN EXCLUSIVE');
    if (force || appliedMigrations(holder) === undefined) return holder;
    throw new OperatorError(`${target} is there already: --force replaces it, and keeps it under another name.`);
  } catch (error) {
    holder.close();
    const { message } = error as Error;
    if (isOf(error, 'BUSY')) throw inUse(target, message);
    if (!isOf(error, 'CORRUPT', 'NOTADB')) throw error;
    if (force) return undefined;
    throw new OperatorError(
      `${target} is damaged (${message}): --force replaces it, and keeps it under another name. Stop the server first.`,
    );
  }
}

function inUse(target: string, reason: string): OperatorError {
  return new OperatorError(`${target} is in use: stop the server first (${reason}).`);
}
