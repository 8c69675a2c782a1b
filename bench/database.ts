import type { Statement } from 'better-sqlite3';
import mysql from 'mysql2/promise';
import { sqlitePath } from '../src/config/database-url.js';
import { BetterSqlite3 } from '../src/database/connection/sqlite-driver.js';

/** The SQLite setting `synchronous`, the same for Kalends and the ceiling. */
export const SYNCHRONOUS = process.env.SQLITE_SYNCHRONOUS || 'full';

type Value = string | number | null;
type Rows<Row> = Promise<Row[]>;

/** Access to a database by the bare driver, without code of the application. */
export interface Driver {
  /** Runs a prepared statement. `?` is a parameter. */
  rows<Row = Record<string, Value>>(sql: string, values?: readonly Value[]): Rows<Row>;
  /** Runs statements as a transaction on one connection. */
  transaction<Result>(work: (tx: DriverTransaction) => Promise<Result>): Promise<Result>;
  /** The end of a SELECT that locks its rows. */
  readonly forUpdate: string;
  /** Returns the index hint after a table's name. */
  byIndex(name: string): string;
  /** Inserts rows with the same columns. */
  insert(table: string, rows: readonly Record<string, Value>[]): Promise<void>;
  close(): Promise<void>;
}

/** The statements of one transaction. */
export interface DriverTransaction {
  rows(sql: string, values?: readonly Value[]): Rows<Record<string, Value>>;
  /** Returns the new id. */
  run(sql: string, values?: readonly Value[]): Promise<number>;
  /** Increments the number in the row with id 1 and returns it. */
  increment(table: string, column: string): Promise<number>;
  /** Inserts rows with the same columns. */
  insert(table: string, rows: readonly Record<string, Value>[], suffix?: string): Promise<void>;
}

export function openDriver(url: string): Driver {
  return url.startsWith('mysql:') ? openServer(url) : openFile(sqlitePath(url));
}

const ROWS_PER_STATEMENT = 400;

function openServer(url: string): Driver {
  const pool = mysql.createPool({
    uri: url,
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    dateStrings: true,
    connectionLimit: 10,
    maxPreparedStatements: 500,
  });
  pool.pool.on('connection', (connection) => {
    connection.query("SET time_zone = '+00:00', group_concat_max_len = 1048576, max_sort_length = 65536");
    connection.query('SET sort_buffer_size = 4194304, TRANSACTION ISOLATION LEVEL READ COMMITTED', () => undefined);
  });
  return {
    async rows<Row>(sql: string, values: readonly Value[] = []) {
      return (await pool.execute(sql, [...values]))[0] as Row[];
    },
    forUpdate: ' FOR UPDATE',
    byIndex: (name) => ` FORCE INDEX (${name})`,
    async transaction(work) {
      const connection = await pool.getConnection();
      const execute = async (sql: string, values: readonly Value[] = []) =>
        (await connection.execute(sql, [...values]))[0];
      const run = async (sql: string, values?: readonly Value[]) =>
        ((await execute(sql, values)) as { insertId?: number }).insertId ?? 0;
      try {
        await connection.query('START TRANSACTION');
        const result = await work({
          rows: async (sql, values) => (await execute(sql, values)) as Record<string, Value>[],
          run,
          insert: async (table, rows, suffix = '') => {
            const columns = Object.keys(rows[0] ?? {});
            const values = rows.map((row) => columns.map((column) => row[column]));
            if (rows.length > 0)
              await connection.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ?${suffix}`, [values]);
          },
          increment: (table, column) =>
            run(`UPDATE ${table} SET ${column} = LAST_INSERT_ID(${column} + 1) WHERE id = 1`),
        });
        await connection.query('COMMIT');
        return result;
      } catch (error) {
        await connection.query('ROLLBACK');
        throw error;
      } finally {
        connection.release();
      }
    },
    async insert(table, rows) {
      const columns = Object.keys(rows[0] ?? {});
      for (let first = 0; first < rows.length; first += ROWS_PER_STATEMENT) {
        const values = rows.slice(first, first + ROWS_PER_STATEMENT).map((row) => columns.map((column) => row[column]));
        await pool.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ?`, [values]);
      }
    },
    close: () => pool.end(),
  };
}

function openFile(path: string): Driver {
  const file = new BetterSqlite3(path, { timeout: 5000 });
  file.pragma('journal_mode = WAL');
  file.pragma(`synchronous = ${SYNCHRONOUS}`);
  file.pragma('cache_size = -64000');
  const prepared = new Map<string, Statement>();
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? file.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  const all = (sql: string, values: readonly Value[] = []) => statement(sql).all(...values) as Record<string, Value>[];
  const insertAll = (table: string, rows: readonly Record<string, Value>[], suffix = '') => {
    const columns = Object.keys(rows[0] ?? {});
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})${suffix}`;
    for (const row of rows) statement(sql).run(...columns.map((column) => row[column]));
  };
  const tx: DriverTransaction = {
    rows: (sql, values) => Promise.resolve(all(sql, values)),
    run: (sql, values = []) => Promise.resolve(Number(statement(sql).run(...values).lastInsertRowid)),
    insert: (table, rows, suffix) => Promise.resolve(insertAll(table, rows, suffix)),
    increment: (table, column) => {
      const [row] = all(`UPDATE ${table} SET ${column} = ${column} + 1 WHERE id = 1 RETURNING ${column} AS raised`);
      return Promise.resolve(Number(row?.raised));
    },
  };
  // Queues transactions, because there is only one connection.
  let last: Promise<unknown> = Promise.resolve();
  return {
    rows: <Row>(sql: string, values: readonly Value[] = []) => Promise.resolve(statement(sql).all(...values) as Row[]),
    forUpdate: '',
    byIndex: (name) => ` INDEXED BY ${name}`,
    transaction(work) {
      const result = last.then(async () => {
        file.exec('BEGIN IMMEDIATE');
        try {
          const result = await work(tx);
          file.exec('COMMIT');
          return result;
        } catch (error) {
          file.exec('ROLLBACK');
          throw error;
        }
      });
      last = result.catch(() => undefined);
      return result;
    },
    insert(table, rows) {
      file.transaction(() => insertAll(table, rows))();
      return Promise.resolve();
    },
    close: () => Promise.resolve(void file.close()),
  };
}
