import { setImmediate as nextTurn } from 'node:timers/promises';
import { END_OF_TIME, type UtcTime } from '../../kernel/time/calendar-time.js';
import type { Sql } from '../sql/dialect.js';
import { CacheEntries } from './cache-entries.js';
import type { StateFollower } from './follower.js';
import type { DatabaseState } from './read-at-version.js';
import { POST_TABLES, TABLES } from '../sql/tables.js';
import { withDeadline } from '../connection/deadline.js';
import { OutOfTime } from '../connection/unavailable.js';

/**
 * Timeout of reading the state, and of finding the next scheduled record. One connection may hang while others work, or
 * a table may be locked that the request does not need. The request then continues without the cache.
 */
const READ_TIMEOUT_MS = 1_000;

/**
 * The state of the database after the last commit of any process, by which the cache expires. One read of it serves all requests that wait
 * for it to begin. A request that comes later waits for the next read, because the running one may miss a commit.
 */
export class DataVersion {
  private entries = new CacheEntries(undefined, '', '', 0);
  private running: Promise<unknown> = Promise.resolve();
  private waiting: Promise<DatabaseState | undefined> | undefined;
  /** The state read last, unless this process has written since. */
  private lastRead: { readonly state: DatabaseState; readonly readAt: number } | undefined;
  private writes = 0;
  /** The last search for the next scheduled record timed out. */
  private isSlow = false;
  private probe: Promise<unknown> | undefined;

  constructor(
    private readonly sql: Sql,
    private readonly options: {
      /** Cache capacity, as a sum of weights. */
      readonly capacity: number;
      /** Maximum age of the state, in milliseconds. 0: each request reads it. */
      readonly staleness: number;
      /** Returns what follows the database, if anything does. */
      readonly follower?: () => StateFollower | undefined;
      /** Returns milliseconds of a monotonic clock. */
      readonly monotonic?: () => number;
    },
  ) {}

  /** Called after a commit of this process that succeeded, or may have. The next request reads the state again. */
  noteWrite(): void {
    this.writes += 1;
    this.lastRead = undefined;
  }

  /** Returns the cache that is valid at `nowUtc` for the newest state, or undefined if the database did not give it. */
  async entriesAt(nowUtc: UtcTime): Promise<CacheEntries | undefined> {
    const state = await this.current();
    if (state === undefined) return undefined;
    if (this.entries.isValidFor(state, nowUtc)) return this.entries;
    if (!this.isSlow) return this.newEntries(state, nowUtc);
    // One search runs in the background, and requests do not wait for it.
    this.probe ??= this.newEntries(state, nowUtc)
      .catch(() => undefined)
      .finally(() => (this.probe = undefined));
    return undefined;
  }

  /** Returns a new cache, or undefined if finding its expiry timed out. */
  private async newEntries(state: DatabaseState, nowUtc: UtcTime): Promise<CacheEntries | undefined> {
    try {
      const expiresAt = await withDeadline(READ_TIMEOUT_MS, () => this.nextChange(state, nowUtc));
      this.isSlow = false;
      // A concurrent request may have made the same.
      if (this.entries.isValidFor(state, nowUtc)) return this.entries;
      this.entries = new CacheEntries(state, nowUtc, expiresAt, this.options.capacity);
      return this.entries;
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      this.isSlow = true;
      return undefined;
    }
  }

  /** Returns the state, read after this call began. undefined: the database did not give it in time. */
  current(): Promise<DatabaseState | undefined> {
    const { lastRead } = this;
    if (lastRead !== undefined && this.now() - lastRead.readAt < this.options.staleness)
      return Promise.resolve(lastRead.state);
    this.waiting ??= this.readNext();
    return this.waiting;
  }

  private async readNext(): Promise<DatabaseState | undefined> {
    await this.running;
    // On SQLite a read ends at once. A turn later it serves all requests that have arrived in this one.
    await nextTurn();
    this.waiting = undefined;
    const read = this.read();
    this.running = read.catch(() => undefined);
    return read;
  }

  /** Reads the state with its own deadline, because many requests share it. Returns undefined after the deadline. */
  private async read(): Promise<DatabaseState | undefined> {
    const [readAt, writes] = [this.now(), this.writes];
    try {
      const row = await withDeadline(READ_TIMEOUT_MS, () => this.readState());
      // A read that began before a write of this process may have missed it.
      if (row !== undefined && writes === this.writes) this.lastRead = { state: row, readAt };
      return row;
    } catch (error) {
      if (error instanceof OutOfTime) return undefined;
      throw error;
    }
  }

  private async readState(): Promise<DatabaseState | undefined> {
    const followed = await this.options.follower?.()?.look(this.sql);
    if (followed !== undefined) return followed;
    const sql = `SELECT version, epoch FROM ${TABLES.dataVersion} WHERE id = 1`;
    const [row] = await this.sql.query<DatabaseState>(sql);
    return row;
  }

  private now(): number {
    return (this.options.monotonic ?? performanceNow)();
  }

  /** Returns when the next scheduled record becomes public, which happens without a commit. */
  private async nextChange(state: DatabaseState, nowUtc: UtcTime): Promise<UtcTime> {
    const followed = await this.options.follower?.()?.nextChange(state, nowUtc);
    if (followed !== undefined) return followed;
    const next = POST_TABLES.map((table) => `SELECT min(public_from) AS next FROM ${table} WHERE public_from > ?`);
    const rows = await this.sql.query<{ next: UtcTime | null }>(
      next.join(' UNION ALL '),
      POST_TABLES.map(() => nowUtc),
    );
    return rows.reduce((earliest, { next: time }) => (time !== null && time < earliest ? time : earliest), END_OF_TIME);
  }
}

const performanceNow = () => performance.now();
