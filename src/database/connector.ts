import type { Connection } from 'mysql2/promise';
import type { DataSource } from 'typeorm';
import { connectTo, type ServerAddress } from '../config/database-url.js';
import type { SiteSettings } from '../config/site-settings.js';
import { OperatorError } from '../errors/operator-error.js';
import { limitStatements, mustExist, openReader, openWriter } from './connection/data-source.js';
import type { Database } from './database.js';
import { migrate } from './migrate.js';
import { withOriginalQueryRunners } from './repositories/repositories.js';
import { mustBeUpToDate } from './schema-state.js';
import { driverError } from './sql/dialect.js';
import type { SiteRow } from './sql/site.entity.js';
import { TABLES } from './sql/tables.js';

/** The server's database does not exist. An operator may still create it. */
const UNKNOWN_DATABASE = 1049;
const PING_TIMEOUT_MS = 1_000;

/**
 * `requests` and `commands` create the database and apply migrations. `changes` is for commands that change an existing
 * database, which they migrate, and `reading` for those that change nothing.
 */
export type ConnectionUse = 'reading' | 'changes' | 'commands' | 'requests';

/** Connects to the database at the start, and pings it for health checks. */
export class Connector {
  /** The names of the migrations that `connect` has applied. */
  applied: readonly string[] = [];
  private isConnected = false;
  private pingConnection: Connection | undefined;

  constructor(
    private readonly writer: DataSource,
    private readonly reader: DataSource,
    private readonly database: Database,
    private readonly site: SiteSettings,
  ) {}

  /**
   * Connects, applies migrations and opens the database for statements. May be called again after an error. For requests
   * the server ends statements after the longest timeout. Commands have no timeout.
   */
  async connect(use: ConnectionUse): Promise<void> {
    if (this.isConnected) return;
    try {
      await withOriginalQueryRunners(() => this.prepare(use));
    } catch (error) {
      // Another attempt opens and prepares all connections anew.
      for (const source of [this.reader, this.writer]) if (source.isInitialized) await source.destroy();
      throw error;
    }
    this.isConnected = true;
    this.database.open();
  }

  /** What must be done before other statements, for which the database is not open yet. */
  private async prepare(use: ConnectionUse): Promise<void> {
    if (use === 'reading' || use === 'changes') mustExist(this.writer);
    await openWriter(this.writer);
    if (use === 'reading') await mustBeUpToDate(this.writer);
    else this.applied = await migrate(this.writer);
    await openReader(this.reader, this.writer);
    if (use === 'requests') {
      const seconds = this.database.longestTimeoutSeconds;
      for (const source of [this.reader, this.writer]) await limitStatements(source, seconds);
    }
    this.site.instance = await instanceOf(this.writer);
  }

  /** Whether another attempt may succeed. Wrong credentials, missing privileges and broken files need an operator. */
  mayRecover(error: unknown): boolean {
    if (this.database.dialect.hasSingleWriter) return this.database.dialect.isRetryable(error);
    return driverError(error).errno === UNKNOWN_DATABASE || this.database.isUnavailable(error);
  }

  /** Throws if the server does not respond. Uses its own connection, because all of the pool may be busy. */
  async ping(): Promise<void> {
    if (this.database.dialect.hasSingleWriter) return;
    const connection = this.pingConnection ?? (await connectTo(this.writer.options as unknown as ServerAddress));
    this.pingConnection = undefined;
    try {
      await connection.query({ sql: 'SELECT 1', timeout: PING_TIMEOUT_MS });
      this.pingConnection = connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  close(): void {
    this.pingConnection?.destroy();
  }
}

/** Reads the instance id, which never changes. Called once, before the first request. */
async function instanceOf(dataSource: DataSource): Promise<string> {
  const [row] = await dataSource.query<SiteRow[]>(`SELECT instance FROM ${TABLES.site}`);
  if (row === undefined) throw new OperatorError(`DATABASE_URL: the table ${TABLES.site} has lost its row`);
  return row.instance;
}

/** The server rejected the credentials. */
const ACCESS_DENIED = 1045;
/** The user lacks a privilege for a statement, a column or the database. */
const PRIVILEGE_MISSING = new Set([1142, 1143, 1044, 1227]);
/** The process lacks the rights for the file or its folder, or these are on a read-only file system. */
const FILE_RIGHTS = /^(EACCES|EPERM|EROFS|SQLITE_CANTOPEN|SQLITE_READONLY)/;
const NO_FOLDER = /^(ENOTDIR|EISDIR)/;

/**
 * Returns one line for the operator: why the database cannot be opened, the name of the setting, and what to do. Returns
 * errors that come neither from the engine nor from the system (bugs) as they are.
 */
export function openingError(thrown: unknown): unknown {
  const { code, errno = 0, message = '' } = driverError(thrown);
  if (code === undefined && errno === 0) return thrown;
  const setting = errno === ACCESS_DENIED ? 'DATABASE_URL (or DATABASE_PASSWORD_FILE)' : 'DATABASE_URL';
  return new OperatorError(`${setting}: the database cannot be opened: ${message}${openingAdvice(thrown)}`);
}

/** Returns the end of the message about a database that cannot be opened: what to do. '': the message says it. */
export function openingAdvice(thrown: unknown): string {
  const { code = '', errno = 0 } = driverError(thrown);
  if (errno === UNKNOWN_DATABASE) return '. Create it by CREATE DATABASE, or name another one.';
  if (PRIVILEGE_MISSING.has(errno))
    return '; migrations need more rights than serving, see "Privileges" in docs/database.md';
  if (FILE_RIGHTS.test(code))
    return '. Give this user the right to write the file and its folder, or name another path.';
  if (NO_FOLDER.test(code)) return '. Name a file in a folder: sqlite:FOLDER/kalends.sqlite';
  return '';
}
