import { closeSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { MysqlDataSourceOptions } from 'typeorm/driver/mysql/MysqlDataSourceOptions.js';
import type { Environment } from '../../config/environment.js';
import { OperatorError } from '../../errors/operator-error.js';
import { loadOf, POOL_SIZES } from './pool.js';
import { dialectOf } from '../sql/engine-dialect.js';
import { engineOf, isServer, sqlitePath, parseServerUrl, type ServerAddress } from '../../config/database-url.js';
import { makeFolder } from '../../config/data-folder.js';
import { migrations } from '../migrations/list.js';
import { openSession } from './session.js';
import { BetterSqlite3, DURABLE } from './sqlite-driver.js';

const COMMON = {
  synchronize: false,
  migrationsRun: false,
  migrationsTableName: 'migrations',
  migrationsTransactionMode: 'each',
} as const;

/** The settings for opening the database. */
export type DatabaseSettings = Pick<Environment, 'DATABASE_URL' | 'DATABASE_PASSWORD_FILE' | 'SQLITE_SYNCHRONOUS'>;

/** Returns TypeORM's options for the writing data source. `further`: migrations besides those found in `src`. */
export function dataSourceOptions(
  settings: DatabaseSettings,
  further: DataSourceOptions['migrations'] = [],
): DataSourceOptions {
  const { DATABASE_URL, DATABASE_PASSWORD_FILE, SQLITE_SYNCHRONOUS } = settings;
  const options = isServer(DATABASE_URL)
    ? serverOptions(parseServerUrl(DATABASE_URL, DATABASE_PASSWORD_FILE))
    : fileOptions(DATABASE_URL, SQLITE_SYNCHRONOUS);
  return { ...options, migrations: [...migrations, ...Object.values(further)] };
}

function serverOptions(address: ServerAddress): DataSourceOptions {
  return {
    ...COMMON,
    ...address,
    // openWriter changes the type if the server is MariaDB.
    type: 'mysql',
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: false,
    poolSize: POOL_SIZES.writing,
    // Statements of a transaction go together (`Transaction.later`).
    multipleStatements: true,
    extra: { enableKeepAlive: true, idleTimeout: 50_000, connectTimeout: 2_000 },
  };
}

function fileOptions(databaseUrl: string, synchronous: Environment['SQLITE_SYNCHRONOUS']): DataSourceOptions {
  return {
    ...COMMON,
    type: 'better-sqlite3',
    driver: BetterSqlite3,
    database: sqlitePath(databaseUrl),
    enableWAL: true,
    // Waiting inside the driver would block the whole process, so Database.inTransaction waits instead.
    timeout: 20,
    prepareDatabase: (connection: { exec(sql: string): void }) =>
      connection.exec(
        `PRAGMA synchronous = ${synchronous}; PRAGMA cache_size = -64000; PRAGMA journal_size_limit = 67108864`,
      ),
  };
}

/**
 * Creates the writing data source. It knows its entities before it is open, so that a repository can wait for the database.
 */
export async function createDataSource(options?: DataSourceOptions): Promise<DataSource> {
  const dataSource = new DataSource(options as DataSourceOptions);
  await (dataSource as unknown as { buildMetadatas(): Promise<void> }).buildMetadatas();
  return dataSource;
}

/**
 * Opens the writing data source, and keeps the subscribers that providers have added to it. On SQLite it creates the folder
 * and the file. May be called again after an error.
 */
export async function openWriter(dataSource: DataSource): Promise<void> {
  const { options, subscribers } = dataSource;
  if (options.type === 'better-sqlite3') {
    makeFolder(dirname(options.database));
    // Only the owner may read a new file. SQLite creates the files beside it with the same mode.
    closeSync(openSync(options.database, 'a', 0o600));
    await dataSource.initialize();
  } else {
    await openServer(dataSource, await engineOf(options as unknown as ServerAddress));
  }
  // The list is a new one now.
  dataSource.subscribers.push(...subscribers.filter((added) => !dataSource.subscribers.includes(added)));
}

async function openServer(dataSource: DataSource, type: DataSourceOptions['type']): Promise<void> {
  // The driver has its own copy of the options.
  for (const known of [dataSource.options, dataSource.driver.options]) Object.assign(known, { type });
  await dataSource.initialize();
  await prepareConnections(dataSource, dialectOf(dataSource).sessionSetup);
}

/** Opens the reading data source, once the writing one is open. */
export async function openReader(reader: DataSource, writer: DataSource): Promise<void> {
  if (reader.isInitialized) return;
  const { type } = writer.options;
  await (type === 'better-sqlite3' ? reader.initialize() : openServer(reader, type));
}

/** Throws if there is no file of the embedded database, for commands that must not create one. */
export function mustExist({ options }: DataSource): void {
  if (options.type !== 'better-sqlite3') return;
  const { size = 0 } = statSync(options.database, { throwIfNoEntry: false }) ?? {};
  if (size === 0) {
    const path = resolve(options.database);
    throw new OperatorError(
      `There is no database at ${path}. \`kalends migrate\` or a start of the service creates it.`,
    );
  }
}

/** Makes the server end statements that take longer than `seconds` or wait too long for a lock. */
export async function limitStatements(dataSource: DataSource, seconds: number): Promise<void> {
  const limits = dialectOf(dataSource).limits(seconds);
  if (limits.length > 0) await prepareConnections(dataSource, limits);
}

/**
 * Returns the reading data source. On a server it has connections of its own, which take one statement at a time, so that
 * no value of a request can add another. On SQLite it has a second and read-only connection.
 */
export function readerOf({ options }: DataSource): DataSource {
  const common = { entities: [], migrations: [] };
  if (options.type === 'better-sqlite3')
    return new DataSource({ ...options, ...common, readonly: true, enableWAL: false, timeout: 5_000 });
  return new DataSource({
    ...(options as MysqlDataSourceOptions),
    ...common,
    poolSize: POOL_SIZES.reading,
    multipleStatements: false,
  });
}

/**
 * Moves SQLite's write-ahead log into the database file, so that a copy of the file is complete. A read-only connection
 * that closes last cannot do so. Has no effect while other processes use the database.
 */
export function checkpointLog(path: string): void {
  const connection = new BetterSqlite3(path, { timeout: 1_000 });
  connection.pragma(DURABLE);
  connection.pragma('wal_checkpoint(TRUNCATE)');
  connection.close();
}

interface NewConnection {
  query(sql: string, callback: (error: Error | null) => void): unknown;
  readonly stream: { destroy(error: Error): void };
}

interface MysqlPool {
  on(event: 'connection', prepare: (connection: NewConnection) => void): void;
}

/** Sends statements on every present and future connection. mysql2 runs them before any other statement. */
async function prepareConnections(dataSource: DataSource, statements: readonly string[]): Promise<void> {
  const { pool } = dataSource.driver as unknown as { pool: MysqlPool };
  pool.on('connection', (connection) => {
    // A connection that cannot be prepared is closed. Without a callback the error would end the process.
    const callback = (error: Error | null) => {
      if (error !== null) connection.stream.destroy(new Error(`Connection lost: ${error.message}`));
    };
    statements.forEach((statement) => connection.query(statement, callback));
  });
  const open = Array.from({ length: loadOf([dataSource], 0).open }, () => openSession(dataSource));
  await Promise.all(
    open.map(async (session) => {
      for (const statement of statements) await session.send(statement, []);
    }),
  );
  for (const session of open) session.release();
}
