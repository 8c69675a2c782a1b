import type { DataSource } from 'typeorm';
import type { Clock } from '../config/clock.js';
import type { UtcTime } from '../kernel/time/calendar-time.js';
import { CacheEntries, NOT_READ } from './cache/cache-entries.js';
import { DataVersion } from './cache/data-version.js';
import type { StateFollower } from './cache/follower.js';
import type { DatabaseState } from './cache/read-at-version.js';
import { ReadCache } from './cache/read-cache.js';
import { Arrivals } from './connection/arrivals.js';
import { currentDeadline, untilDeadline, withDeadline } from './connection/deadline.js';
import { withItsParticipant } from './connection/participant.js';
import { ConnectionPool, type PoolLoad, loadOf, type Use } from './connection/pool.js';
import { Semaphore } from './connection/semaphore.js';
import { withRetries } from './connection/retries.js';
import type { Outcome } from './connection/session.js';
import type { Statement } from './sql/row-statements.js';
import { inSnapshot } from './connection/snapshot.js';
import { StartupGate } from './connection/startup-gate.js';
import { Transaction } from './connection/transaction.js';
import { inTransactionScope, mustNotBeInTransaction } from './connection/transaction-scope.js';
import { isOverloaded, OutcomeUnknown, OutOfTime, TooManyWaiting } from './connection/unavailable.js';
import type { DatabaseLimits } from './database-limits.js';
import { managerOf } from './repositories/repositories.js';
import type { Dialect, Sql, SqlValue } from './sql/dialect.js';
import { dialectOf } from './sql/engine-dialect.js';
import { type StatementObserver, UNOBSERVED } from './statement-observer.js';

const MAX_ATTEMPTS = 5;
/** How long a command waits for other writers of an embedded database. */
const COMMAND_TIMEOUT_MS = 10_000;
const OPEN_TRANSACTION =
  'Database.inTransaction has a transaction open here, for which another one would wait. ' +
  'Write with tx.manager, the EntityManager of the open transaction, or with tx itself.';

/** The only access to the database. `query` and `cachedReads` read committed rows, `inTransaction` writes. */
export class Database implements Sql {
  private readonly readers: ConnectionPool;
  private readonly writers: ConnectionPool;
  /** Used with an embedded database, which allows one writer at a time. */
  private readonly writerSemaphore = new Semaphore(1);
  private readonly arrivals = new Arrivals();
  private readonly dataVersion: DataVersion;
  private readonly startupGate = new StartupGate();
  observer: StatementObserver = UNOBSERVED;
  /** Called after each commit of this process that changed records. */
  onChange: () => void = () => undefined;
  /** What follows the database in memory, if anything does. */
  follower: StateFollower | undefined;

  constructor(
    private readonly reader: DataSource,
    private readonly writer: DataSource,
    private readonly clock: Clock,
    private readonly limits: DatabaseLimits,
  ) {
    this.readers = new ConnectionPool(reader);
    this.writers = new ConnectionPool(writer);
    const { cacheEntries: capacity, cacheStaleness } = limits;
    const follower = () => this.follower;
    this.dataVersion = new DataVersion(this.urgent, { capacity, staleness: cacheStaleness * 1000, follower });
  }

  /** The dialect of the engine. A server's engine is known after the first connection. */
  get dialect(): Dialect {
    return dialectOf(this.writer);
  }

  /** Lets statements through. Called when the data sources are connected. */
  open(): void {
    this.startupGate.open();
  }

  /** Tells when statements can be sent, and when the first one waits for that. */
  get startup(): Pick<StartupGate, 'opened' | 'wanted'> {
    return this.startupGate;
  }

  /**
   * Runs `work` with a deadline for its use of the database. After it, statements fail with an error for which
   * `isUnavailable` is true. Work outside this function, such as commands, has no deadline.
   */
  withDeadlineFor<Result>(kind: 'read' | 'write', work: () => Result): Result {
    return withDeadline(1000 * (kind === 'read' ? this.limits.readTimeout : this.limits.writeTimeout), work);
  }

  /** Rejects a write early if it could not begin before its deadline. */
  mustHaveWriteCapacity(): void {
    this.arrivals.note();
    const milliseconds = this.limits.writeTimeout * 1000;
    if (this.writerSemaphore.wouldReject(milliseconds) || this.writers.wouldRejectWrites(milliseconds))
      throw new TooManyWaiting();
  }

  /** The longest timeout of a request, in seconds. */
  get longestTimeoutSeconds(): number {
    return Math.max(this.limits.readTimeout, this.limits.writeTimeout);
  }

  query<Row = Record<string, unknown>>(sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    return this.read('lookup', sql, params);
  }

  /** As `query`, for reads of many rows. Few run at a time, so that other reads need not wait for them. */
  readonly scans: Sql = { query: (sql, params = []) => this.read('scan', sql, params) };

  /** For the read of the data version, on which all requests wait. */
  private readonly urgent: Sql = { query: (sql, params = []) => this.read('urgent', sql, params) };

  private async read<Row>(use: Use, sql: string, params: readonly SqlValue[]): Promise<Row[]> {
    return (await this.sendRead(use, sql, params)).raw as Row[];
  }

  /** As `query`, but returns the driver's result. */
  async sendRead(use: Use, sql: string, params: readonly SqlValue[]): Promise<Outcome> {
    await this.startupGate.wait();
    return this.readers.use(use, (session) => this.observer.statements([sql], () => session.send(sql, params)));
  }

  /**
   * Returns the cache for the statements of one request, valid for the newest commit. `cachedReads` is the cache
   * that the request already has.
   */
  async cachedReads(context: { readonly nowUtc: UtcTime; readonly cachedReads?: ReadCache }): Promise<ReadCache> {
    const { nowUtc, cachedReads } = context;
    if (cachedReads !== undefined) return cachedReads;
    // First, because the state has a short timeout, and a start may take longer.
    await this.startupGate.wait();
    const uncached = (state?: DatabaseState) => new CacheEntries(state, nowUtc, nowUtc, 0);
    const entries = this.limits.cacheEntries === 0 ? uncached(NOT_READ) : await this.dataVersion.entriesAt(nowUtc);
    return new ReadCache(this, entries ?? uncached(), this.scans);
  }

  /** Returns the state after the newest commit, read after this call began. undefined: the database did not give it in time. */
  async stateInTime(): Promise<DatabaseState | undefined> {
    await this.startupGate.wait();
    return this.dataVersion.current();
  }

  /** As `stateInTime`, but fails if the database does not give it in time. */
  async currentState(): Promise<DatabaseState> {
    const state = await this.stateInTime();
    if (state === undefined) throw new OutOfTime();
    return state;
  }

  /** Reads a consistent snapshot without a timeout. For commands in their own process. */
  snapshot<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return inSnapshot(this.reader, this.dialect, work);
  }

  /**
   * Runs `work` in one atomic transaction. May run `work` again after a transient error, so `work` must have no effects
   * but SQL. Inside `work`, repositories read committed rows and must not write; `tx.manager` does both.
   */
  inTransaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return withItsParticipant(work, (whole) => this.transact(whole, (error) => this.isTransient(error)));
  }

  /** As `inTransaction`, but runs `work` once at most. `setup`: statements to send before the one that begins. */
  inTransactionOnce<Result>(
    work: (tx: Transaction) => Promise<Result>,
    setup: readonly string[] = [],
  ): Promise<Result> {
    let hasBegun = false;
    const once = (tx: Transaction) => {
      hasBegun = true;
      return work(tx);
    };
    // A connection that was lost before BEGIN must not cost the only attempt.
    return this.transact(once, (error) => !hasBegun && this.isTransient(error), setup);
  }

  /** With `setup`, BEGIN is sent before the work starts. Without, it goes to a server along with the first statement. */
  private async transact<Result>(
    work: (tx: Transaction) => Promise<Result>,
    isRepeatable: (error: unknown) => boolean,
    setup?: readonly string[],
  ): Promise<Result> {
    mustNotBeInTransaction();
    await this.startupGate.wait();
    const { hasSingleWriter } = this.dialect;
    const deadline = currentDeadline(hasSingleWriter ? COMMAND_TIMEOUT_MS : Infinity);
    const mayRepeat = (error: unknown, attempt: number) =>
      isRepeatable(error) && deadline.remaining > 0 && (hasSingleWriter || attempt < MAX_ATTEMPTS);
    const attempts = () => withRetries(() => this.runOnce(work, setup), mayRepeat);
    const inTurn = () => this.writerSemaphore.run(deadline.remaining, () => this.arrivals.wait().then(attempts));
    return this.observer.transaction(() => deadline.run(hasSingleWriter ? inTurn : attempts));
  }

  load(): PoolLoad {
    return loadOf(
      [this.reader, this.writer],
      this.writers.waiting + this.readers.waiting + this.writerSemaphore.waiting,
    );
  }

  /** Whether an error means that the database is unreachable or overloaded. */
  isUnavailable(error: unknown): boolean {
    return isOverloaded(error) || this.dialect.isUnavailable(error);
  }

  /** Whether the same work may succeed if repeated. Work that may have been committed is never repeated. */
  private isTransient(error: unknown): boolean {
    if (error instanceof OutcomeUnknown) return false;
    if (this.dialect.hasSingleWriter) return this.dialect.isRetryable(error);
    // A duplicate is transient, because another transaction may have taken a slug after it was found free.
    return this.dialect.isRetryable(error) || this.dialect.isLost(error) || this.dialect.isDuplicate(error);
  }

  private async runOnce<Result>(
    work: (tx: Transaction) => Promise<Result>,
    setup: readonly string[] | undefined,
  ): Promise<Result> {
    let isCommitting = false;
    try {
      return await this.writers.use('write', async (session) => {
        const send = (statements: readonly Statement[]) =>
          this.observer.statements(
            statements.map(({ sql }) => sql),
            () => session.sendTogether(statements),
          );
        const opening = [...(setup ?? []), this.dialect.begin];
        const tx = new Transaction(send, this.dialect, (own) => managerOf(this.writer, own), opening);
        try {
          if (setup !== undefined || this.dialect.hasSingleWriter) await tx.flush();
          const running = inTransactionScope(OPEN_TRANSACTION, () => work(tx));
          const result = await (this.dialect.hasSingleWriter ? untilDeadline(running) : running);
          await tx.writeChangeRecord(this.clock.now());
          isCommitting = true;
          await tx.commit();
          if (tx.hasRecordedChanges) this.onChange();
          return result;
        } catch (error) {
          // The server rolls back a broken connection by itself. The caller gets the first error.
          await tx.rollBack().catch(() => undefined);
          // The next attempt gets a new connection, e.g. to another server after a failover.
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
