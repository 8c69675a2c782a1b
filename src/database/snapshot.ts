import type { DataSource } from 'typeorm';
import type { Dialect, Sql, SqlValue } from './dialect.js';

/** On SQLite readers share one connection: everybody else in the process sees the state of the snapshot, too. */
export async function inSnapshot<Result>(
  source: DataSource,
  dialect: Dialect,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const runner = source.createQueryRunner();
  try {
    for (const statement of dialect.snapshot) await runner.query(statement);
    return await work({
      query: async <Row>(sql: string, params: readonly SqlValue[] = []) =>
        (await runner.query(sql, [...params])) as Row[],
    });
  } finally {
    // Of a broken connection the server has let go already.
    await runner.query('ROLLBACK').catch(() => undefined);
    await runner.release();
  }
}
