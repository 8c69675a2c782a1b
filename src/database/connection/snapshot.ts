import type { DataSource } from 'typeorm';
import type { Dialect, Sql } from '../sql/dialect.js';
import { openSession } from './session.js';

/** Runs `work` on a snapshot. On SQLite, all readers of the process share its connection and so see the snapshot, too. */
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
    // If the connection is broken, the server has already ended the transaction.
    await session.send('ROLLBACK', []).catch(() => undefined);
    session.release();
  }
}
