import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { Clock } from '../config/clock.js';
import type { UtcTime } from '../kernel/time/calendar-time.js';
import { CacheEntries } from './cache/cache-entries.js';
import { DataVersion } from './cache/data-version.js';
import { ReadCache } from './cache/read-cache.js';
import { currentDeadline, withTime } from './connection/deadline.js';
import { ConnectionPool, type PoolLoad, loadOf, type Use } from './connection/pool.js';
import { Semaphore } from './connection/semaphore.js';
import { inSnapshot } from './connection/session.js';
import { StartupGate } from './connection/startup-gate.js';
import { Transaction } from './connection/transaction.js';
import { isOverloaded, OutcomeUnknown, OutOfTime, TooManyWaiting } from './connection/unavailable.js';
import type { Dialect, Sql, SqlValue } from './sql/dialect.js';
import { dialectOf } from './sql/engine-dialect.js';

const MOST_ATTEMPTS = 5;
/** How long a command waits to write to an embedded database that others write to, in milliseconds. */
const COMMANDS_WAIT = 10_000;

/** The one way to the database: `query` and `reading` read what is committed, `inTransaction` writes. */
export class Database implements Sql {
  private readonly readers: ConnectionPool;
  private readonly writers: ConnectionPool;
  /** Of an embedded database, which takes one writer at a time. */
  private readonly turns = new Semaphore(1);
  private readonly dataVersion: DataVersion;
  private readonly opening = new StartupGate();
  /** Sees statements and transactions. */
  watch: StatementObserver = UNWATCHED;

  constructor(
    private readonly reader: DataSource,
    private readonly writer: DataSource,
    private readonly clock: Clock,
    private readonly limits: DatabaseLimits,
  ) {
    this.readers = new ConnectionPool(reader);
    this.writers = reader === writer ? this.readers : new ConnectionPool(writer);
    const { cacheEntries: capacity, cacheStaleness } = limits;
    this.dataVersion = new DataVersion(this.urgent, { capacity, staleness: cacheStaleness * 1000 });
  }

  /** Which engine it is, a server says when it is reached for the first time. */
  get dialect(): Dialect {
    return dialectOf(this.writer);
  }

  /** From here on the data sources are connected. */
  open(): void {
    this.opening.done();
  }

  /**
   * Does `work`, whose use of the database ends in time with an error for which `isUnavailable` holds; without it, as in
   * commands, a use takes as long as it takes.
   */
  inTimeFor<Result>(kind: 'reading' | 'writing', work: () => Result): Result {
    const seconds = kind === 'reading' ? this.limits.readTimeout : this.limits.writeTimeout;
    return withTime(seconds * 1000, work);
  }

  /** Refuses a write that would not begin, or too late, before anything was done for it. */
  mustHaveRoom(): void {
    const milliseconds = this.limits.writeTimeout * 1000;
    if (this.turns.refuses(milliseconds) || this.writers.refusesWrites(milliseconds)) throw new TooManyWaiting();
  }

  /** No statement needs to go on longer, in seconds. */
  get longestTime(): number {
    return Math.max(this.limits.readTimeout, this.limits.writeTimeout);
  }

  query<Row = Record<string, unknown>>(sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    return this.read('lookup', sql, params);
  }

  /** The same for reads that may look at many rows: few at a time, so that nobody else waits for them. */
  readonly scans: Sql = { query: (sql, params = []) => this.read('scan', sql, params) };

  /** For the one read that all requests wait for. */
  private readonly urgent: Sql = { query: (sql, params = []) => this.read('urgent', sql, params) };

  private async read<Row>(use: Use, sql: string, params: readonly SqlValue[]): Promise<Row[]> {
    await this.opening.awaited();
    return this.readers.use(use, async (session) => {
      const { raw } = await this.watch.statement(sql, () => session.send(sql, params));
      return raw as Row[];
    });
  }

  /**
   * For the statements of one request: what the newest commit has left as it was may come from memory. `reading`: what
   * was begun for the request already.
   */
  async reading({ nowUtc, reading }: { readonly nowUtc: UtcTime; readonly reading?: ReadCache }): Promise<ReadCache> {
    if (reading !== undefined) return reading;
    const nothing = (version?: number) => new CacheEntries(version, nowUtc, nowUtc, 0);
    const memory = this.limits.cacheEntries === 0 ? nothing(0) : await this.dataVersion.memoryAt(nowUtc);
    return new ReadCache(this, memory ?? nothing(), this.scans);
  }

  /** Reads the state of one moment, however long it takes. For commands with a process of their own. */
  snapshot<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return inSnapshot(this.reader, this.dialect, work);
  }

  /**
   * Runs `work` in one transaction; all of it happens or nothing. May run `work` again from its beginning when the
   * engine asks for it, so `work` does nothing but SQL.
   */
  async inTransaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    await this.opening.awaited();
    const { oneWriter } = this.dialect;
    const budget = currentDeadline(oneWriter ? COMMANDS_WAIT : Infinity);
    const mayRepeat = (attempt: number) => budget.remaining > 0 && (oneWriter || attempt < MOST_ATTEMPTS);
    const attempts = () => this.attempt(work, mayRepeat);
    return this.watch.transaction(() =>
      budget.spend(() => (oneWriter ? this.turns.enter(budget.remaining, attempts) : attempts())),
    );
  }

  private async attempt<Result>(
    work: (tx: Transaction) => Promise<Result>,
    mayRepeat: (attempt: number) => boolean,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.once(work);
      } catch (error) {
        if (!this.isPassing(error) || !mayRepeat(attempt)) throw error;
        await sleep(10 + Math.random() * Math.min(20 * 2 ** attempt, 490));
      }
    }
  }

  load(): PoolLoad {
    return loadOf(this.writer, this.writers.waiting + this.turns.waiting);
  }

  /** Whether an error means that the database cannot be reached, or does not get to it now. */
  isUnavailable(error: unknown): boolean {
    return isOverloaded(error) || this.dialect.isUnavailable(error);
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
    let isCommitting = false;
    try {
      return await this.writers.use('write', async (session) => {
        const send = (sql: string, params: readonly SqlValue[] = []) =>
          this.watch.statement(sql, () => session.send(sql, params));
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
          // The next attempt gets a new one, after a failover to another server.
          if (this.dialect.isLost(error)) session.drop();
          throw error;
        }
      });
    } catch (error) {
      const isLost = this.dialect.isLost(error) && !this.dialect.isUnsent(error);
      const isUnknown = isCommitting && (error instanceof OutOfTime || isLost);
      throw isUnknown ? new OutcomeUnknown(String(error)) : error;
    } finally {
      if (isCommitting) this.dataVersion.noteWrite();
    }
  }
}

/** Who wants to see what the database is asked; each function runs what it is given. */
export interface StatementObserver {
  /** One statement, which has places for its values. */
  statement<Result>(sql: string, run: () => Promise<Result>): Promise<Result>;
  /** A transaction, with its waiting and all its attempts. */
  transaction<Result>(run: () => Promise<Result>): Promise<Result>;
}

export const UNWATCHED: StatementObserver = {
  statement: (_sql, run) => run(),
  transaction: (run) => run(),
};

/** How the database is used. */
export interface DatabaseLimits {
  /** How many read rows are remembered; 0: none. */
  readonly cacheEntries: number;
  /** How long a write of another process may go unnoticed by what is remembered, in seconds. */
  readonly cacheStaleness: number;
  /** How long a request that reads, and one that writes, may use the database in all, in seconds. */
  readonly readTimeout: number;
  readonly writeTimeout: number;
}
