import BetterSqlite3 from 'better-sqlite3';
import type { PoolConnection, QueryError, ResultSetHeader, RowDataPacket } from 'mysql2';
import { type DataSource, QueryFailedError } from 'typeorm';
import type { SqlValue } from '../sql/dialect.js';
import type { Statement } from '../sql/row-statements.js';
import { ScanThread } from './scan-thread.js';

/** The driver's result of a statement. */
export interface Outcome {
  /** The rows of a SELECT. For a write, a value that the dialect interprets. */
  readonly raw: unknown;
  /** The number of changed rows. */
  readonly affected: number;
}

/**
 * A connection of a data source for some statements. Statements go to the driver directly, because TypeORM's query runners
 * cost as much as the statement. TypeORM's logger still gets them.
 */
export interface Session {
  /** Whether statements block the process, so that no timer can end them. */
  readonly isBlocking: boolean;
  send(sql: string, params: readonly SqlValue[]): Promise<Outcome>;
  /**
   * Sends statements of a write in one round trip, and returns their outcomes. The first that fails ends them: those before it
   * have been carried out.
   */
  sendTogether(statements: readonly Statement[]): Promise<readonly Outcome[]>;
  /** Returns the connection to the pool. */
  release(): void;
  /** Removes the connection from the pool, even if it is still connecting. */
  drop(): void;
}

export function openSession(source: DataSource): Session {
  return source.options.type === 'better-sqlite3' ? new FileSession(source) : new ServerSession(source);
}

/** The threads of embedded databases that are open for reading. */
const THREADS = new WeakMap<DataSource, ScanThread>();

/** Returns a session in a thread of its own, for reads of many rows of an embedded database. */
export function openThreadSession(source: DataSource): Session {
  const thread = THREADS.get(source) ?? new ScanThread(source.options.database as string);
  THREADS.set(source, thread);
  return new ThreadSession(source, thread);
}

/** Ends the thread of an embedded database, if there is one. */
export async function closeThread(source: DataSource): Promise<void> {
  await THREADS.get(source)?.close();
}

interface ServerDriver {
  obtainMasterConnection(): Promise<PoolConnection>;
}

class ServerSession implements Session {
  readonly isBlocking = false;
  private connecting: Promise<PoolConnection> | undefined;
  private connection: PoolConnection | undefined;
  private isReleased = false;

  constructor(private readonly source: DataSource) {}

  async send(sql: string, params: readonly SqlValue[]): Promise<Outcome> {
    const [outcome] = await this.sendTogether([{ sql, params }]);
    return outcome!;
  }

  async sendTogether(statements: readonly Statement[]): Promise<readonly Outcome[]> {
    if (this.isReleased) throw released();
    const connection = this.connection ?? (await this.connect());
    const sql = statements.map((one) => one.sql).join('; ');
    const params = statements.flatMap((one) => one.params);
    this.source.logger.logQuery(sql, params);
    try {
      return (await resultsOf(connection, statements)).map(outcomeOf);
    } catch (error) {
      throw queryError(this.source, sql, params, error);
    }
  }

  release(): void {
    this.isReleased = true;
    this.connection?.release();
  }

  drop(): void {
    const destroy = (connection: PoolConnection) => {
      connection.destroy();
      // destroy() ends only the sending side. Without this, the socket would stay open while the server is silent.
      (connection as unknown as { stream: { destroy(): void } }).stream.destroy();
    };
    this.connect().then(destroy, () => undefined);
  }

  private connect(): Promise<PoolConnection> {
    this.connecting ??= this.obtain();
    return this.connecting;
  }

  private async obtain(): Promise<PoolConnection> {
    this.connection = await (this.source.driver as unknown as ServerDriver).obtainMasterConnection();
    return this.connection;
  }
}

/** What the driver returns of one statement. */
type Result = RowDataPacket[] | ResultSetHeader;

async function resultsOf(connection: PoolConnection, statements: readonly Statement[]): Promise<readonly Result[]> {
  // Each with its own values. The line break ends a comment, and an empty statement would be an error.
  const texts = statements.map(({ sql, params }) => connection.format(withoutEnd(sql), params as SqlValue[]));
  // A procedure has the results of its statements, which are those of one here.
  const isCall = /^\s*CALL\b/i.test(texts[0]!);
  const results = await new Promise<readonly Result[]>((resolve, reject) => {
    connection.query(texts.join('\n;\n'), (error: QueryError | null, result, fields: unknown) => {
      if (error !== null) reject(error);
      else resolve(hasSeveral(fields) && !isCall ? (result as unknown as Result[]) : [result as Result]);
    });
  });
  // One of the texts had several statements. The caller rolls back.
  if (results.length !== statements.length) throw new Error('Send one statement at a time.');
  return results;
}

function withoutEnd(sql: string): string {
  let text = sql.trimEnd();
  while (text.endsWith(';')) text = text.slice(0, -1).trimEnd();
  return text;
}

/** Whether the driver has returned the results of several statements: the columns of each, or undefined for a write. */
function hasSeveral(fields: unknown): boolean {
  return Array.isArray(fields) && fields.some((one) => one === undefined || Array.isArray(one));
}

function outcomeOf(raw: Result): Outcome {
  return { raw, affected: 'affectedRows' in raw ? raw.affectedRows : 0 };
}

/** The single connection of an embedded database. Its statements are synchronous. */
class FileSession implements Session {
  readonly isBlocking = true;
  private isReleased = false;

  constructor(private readonly source: DataSource) {}

  // eslint-disable-next-line @typescript-eslint/require-await -- turns exceptions of the driver into rejections
  async send(sql: string, params: readonly SqlValue[]): Promise<Outcome> {
    if (this.isReleased) throw released();
    this.source.logger.logQuery(sql, [...params]);
    const { databaseConnection } = this.source.driver as unknown as { databaseConnection: BetterSqlite3.Database };
    try {
      const statement = preparedStatement(databaseConnection, sql);
      if (statement.reader) return { raw: statement.all(...params), affected: 0 };
      const { lastInsertRowid, changes } = statement.run(...params);
      return { raw: lastInsertRowid, affected: changes };
    } catch (error) {
      throw queryError(this.source, sql, params, error);
    }
  }

  sendTogether(statements: readonly Statement[]): Promise<readonly Outcome[]> {
    return sendEach(this, statements);
  }

  release(): void {
    this.isReleased = true;
  }

  drop(): void {
    // The connection cannot be lost.
  }
}

class ThreadSession implements Session {
  readonly isBlocking = false;
  /** Aborts when the session is released, also while its statement runs. */
  private readonly released = new AbortController();

  constructor(
    private readonly source: DataSource,
    private readonly thread: ScanThread,
  ) {}

  async send(sql: string, params: readonly SqlValue[]): Promise<Outcome> {
    if (this.released.signal.aborted) throw released();
    this.source.logger.logQuery(sql, [...params]);
    try {
      return { raw: await this.thread.read(sql, params, this.released.signal), affected: 0 };
    } catch (error) {
      throw queryError(this.source, sql, params, error);
    }
  }

  sendTogether(statements: readonly Statement[]): Promise<readonly Outcome[]> {
    return sendEach(this, statements);
  }

  release(): void {
    this.released.abort();
  }

  drop(): void {
    // `release`, which follows, leaves the statement alone.
  }
}

/** An embedded database has no round trips. */
async function sendEach(session: Session, statements: readonly Statement[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { sql, params } of statements) outcomes.push(await session.send(sql, params));
  return outcomes;
}

/** The error of a statement that comes too late. Another caller may have the connection by now. */
function released(): Error {
  return new Error('The session has given its connection back.');
}

/** Prepared statements per database file. */
const MAX_PREPARED_STATEMENTS = 200;
const PREPARED = new WeakMap<BetterSqlite3.Database, Map<string, BetterSqlite3.Statement>>();

/** Returns a prepared statement from a cache. A full cache drops its oldest statement. */
function preparedStatement(connection: BetterSqlite3.Database, sql: string): BetterSqlite3.Statement {
  const known = PREPARED.get(connection) ?? new Map<string, BetterSqlite3.Statement>();
  PREPARED.set(connection, known);
  const statement = known.get(sql) ?? connection.prepare(sql);
  known.set(sql, statement);
  if (known.size > MAX_PREPARED_STATEMENTS) known.delete(known.keys().next().value as string);
  return statement;
}

/** Returns TypeORM's error for a failed statement. Made here, so that its stack includes the caller. */
function queryError(source: DataSource, sql: string, params: readonly SqlValue[], error: unknown): QueryFailedError {
  source.logger.logQueryError(error as Error, sql, [...params]);
  return new QueryFailedError(sql, [...params], error as Error);
}
