import type { UtcTime } from '../kernel/calendar-time.js';
import type { Sql } from './dialect.js';
import { Memory } from './memory.js';
import { POST_TABLES, TABLES } from './tables.js';

/** How long the number may take, in milliseconds. A connection may be silent while the others are fine. */
const READ_MILLISECONDS = 1_000;

/**
 * The clock of what is remembered: the number of the last commit, which every process raises. One read of it serves all
 * requests that wait for it, but none that came after it began: what that one may miss, its own read does not.
 */
export class DataVersion {
  private memory = new Memory(-1, '', '');
  private running: Promise<unknown> = Promise.resolve();
  private waiting: Promise<number | undefined> | undefined;

  constructor(private readonly sql: Sql) {}

  /** What is remembered of the newest state, as it shows at `nowUtc`. Nothing where nobody says which state that is. */
  async memoryAt(nowUtc: UtcTime): Promise<Memory | undefined> {
    const version = await this.current();
    if (version === undefined) return undefined;
    if (this.memory.holds(version, nowUtc)) return this.memory;
    const memory = new Memory(version, nowUtc, await this.nextChange(nowUtc));
    this.memory = memory;
    return memory;
  }

  private current(): Promise<number | undefined> {
    this.waiting ??= this.running.then(() => {
      this.waiting = undefined;
      const read = inTime(this.read());
      this.running = read.catch(() => undefined);
      return read;
    });
    return this.waiting;
  }

  private async read(): Promise<number | undefined> {
    const [row] = await this.sql.query<{ version: number }>(`SELECT version FROM ${TABLES.dataVersion} WHERE id = 1`);
    return row?.version;
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

/** Gives up what takes too long: those who wait go on without it. */
async function inTime<Value>(work: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, READ_MILLISECONDS, undefined)));
  return Promise.race([work, end]).finally(() => clearTimeout(timer));
}
