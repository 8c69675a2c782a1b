import type { UtcTime } from '../../kernel/time/calendar-time.js';
import type { Sql } from '../sql/dialect.js';
import { CacheEntries } from './cache-entries.js';
import { POST_TABLES, TABLES } from '../sql/tables.js';
import { withTime } from '../connection/deadline.js';
import { OutOfTime } from '../connection/unavailable.js';

/**
 * How long the number may take, and the look at what becomes public next, in milliseconds. A connection may be silent
 * while the others are fine, and a table may be locked that the request does without.
 */
const READ_MILLISECONDS = 1_000;

/**
 * The clock of what is remembered: the number of the last commit, which every process raises. One read of it serves all
 * requests that wait for it, but none that came after it began: what that one may miss, its own read does not.
 */
export class DataVersion {
  private memory = new CacheEntries(-1, '', '', 0);
  private running: Promise<unknown> = Promise.resolve();
  private waiting: Promise<number | undefined> | undefined;
  /** The number as it was read last, since this process wrote. */
  private known: { readonly version: number; readonly readAt: number } | undefined;
  private writes = 0;
  /** The last look at what becomes public next took too long. */
  private isHanging = false;
  private probing: Promise<unknown> | undefined;

  constructor(
    private readonly sql: Sql,
    private readonly options: {
      /** The room of a memory. */
      readonly capacity: number;
      /** How old the number may be, in milliseconds; 0: each request has it read. */
      readonly staleness: number;
      /** Milliseconds on a clock that nobody sets. */
      readonly monotonic?: () => number;
    },
  ) {}

  /** A write of this process was committed, or may have been: the next request sees it. */
  noteWrite(): void {
    this.writes += 1;
    this.known = undefined;
  }

  /** What is remembered of the newest state, as it shows at `nowUtc`. Nothing where nobody says which state that is. */
  async memoryAt(nowUtc: UtcTime): Promise<CacheEntries | undefined> {
    const version = await this.current();
    if (version === undefined) return undefined;
    if (this.memory.holds(version, nowUtc)) return this.memory;
    if (!this.isHanging) return this.begin(version, nowUtc);
    // Nobody waits to find out whether it still hangs.
    this.probing ??= this.begin(version, nowUtc)
      .catch(() => undefined)
      .finally(() => (this.probing = undefined));
    return undefined;
  }

  /** A new memory; nothing where it takes too long to tell how long it holds. */
  private async begin(version: number, nowUtc: UtcTime): Promise<CacheEntries | undefined> {
    try {
      const until = await withTime(READ_MILLISECONDS, () => this.nextChange(nowUtc));
      this.isHanging = false;
      this.memory = new CacheEntries(version, nowUtc, until, this.options.capacity);
      return this.memory;
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      this.isHanging = true;
      return undefined;
    }
  }

  private current(): Promise<number | undefined> {
    const { known } = this;
    if (known !== undefined && this.now() - known.readAt < this.options.staleness)
      return Promise.resolve(known.version);
    this.waiting ??= this.running.then(() => {
      this.waiting = undefined;
      const read = this.read();
      this.running = read.catch(() => undefined);
      return read;
    });
    return this.waiting;
  }

  /** Has a time of its own, as it serves many. Nothing when that is up: those who wait go on without it. */
  private async read(): Promise<number | undefined> {
    const sql = `SELECT version FROM ${TABLES.dataVersion} WHERE id = 1`;
    const [readAt, writes] = [this.now(), this.writes];
    try {
      const [row] = await withTime(READ_MILLISECONDS, () => this.sql.query<{ version: number }>(sql));
      // A read that began before a write of ours may have missed it.
      if (row !== undefined && writes === this.writes) this.known = { version: row.version, readAt };
      return row?.version;
    } catch (error) {
      if (error instanceof OutOfTime) return undefined;
      throw error;
    }
  }

  private now(): number {
    return (this.options.monotonic ?? performanceNow)();
  }

  /** When the next scheduled record becomes public, without any commit. */
  private async nextChange(nowUtc: UtcTime): Promise<UtcTime> {
    const next = POST_TABLES.map((table) => `SELECT min(public_from) AS next FROM ${table} WHERE public_from > ?`);
    const rows = await this.sql.query<{ next: UtcTime | null }>(
      next.join(' UNION ALL '),
      POST_TABLES.map(() => nowUtc),
    );
    return rows.reduce((earliest, { next: time }) => (time !== null && time < earliest ? time : earliest), NEVER);
  }
}

const performanceNow = () => performance.now();

/** Behind every instant that is stored. */
const NEVER = '~';
