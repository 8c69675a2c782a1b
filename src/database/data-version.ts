import type { UtcTime } from '../kernel/calendar-time.js';
import type { Sql } from './dialect.js';
import { Memory } from './memory.js';
import { POST_TABLES, TABLES } from './tables.js';
import { OutOfTime, withTime } from './time-budget.js';

/** How long the number may take, in milliseconds. A connection may be silent while the others are fine. */
const READ_MILLISECONDS = 1_000;

/**
 * The clock of what is remembered: the number of the last commit, which every process raises. One read of it serves all
 * requests that wait for it, but none that came after it began: what that one may miss, its own read does not.
 */
export class DataVersion {
  private memory = new Memory(-1, '', '', 0);
  private running: Promise<unknown> = Promise.resolve();
  private waiting: Promise<number | undefined> | undefined;

  constructor(
    private readonly sql: Sql,
    /** The room of a memory. */
    private readonly capacity: number,
  ) {}

  /** What is remembered of the newest state, as it shows at `nowUtc`. Nothing where nobody says which state that is. */
  async memoryAt(nowUtc: UtcTime): Promise<Memory | undefined> {
    const version = await this.current();
    if (version === undefined) return undefined;
    if (this.memory.holds(version, nowUtc)) return this.memory;
    const memory = new Memory(version, nowUtc, await this.nextChange(nowUtc), this.capacity);
    this.memory = memory;
    return memory;
  }

  private current(): Promise<number | undefined> {
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
    try {
      const [row] = await withTime(READ_MILLISECONDS, () => this.sql.query<{ version: number }>(sql));
      return row?.version;
    } catch (error) {
      if (error instanceof OutOfTime) return undefined;
      throw error;
    }
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

/** Behind every instant that is stored. */
const NEVER = '~';
