import { currentDeadline, withDeadline, withTimeout } from '../connection/deadline.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import type { Sql } from '../sql/dialect.js';
import { changesFrom, lookFrom, newestPlace, type NextChanges, type Place } from './change-thread.js';
import type { DatabaseState } from './read-at-version.js';
import type { Change } from './recent-changes.js';

/** Timeout of each statement. A hanging connection must not keep all requests waiting for ever. */
const STATEMENT_TIMEOUT_MS = 10_000;

/** What a process keeps of the database in its memory, and corrects by the change record. */
export interface Followed {
  /** The number of changes after which reading everything anew is cheaper. */
  readonly maxChanges: number;
  /** Reads everything anew, from states of the database that are not before `state`. */
  load(sql: Sql, state: DatabaseState): Promise<void>;
  /**
   * Reads what the changes name, from states of the database that are not before `state`, and corrects it. Returns false if
   * everything must be loaded anew. `state` may be after the last of the changes.
   */
  apply(sql: Sql, changes: readonly Change[], state: DatabaseState): Promise<boolean>;
}

/** What follows the database in the memory of the process, and spares statements. Its functions may return undefined. */
export interface StateFollower {
  /** Reads the state of the database. */
  look(sql: Sql): Promise<DatabaseState | undefined>;
  /** Waits until it has all commits up to a state. Returns when the next scheduled record becomes public. */
  nextChange(state: DatabaseState, nowUtc: UtcTime): Promise<UtcTime | undefined>;
}

/**
 * Keeps something in memory as the database has it. It reads the change record from the last change that it knows. It
 * loads everything anew if the record does not continue there: rows were purged, a backup was restored, or `data_version`
 * was changed by hand.
 */
export class Follower {
  /** The place up to which changes are taken over. undefined: nothing is loaded. */
  private place: Place | undefined;
  private running: Promise<void> | undefined;
  /** The changes that the last look has found after a place. */
  private seen: { readonly after: Place; readonly page: NextChanges } | undefined;

  constructor(
    /** For lookups. */
    private readonly sql: Sql,
    /** For reads of many rows. */
    private readonly scans: Sql,
    private readonly followed: Followed,
  ) {}

  /**
   * Reads the state of the database, and by the same statement the changes that are to be taken over. undefined: nothing is
   * loaded yet, so that the state must be read alone.
   */
  async look(sql: Sql): Promise<DatabaseState | undefined> {
    const { place } = this;
    if (place === undefined) return undefined;
    const { state, page } = await lookFrom(sql, place);
    // Without new changes there is nothing to take over, and a page of an earlier look may be of another history.
    this.seen = page === undefined || page.changes.length === 0 ? undefined : { after: place, page };
    return state;
  }

  /** Waits until all commits up to `state` are taken over, at most until the deadline of the caller. */
  async reach(state: DatabaseState): Promise<void> {
    const deadline = currentDeadline();
    for (let runs = 0; !this.isAt(state, runs); runs += 1) {
      // Many requests share a run, so that it has no deadline of any of them.
      const run = (this.running ??= withDeadline(Infinity, () => this.run()).finally(() => (this.running = undefined)));
      await deadline.run(() => withTimeout(run, deadline.remaining, () => undefined));
    }
  }

  /**
   * A lower version may be an earlier look of a concurrent request, or a backup that was restored: that is checked once. Of
   * two runs one began after the look, so that it knows the epoch that the database has had since.
   */
  private isAt(state: DatabaseState, runs: number): boolean {
    const { place } = this;
    if (place === undefined) return false;
    if (place.epoch !== state.epoch) return runs > 1;
    return place.version === state.version || (place.version > state.version && runs > 0);
  }

  private async run(): Promise<void> {
    if (this.place !== undefined && (await this.takeOver())) return;
    this.place = undefined;
    const place = await newestPlace(timed(this.sql));
    await this.followed.load(timed(this.scans), place);
    this.place = place;
    // If the record breaks again meanwhile, the next request loads everything again.
    if (!(await this.takeOver())) this.place = undefined;
  }

  /** Takes over all changes up to the newest commit. Returns false if everything must be loaded anew. */
  private async takeOver(): Promise<boolean> {
    const sql = timed(this.sql);
    let count = 0;
    for (;;) {
      const { seen, place } = this;
      this.seen = undefined;
      const page = seen !== undefined && seen.after === place ? seen.page : await changesFrom(sql, place!);
      if (page === undefined) return false;
      count += page.changes.length;
      if (count > this.followed.maxChanges) return false;
      if (!(await this.followed.apply(sql, page.changes, { version: page.readVersion, epoch: page.next.epoch })))
        return false;
      this.place = page.next;
      if (page.isLastPage) return true;
    }
  }
}

function timed(sql: Sql): Sql {
  return { query: (statement, params) => withDeadline(STATEMENT_TIMEOUT_MS, () => sql.query(statement, params)) };
}
