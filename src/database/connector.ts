import type { Connection } from 'mysql2/promise';
import type { DataSource } from 'typeorm';
import { connectTo, type ServerAddress } from '../config/database-url.js';
import type { SiteSettings } from '../config/site-settings.js';
import { OperatorError } from '../errors/operator-error.js';
import { limitStatements, openWriter } from './connection/data-source.js';
import type { Database } from './database.js';
import { migrate } from './migrate.js';
import { driverError } from './sql/dialect.js';
import type { SiteRow } from './sql/site.entity.js';
import { TABLES } from './sql/tables.js';

/** No such database: it may still be made, by whoever prepares the server. */
const UNKNOWN_DATABASE = 1049;
/** How long the server may take to answer a ping, in milliseconds. */
const PING_MILLISECONDS = 1_000;

/** Gets hold of the database, at the start and while others watch over it. */
export class Connector {
  private isConnected = false;
  private pinging: Connection | undefined;

  constructor(
    private readonly writer: DataSource,
    private readonly reader: DataSource,
    private readonly database: Database,
    private readonly site: SiteSettings,
  ) {}

  /**
   * Connects, brings the schema up to date, and opens the database to all. May be called again when it has failed. For
   * requests the server itself ends what nobody waits for any more; commands take as long as they take.
   */
  async connect(use: 'commands' | 'requests'): Promise<void> {
    if (this.isConnected) return;
    try {
      await openWriter(this.writer);
      await migrate(this.writer);
      if (use === 'requests') await limitStatements(this.writer, this.database.longestTime);
      if (!this.reader.isInitialized) await this.reader.initialize();
      this.site.instance = await instanceOf(this.writer);
    } catch (error) {
      if (this.writer.isInitialized) await this.writer.destroy();
      throw error;
    }
    this.isConnected = true;
    this.database.open();
  }

  /** Whether trying again may help. Wrong credentials, missing rights and broken files need somebody. */
  mayPass(error: unknown): boolean {
    if (this.database.dialect.oneWriter) return this.database.dialect.isRetryable(error);
    return driverError(error).errno === UNKNOWN_DATABASE || this.database.isUnavailable(error);
  }

  /** Fails where the server does not answer. It has a connection of its own: the pool's may all be busy. */
  async ping(): Promise<void> {
    if (this.database.dialect.oneWriter) return;
    const connection = this.pinging ?? (await connectTo(this.writer.options as unknown as ServerAddress));
    this.pinging = undefined;
    try {
      await connection.query({ sql: 'SELECT 1', timeout: PING_MILLISECONDS });
      this.pinging = connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  close(): void {
    this.pinging?.destroy();
  }
}

/** Read once, before anybody is let in: it is made with the database, and stays. */
async function instanceOf(dataSource: DataSource): Promise<string> {
  const [row] = await dataSource.query<SiteRow[]>(`SELECT instance FROM ${TABLES.site}`);
  if (row === undefined) throw new OperatorError(`DATABASE_URL: the table ${TABLES.site} has lost its row`);
  return row.instance;
}

/** Refused credentials: the password may stand in a file. */
const ACCESS_DENIED = 1045;
/** A statement, or a column of a table, is not allowed. */
const DENIED = new Set([1142, 1143, 1044, 1227]);

/**
 * Why the database could not be opened, in one line for the operator that names the setting. What neither the engine
 * nor the system says (a mistake in the program) is handed on as it is.
 */
export function openingError(thrown: unknown): unknown {
  const { code, errno = 0, message = '' } = driverError(thrown);
  if (code === undefined && errno === 0) return thrown;
  const setting = errno === ACCESS_DENIED ? 'DATABASE_URL (or DATABASE_PASSWORD_FILE)' : 'DATABASE_URL';
  const advice = DENIED.has(errno)
    ? '; migrations need more rights than serving, see "Privileges" in docs/operations.md'
    : '';
  return new OperatorError(`${setting}: the database cannot be opened: ${message}${advice}`);
}
