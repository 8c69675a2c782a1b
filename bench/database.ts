import BetterSqlite3 from 'better-sqlite3';
import mysql from 'mysql2/promise';
import { sqlitePath } from '../src/database/engine.js';

type Value = string | number | null;
type Rows<Row> = Promise<Row[]>;

/** A database as the bare driver shows it: nothing of the application lies between. */
export interface Driver {
  /** A prepared statement; `?` are the places of the values. */
  rows<Row = Record<string, Value>>(sql: string, values?: readonly Value[]): Rows<Row>;
  /** Statements that belong together; they run on one connection. */
  transaction<Result>(work: (run: Run) => Promise<Result>): Promise<Result>;
  /** Rows of one shape, as fast as plain INSERTs go. */
  insert(table: string, rows: readonly Record<string, Value>[]): Promise<void>;
  close(): Promise<void>;
}

/** Sends one statement of a transaction and answers the id it made. */
type Run = (sql: string, values?: readonly Value[]) => Promise<number>;

export function openDriver(url: string): Driver {
  return url.startsWith('mysql:') ? openServer(url) : openFile(sqlitePath(url));
}

const ROWS_A_STATEMENT = 400;

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
    async transaction(work) {
      const connection = await pool.getConnection();
      try {
        await connection.query('START TRANSACTION');
        const result = await work(async (sql, values = []) => {
          const [answer] = await connection.execute(sql, [...values]);
          return (answer as { insertId?: number }).insertId ?? 0;
        });
        await connection.query('COMMIT');
        return result;
      } finally {
        connection.release();
      }
    },
    async insert(table, rows) {
      const columns = Object.keys(rows[0] ?? {});
      for (let first = 0; first < rows.length; first += ROWS_A_STATEMENT) {
        const values = rows.slice(first, first + ROWS_A_STATEMENT).map((row) => columns.map((column) => row[column]));
        await pool.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ?`, [values]);
      }
    },
    close: () => pool.end(),
  };
}

function openFile(path: string): Driver {
  const file = new BetterSqlite3(path, { timeout: 5000 });
  file.pragma('journal_mode = WAL');
  file.pragma('synchronous = NORMAL');
  file.pragma('cache_size = -64000');
  const prepared = new Map<string, BetterSqlite3.Statement>();
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? file.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  const run: Run = (sql, values = []) => Promise.resolve(Number(statement(sql).run(...values).lastInsertRowid));
  return {
    rows: <Row>(sql: string, values: readonly Value[] = []) => Promise.resolve(statement(sql).all(...values) as Row[]),
    async transaction(work) {
      file.exec('BEGIN IMMEDIATE');
      const result = await work(run);
      file.exec('COMMIT');
      return result;
    },
    insert(table, rows) {
      const columns = Object.keys(rows[0] ?? {});
      const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
      file.transaction(() => rows.forEach((row) => statement(sql).run(...columns.map((column) => row[column]))))();
      return Promise.resolve();
    },
    close: () => Promise.resolve(void file.close()),
  };
}
