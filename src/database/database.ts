import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { Clock } from '../platform/clock.js';
import type { Dialect, Sql, SqlValue } from './dialect.js';
import { Transaction } from './transaction.js';

const MOST_ATTEMPTS = 5;
/** How long a writer waits for the write lock that another process holds, in milliseconds. */
const LOCK_DEADLINE = 10_000;

/** The one way to the database: `query` reads what is committed, `inTransaction` writes. */
export class Database implements Sql {
  private lastWriter: Promise<unknown> = Promise.resolve();

  constructor(
    readonly dialect: Dialect,
    private readonly reader: DataSource,
    private readonly writer: DataSource,
    private readonly clock: Clock,
  ) {}

  async query<Row = Record<string, unknown>>(sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    return this.reader.query<Row[]>(sql, [...params]);
  }

  /**
   * Runs `work` in one transaction; all of it happens or nothing. May run `work` again from its beginning when the
   * engine asks for it, so `work` does nothing but SQL.
   */
  async inTransaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    if (!this.dialect.oneWriter) return this.attempt(work);
    // One connection writes: the next writer begins when the last has ended, however it ended.
    const turn = this.lastWriter.then(() => this.attempt(work));
    this.lastWriter = turn.catch(() => undefined);
    return turn;
  }

  private async attempt<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const deadline = Date.now() + LOCK_DEADLINE;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.once(work);
      } catch (error) {
        if (!this.mayRepeat(error, attempt, deadline)) throw error;
        await sleep(10 + Math.random() * Math.min(20 * 2 ** attempt, 490));
      }
    }
  }

  /** A duplicate is worth another look: somebody took a slug between the look for a free one and its use. */
  private mayRepeat(error: unknown, attempt: number, deadline: number): boolean {
    if (this.dialect.oneWriter) return this.dialect.isRetryable(error) && Date.now() < deadline;
    return attempt < MOST_ATTEMPTS && (this.dialect.isRetryable(error) || this.dialect.isDuplicate(error));
  }

  private async once<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const runner = this.writer.createQueryRunner();
    const send = (sql: string, params: readonly SqlValue[] = []) => runner.query(sql, [...params]);
    try {
      await send(this.dialect.begin);
      try {
        const tx = new Transaction(send, this.dialect);
        const result = await work(tx);
        await tx.writeChangeRecord(this.clock.now());
        await send('COMMIT');
        return result;
      } catch (error) {
        // A broken connection cannot roll back; the server does it then. The first error is the one that counts.
        await send('ROLLBACK').catch(() => undefined);
        throw error;
      }
    } finally {
      await runner.release();
    }
  }
}
