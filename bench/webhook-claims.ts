import { randomBytes } from 'node:crypto';
import mysql from 'mysql2/promise';
import { BetterSqlite3 } from '../src/database/connection/sqlite-driver.js';
import { median, newDatabase, report } from './embedded.js';
import { command } from './processes.js';

/*
 * The query that claims messages, while 100,000 wait (webhooks section 6): node bench/dist/bench/webhook-claims.js
 * On SQLite, or on the server of DATABASE_URL, in a database of its own.
 */
const PENDING = 100_000;
const WEBHOOKS = 10;
const ROUNDS = 200;
const ROWS_PER_INSERT = 500;
/** As in webhooks/dispatch/claims.ts. */
const CLAIM = `SELECT id FROM webhook_messages WHERE webhook_id = ? AND state = 'pending' AND due_utc <= ?
  ORDER BY due_utc, id LIMIT ?`;
const COLUMNS =
  'webhook_id, message_id, type, record_type, record_id, change_id, made_utc, state, due_utc, leased, tries, attempts, created_utc';

interface Engine {
  run(sql: string, params?: readonly (string | number)[]): Promise<unknown>;
  readonly lock: string;
  end(): Promise<void>;
}

const { DATABASE_URL: server } = process.env;
const engine = await (server === undefined ? embedded() : onServer(server));
try {
  for (let at = 0; at < PENDING; at += ROWS_PER_INSERT) await engine.run(insert(at));
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    await engine.run(`${CLAIM}${engine.lock}`, [1 + (round % WEBHOOKS), '2026-11-23 12:00:00', 64]);
    times.push(performance.now() - began);
  }
  report(`claim of 64 messages while ${PENDING} wait, median`, `${median(times).toFixed(2)} ms`, '< 5 ms');
} finally {
  await engine.end();
}

function insert(at: number): string {
  const rows = Array.from({ length: ROWS_PER_INSERT }, (_, index) => {
    const n = at + index;
    const time = `'2026-11-23 11:${String(Math.floor(n / 60) % 60).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}'`;
    return `(${1 + (n % WEBHOOKS)}, 'msg_${n}', 'event.created', 'event', ${n}, ${n + 1}, ${time}, 'pending', ${time}, 0, 0, '[]', ${time})`;
  });
  return `INSERT INTO webhook_messages (${COLUMNS}) VALUES ${rows.join(', ')}`;
}

async function embedded(): Promise<Engine> {
  const made = await newDatabase('claims');
  const database = new BetterSqlite3(made.file);
  return {
    lock: '',
    run: (sql, params = []) => {
      const statement = database.prepare(sql);
      return Promise.resolve(statement.reader ? statement.all(...params) : statement.run(...params));
    },
    end: () => {
      database.close();
      made.remove();
      return Promise.resolve();
    },
  };
}

async function onServer(url: string): Promise<Engine> {
  const name = `kalends_bench_${randomBytes(4).toString('hex')}`;
  const own = new URL(url);
  own.pathname = `/${name}`;
  const connection = await mysql.createConnection(url);
  await connection.query(`CREATE DATABASE ${name}`);
  await command('migrate', own.href);
  await connection.changeUser({ database: name });
  return {
    lock: ' FOR UPDATE SKIP LOCKED',
    run: (sql, params = []) => connection.query(sql, [...params]),
    end: async () => {
      await connection.query(`DROP DATABASE ${name}`);
      await connection.end();
    },
  };
}
