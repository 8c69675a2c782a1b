import BetterSqlite3 from 'better-sqlite3';
import type { PoolConnection, QueryError } from 'mysql2';
import { type DataSource, QueryFailedError } from 'typeorm';
import type { Dialect, Sql, SqlValue } from '../sql/dialect.js';

/** What the driver tells of a statement. */
export interface Outcome {
  /** The rows that were found; of a change what the dialect reads. */
  readonly raw: unknown;
  /** How many rows were changed. */
  readonly affected: number;
}

/**
 * A connection of a data source, held for some statements. They go to the driver itself, through TypeORM's logger but past
 * its query runners: their events, copies of results and promises of promises cost as much as the statement.
 */
export interface Session {
  send(sql: string, params: readonly SqlValue[]): Promise<Outcome>;
  /** Gives the connection back. */
  release(): void;
  /** Takes it out of the pool, also one that is not made yet. */
  drop(): void;
}

export function openSession(source: DataSource): Session {
  return source.options.type === 'better-sqlite3' ? new FileSession(source) : new ServerSession(source);
}

interface ServerDriver {
  obtainMasterConnection(): Promise<PoolConnection>;
}

class ServerSession implements Session {
  private connecting: Promise<PoolConnection> | undefined;
  private connection: PoolConnection | undefined;
  private isReleased = false;

  constructor(private readonly source: DataSource) {}

  async send(sql: string, params: readonly SqlValue[]): Promise<Outcome> {
    // The connection may be somebody else's by now.
    if (this.isReleased) throw new Error('The session has given its connection back.');
    const connection = this.connection ?? (await this.connect());
    this.source.logger.logQuery(sql, [...params]);
    try {
      return await outcomeOf(connection, sql, params);
    } catch (error) {
      throw failed(this.source, sql, params, error);
    }
  }

  release(): void {
    this.isReleased = true;
    this.connection?.release();
  }

  drop(): void {
    const destroy = (connection: PoolConnection) => {
      connection.destroy();
      // The driver ends its own side only, and would go on listening to a server that may be silent for long.
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

function outcomeOf(connection: PoolConnection, sql: string, params: readonly SqlValue[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    connection.query(sql, params as SqlValue[], (error: QueryError | null, raw) => {
      if (error === null) resolve({ raw, affected: 'affectedRows' in raw ? raw.affectedRows : 0 });
      else reject(error);
    });
  });
}

/** The one connection of an embedded database, which answers before anything else happens in the process. */
class FileSession implements Session {
  constructor(private readonly source: DataSource) {}

  // eslint-disable-next-line @typescript-eslint/require-await -- what the driver throws is a rejection here
  async send(sql: string, params: readonly SqlValue[]): Promise<Outcome> {
    this.source.logger.logQuery(sql, [...params]);
    const { databaseConnection } = this.source.driver as unknown as { databaseConnection: BetterSqlite3.Database };
    try {
      const statement = prepared(databaseConnection, sql);
      if (statement.reader) return { raw: statement.all(...params), affected: 0 };
      const { lastInsertRowid, changes } = statement.run(...params);
      return { raw: lastInsertRowid, affected: changes };
    } catch (error) {
      throw failed(this.source, sql, params, error);
    }
  }

  release(): void {
    // It is everybody's.
  }

  drop(): void {
    // It cannot be lost.
  }
}

/** So many statements of a file stay prepared. */
const MOST_PREPARED = 200;
const PREPARED = new WeakMap<BetterSqlite3.Database, Map<string, BetterSqlite3.Statement>>();

/** A prepared statement; the one that was prepared first makes room. */
function prepared(connection: BetterSqlite3.Database, sql: string): BetterSqlite3.Statement {
  const known = PREPARED.get(connection) ?? new Map<string, BetterSqlite3.Statement>();
  PREPARED.set(connection, known);
  const statement = known.get(sql) ?? connection.prepare(sql);
  known.set(sql, statement);
  if (known.size > MOST_PREPARED) known.delete(known.keys().next().value as string);
  return statement;
}

/** As TypeORM tells of it, whose own statements fail alike. Made here, its stack says who sent the statement. */
function failed(source: DataSource, sql: string, params: readonly SqlValue[], error: unknown): QueryFailedError {
  source.logger.logQueryError(error as Error, sql, [...params]);
  return new QueryFailedError(sql, [...params], error as Error);
}

/** On SQLite readers share one connection: everybody else in the process sees the state of the snapshot, too. */
export async function inSnapshot<Result>(
  source: DataSource,
  dialect: Dialect,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const session = openSession(source);
  try {
    for (const statement of dialect.snapshot) await session.send(statement, []);
    return await work({
      query: async <Row>(sql: string, params = []) => (await session.send(sql, params)).raw as Row[],
    });
  } finally {
    // Of a broken connection the server has let go already.
    await session.send('ROLLBACK', []).catch(() => undefined);
    session.release();
  }
}
