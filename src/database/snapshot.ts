import type { DataSource } from 'typeorm';
import type { Dialect, Sql } from './dialect.js';
import { openSession } from './session.js';

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
