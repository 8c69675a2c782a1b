import { type DataSource, type QueryRunner, QueryRunnerAlreadyReleasedError, TypeORMError } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner.js';
import { QueryResult } from 'typeorm/query-runner/QueryResult.js';
import type { SqlValue } from '../sql/dialect.js';
import { hasSeveralStatements } from './statement.js';
import type { StatementTarget } from './statement-target.js';

/** Returns a query runner of TypeORM for the engine, whose statements go to `target` instead of a connection. */
export function createQueryRunner(source: DataSource, target: StatementTarget): QueryRunner {
  const isFile = source.options.type === 'better-sqlite3';
  const runner = isFile ? new FileQueryRunner(source, target) : new ServerQueryRunner(source, target);
  return Object.assign(runner, { manager: source.createEntityManager(runner) });
}

/** TypeORM's type is an untyped promise. */
type QueryReturn = ReturnType<MysqlQueryRunner['query']>;

/** TypeORM's transactions and savepoints are statements, too, so that `query` is the way of all of them. */
class FileQueryRunner extends BetterSqlite3QueryRunner {
  constructor(
    source: DataSource,
    private readonly target: StatementTarget,
  ) {
    super(source.driver as BetterSqlite3Driver);
    this.transactionDepth = target.depth;
    this.isTransactionActive = target.depth > 0;
  }

  override query(sql: string, params?: unknown[], isStructured?: boolean): QueryReturn {
    return send(this, this.target, sql, params, isStructured);
  }

  override async release(): Promise<void> {
    await super.release();
    this.isReleased = true;
    await this.target.release();
  }
}

class ServerQueryRunner extends MysqlQueryRunner {
  constructor(
    source: DataSource,
    private readonly target: StatementTarget,
  ) {
    super(source.driver as MysqlDriver, 'master');
    this.transactionDepth = target.depth;
    this.isTransactionActive = target.depth > 0;
  }

  /** Takes no connection yet. A statement takes one that its target chooses. */
  override connect(): Promise<void> {
    return Promise.resolve();
  }

  override query(sql: string, params?: unknown[], isStructured?: boolean): QueryReturn {
    return send(this, this.target, sql, params, isStructured);
  }

  override async release(): Promise<void> {
    this.isReleased = true;
    await this.target.release();
  }

  /** Rejected as on SQLite, because a stream would keep a connection for as long as its reader likes. */
  override stream(): Promise<never> {
    return Promise.reject(new TypeORMError('Streams are not supported. Read pages instead.'));
  }
}

async function send(
  { isReleased }: QueryRunner,
  target: StatementTarget,
  sql: string,
  params: unknown[] = [],
  isStructured = false,
): Promise<unknown> {
  if (isReleased) throw new QueryRunnerAlreadyReleasedError();
  // The second one would escape the checks, and SQLite and the connections for reading reject it.
  if (hasSeveralStatements(sql)) throw new TypeORMError('Send one statement at a time.');
  const { raw, affected } = await target.send(sql, params.map(sqlValueOf));
  if (!isStructured) return raw;
  return Object.assign(new QueryResult(), Array.isArray(raw) ? { raw, records: raw as unknown[] } : { raw, affected });
}

/** SQLite's driver accepts no booleans. All other values are those of TypeORM's drivers. */
function sqlValueOf(value: unknown): SqlValue {
  return typeof value === 'boolean' ? Number(value) : (value as SqlValue);
}
