import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import type { UtcTime } from '../kernel/calendar-time.js';
import type { Clock } from '../platform/clock.js';
import type { Dialect, Sql, SqlValue } from './dialect.js';
import { dialectOf } from './data-source.js';
import { DataVersion } from './data-version.js';
import { type Load, loadOf } from './load.js';
import { Memory } from './memory.js';
import { Reading } from './reading.js';
import { Transaction } from './transaction.js';
import { WriterQueue, WritersBusy } from './writer-queue.js';

const MOST_ATTEMPTS = 5;

/** The connection was lost while the commit was under way: nobody knows whether it happened. */
class OutcomeUnknown extends Error {}

/** The database was not reached since the start. */
class NotOpen extends Error {}

/** The one way to the database: `query` and `reading` read what is committed, `inTransaction` writes. */
export class Database implements Sql {
  private readonly writers = new WriterQueue();
  private readonly dataVersion = new DataVersion(this);
  private isOpen = false;

  constructor(
    private readonly reader: DataSource,
    private readonly writer: DataSource,
    private readonly clock: Clock,
    /** How many read rows are remembered; 0: none. */
    private readonly cacheEntries: number,
  ) {}

  /** Which engine it is, a server says when it is reached for the first time. */
  get dialect(): Dialect {
    return dialectOf(this.writer);
  }

  /** From here on the data sources are connected. */
  open(): void {
    this.isOpen = true;
  }

  async query<Row = Record<string, unknown>>(sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    this.mustBeOpen();
    return this.reader.query<Row[]>(sql, [...params]);
  }

  /** For the statements of one request: what the newest commit has left as it was may come from memory. */
  async reading(nowUtc: UtcTime): Promise<Reading> {
    const memory = this.cacheEntries === 0 ? undefined : await this.dataVersion.memoryAt(nowUtc);
    return memory === undefined
      ? new Reading(this, new Memory(0, nowUtc, nowUtc), 0)
      : new Reading(this, memory, this.cacheEntries);
  }

  /**
   * Reads the state of one moment, however long it takes. For commands with a process of their own: on SQLite, where
   * readers share one connection, everybody else would see that state, too.
   */
  async snapshot<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    const runner = this.reader.createQueryRunner();
    try {
      for (const statement of this.dialect.snapshot) await runner.query(statement);
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

  /**
   * Runs `work` in one transaction; all of it happens or nothing. May run `work` again from its beginning when the
   * engine asks for it, so `work` does nothing but SQL.
   */
  async inTransaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    this.mustBeOpen();
    if (!this.dialect.oneWriter) return this.attempt(work, (_error, attempt) => attempt < MOST_ATTEMPTS);
    return this.writers.enter((hasTime) => this.attempt(work, hasTime));
  }

  private async attempt<Result>(
    work: (tx: Transaction) => Promise<Result>,
    mayRepeat: (error: unknown, attempt: number) => boolean,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.once(work);
      } catch (error) {
        if (!this.isPassing(error) || !mayRepeat(error, attempt)) throw error;
        await sleep(10 + Math.random() * Math.min(20 * 2 ** attempt, 490));
      }
    }
  }

  load(): Load {
    return loadOf(this.writer, this.writers.waiting);
  }

  /** Whether an error means that the database cannot be reached, or does not get to it now. */
  isUnavailable(error: unknown): boolean {
    return SHORTAGES.some((shortage) => error instanceof shortage) || this.dialect.isUnavailable(error);
  }

  private mustBeOpen(): void {
    if (!this.isOpen) throw new NotOpen('The database was not reached yet.');
  }

  /** Whether the same work may succeed the next time. What may have happened is never done again. */
  private isPassing(error: unknown): boolean {
    if (error instanceof OutcomeUnknown) return false;
    const { dialect } = this;
    if (dialect.oneWriter) return dialect.isRetryable(error);
    // A duplicate is worth another look: somebody took a slug between the look for a free one and its use.
    return dialect.isRetryable(error) || dialect.isLost(error) || dialect.isDuplicate(error);
  }

  private async once<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const runner = this.writer.createQueryRunner();
    const send = (sql: string, params: readonly SqlValue[] = []) => runner.query(sql, [...params], true);
    let isCommitting = false;
    try {
      await send(this.dialect.begin);
      const tx = new Transaction(send, this.dialect);
      const result = await work(tx);
      await tx.writeChangeRecord(this.clock.now());
      isCommitting = true;
      await send('COMMIT');
      return result;
    } catch (error) {
      // A broken connection cannot roll back; the server does it then. The first error is the one that counts.
      await send('ROLLBACK').catch(() => undefined);
      if (this.dialect.isLost(error)) await drop(runner);
      throw isCommitting && this.dialect.isLost(error) ? new OutcomeUnknown(String(error)) : error;
    } finally {
      await runner.release();
    }
  }
}

const SHORTAGES = [NotOpen, WritersBusy, OutcomeUnknown];

/** Takes a connection out of the pool: the next attempt gets a new one, after a failover to another server. */
async function drop(runner: QueryRunner): Promise<void> {
  const connection = (await runner.connect().catch(() => undefined)) as { destroy?: () => void } | undefined;
  connection?.destroy?.();
}
