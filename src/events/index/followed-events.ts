import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CATEGORY } from '../../categories/category.kind.js';
import { Clock } from '../../config/clock.js';
import { Environment } from '../../config/environment.js';
import { type Followed, Follower, type StateFollower } from '../../database/cache/follower.js';
import { type DatabaseState, readAtVersion } from '../../database/cache/read-at-version.js';
import type { ReadCache } from '../../database/cache/read-cache.js';
import { RecordCache } from '../../database/cache/record-cache.js';
import { type Change, changedIds } from '../../database/cache/recent-changes.js';
import { ALL_CHANGED } from '../../database/connection/transaction.js';
import { Database } from '../../database/database.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { loggedError } from '../../errors/logged-error.js';
import { isOneOf } from '../../kernel/sql-condition.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { fromSeconds, toSeconds } from '../../kernel/time/epoch-seconds.js';
import { Log } from '../../platform/observability/log.js';
import type { PostKind } from '../../posts/post.kind.js';
import { EVENT } from '../event.kind.js';
import { LINKED, LINKED_NAMES, TERM_NAMES, TERMS } from '../event.link-kinds.js';
import { type EventReadRow, selectShown } from '../event.query.js';
import { type EventFacts, NEVER } from './event-facts.js';
import { EventIndex } from './event-index.js';
import { allFacts, factsOfShown, findFacts, findTermFacts } from './facts-query.js';
import { LinkedMoments } from './linked-moments.js';

/** Limits the time for which changes keep requests from running. */
const CHANGES_PER_TURN = 200;
/** Of so many changed events the rows are read, not only the facts. */
const MAX_ROWS_READ = 20;
/** Loading anew is cheaper from this number of changes, and from this share of the events. */
const MIN_CHANGES_TO_LOAD = 20_000;
const SHARE_TO_LOAD = 0.1;

/** The records of which each change names its own. */
const RECORDS: readonly PostKind[] = [EVENT, ...LINKED_NAMES.map((name) => LINKED[name].kind)];

/** The index of events of this process, which follows the change record. */
@Injectable()
export class FollowedEvents implements Followed, StateFollower {
  private index: EventIndex | undefined;
  /** The records in lists and responses. */
  private readonly records: RecordCache;
  /** When scheduled venues and organizers become public. */
  private readonly moments: LinkedMoments;
  private isTooSmall = false;
  /** The index has all commits up to this version, and maybe some of later ones. */
  private applied = 0;
  private readonly follower: Follower;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly environment: Environment,
    private readonly log: Log,
  ) {
    this.records = new RecordCache(
      environment.CACHE_ENTRIES,
      new Set([TABLES.terms, ...RECORDS.map(({ table }) => table)]),
    );
    this.follower = new Follower(database, database.scans, this);
    this.moments = new LinkedMoments(database);
    database.follower = this;
  }

  look(sql: Sql): Promise<DatabaseState | undefined> {
    return this.isOn ? this.follower.look(sql) : Promise.resolve(undefined);
  }

  async nextChange(state: DatabaseState, nowUtc: UtcTime): Promise<UtcTime | undefined> {
    if (!this.isOn || this.index === undefined) return undefined;
    // The changes first, because they may be those of scheduled venues.
    await this.follower.reach(state);
    const linked = await this.moments.after(nowUtc, state);
    if (this.index === undefined) return undefined;
    this.index.moveTo(this.nowSeconds);
    const until = this.index.samePublicUntil(toSeconds(nowUtc));
    if (until === undefined) return undefined;
    return until === NEVER || linked < fromSeconds(until) ? linked : fromSeconds(until);
  }

  /** Returns the cached row of an event if the index has the same facts of it. */
  agreeingRow(index: EventIndex, id: number): EventReadRow | undefined {
    const row = this.records.get(EVENT.table, id) as EventReadRow | null | undefined;
    if (row === undefined || row === null) return undefined;
    // Changes drop rows, so that an older one is the same.
    const isOld = (this.records.versionOf(row) ?? Infinity) <= this.applied;
    return isOld || index.agrees(factsOfShown(row)) ? row : undefined;
  }

  /** Returns the index with all commits up to `state`, or before the call, unless it must first be loaded. */
  async ifLoaded(state?: DatabaseState): Promise<EventIndex | undefined> {
    if (!this.isOn || this.index === undefined) return undefined;
    const wanted = state ?? (await this.database.stateInTime());
    if (wanted === undefined) return undefined;
    await this.follower.reach(wanted);
    this.index?.moveTo(this.nowSeconds);
    return this.index;
  }

  /**
   * Returns the index with the commits that it has. undefined: it is not loaded, or at a time at which other events are
   * public.
   */
  indexAt(nowUtc: UtcTime): EventIndex | undefined {
    const { index } = this;
    return this.isOn && index?.samePublicUntil(toSeconds(nowUtc)) !== undefined ? index : undefined;
  }

  /** Whether lists are read from the index: it is switched on, and it can hold the events of the database. */
  get isOn(): boolean {
    return this.environment.INDEX && !this.isTooSmall;
  }

  /**
   * Returns the cache of a request with the records that stay cached across commits. Returns it as it is while the index is not
   * loaded, because nothing follows the changes then. Leaves database errors to later statements, because wrong parameters
   * must be reported first.
   */
  async withRecords(sql: ReadCache): Promise<ReadCache> {
    if (!this.isOn || this.index === undefined || sql.state === undefined) return sql;
    const isThere = await this.follower.reach(sql.state).then(
      () => this.index !== undefined,
      () => false,
    );
    return isThere ? sql.withRecords(this.records) : sql;
  }

  get maxChanges(): number {
    return Math.max(MIN_CHANGES_TO_LOAD, (this.index?.columns.size ?? 0) * SHARE_TO_LOAD);
  }

  /**
   * Returns what `ask` reads from the index, which has all commits up to `state`. Without a state these are the commits
   * before the call. `ask` must be synchronous, because the index changes in between. Returns undefined if the index cannot
   * hold the events, or if the database does not tell its state in time. SQL may still answer then.
   */
  async read<Result>(ask: (index: EventIndex) => Result, state?: DatabaseState): Promise<Result | undefined> {
    const wanted = state ?? (await this.database.stateInTime());
    if (wanted === undefined) return undefined;
    do {
      await this.follower.reach(wanted);
      if (this.isTooSmall) return undefined;
      // Undefined if a concurrent request has found in the meantime that it must be loaded again.
    } while (this.index === undefined);
    this.index.moveTo(this.nowSeconds);
    return ask(this.index);
  }

  async load(sql: Sql, state: DatabaseState): Promise<void> {
    this.records.clear(state);
    this.applied = state.version;
    this.moments.forget();
    // Not two at once, because of the memory.
    this.index = undefined;
    try {
      this.index = await this.loaded(sql, state.version);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.isTooSmall = true;
      this.log.warn({
        error: loggedError(error),
        msg: 'the events are read by SQL, because the index cannot hold them',
      });
    }
  }

  private async loaded(sql: Sql, version: number): Promise<EventIndex> {
    const index = new EventIndex(this.nowSeconds);
    for (const { id, parent } of await findTermFacts(sql, undefined, version)) await index.keys.setTerm(id, parent);
    for await (const facts of allFacts(sql, version)) {
      index.load(facts);
      await yieldToRequests();
    }
    await index.build();
    return index;
  }

  async apply(sql: Sql, changes: readonly Change[], { version, epoch }: DatabaseState): Promise<boolean> {
    const { index } = this;
    // Loading again would not help.
    if (this.isTooSmall) return true;
    if (index === undefined || changes.some(({ kind }) => kind === ALL_CHANGED)) return false;
    for (const { table, noun } of RECORDS) this.records.drop(table, changedIds(changes, noun));
    for (const name of TERM_NAMES) this.records.drop(TABLES.terms, changedIds(changes, TERMS[name].noun));
    const last = changes.at(-1);
    if (last !== undefined) this.records.moveTo({ version: last.seq, epoch });
    if (LINKED_NAMES.some((name) => changedIds(changes, LINKED[name].kind.noun).length > 0)) this.moments.forget();
    for (const name of LINKED_NAMES) {
      for (const id of deletedIds(changes, LINKED[name].kind.noun)) await index.keys.removeKey(name, id);
    }
    await this.applyTerms(sql, index, changes, version);
    await this.applyEvents(sql, index, changedIds(changes, EVENT.noun), version);
    if (last !== undefined) this.applied = last.seq;
    return true;
  }

  private async applyTerms(sql: Sql, index: EventIndex, changes: readonly Change[], version: number): Promise<void> {
    const deleted = new Set(TERM_NAMES.flatMap((name) => deletedIds(changes, TERMS[name].noun)));
    for (const id of deleted) await index.keys.removeTerm(id);
    const changed = changedIds(changes, CATEGORY.noun).filter((id) => !deleted.has(id));
    if (changed.length === 0) return;
    for (const { id, parent } of await findTermFacts(sql, changed, version)) await index.keys.setTerm(id, parent);
  }

  private async applyEvents(sql: Sql, index: EventIndex, ids: readonly number[], version: number): Promise<void> {
    for (let from = 0; from < ids.length; from += CHANGES_PER_TURN) {
      if (from > 0) await yieldToRequests();
      const some = ids.slice(from, from + CHANGES_PER_TURN);
      const missing = new Set(some);
      for (const facts of await this.changedFacts(sql, some, version)) {
        missing.delete(facts.id);
        index.put(facts);
      }
      for (const id of missing) index.remove(id);
    }
  }

  /** Reads the rows of a few events whole, because the next requests probably need them. */
  private async changedFacts(sql: Sql, ids: readonly number[], version: number): Promise<readonly EventFacts[]> {
    if (ids.length > MAX_ROWS_READ) return findFacts(sql, ids, version);
    const { rows, version: readVersion } = await readAtVersion<EventReadRow>(
      sql,
      version,
      selectShown(isOneOf('e.id', ids)),
    );
    this.records.keep(EVENT.table, rows, readVersion);
    return rows.map(factsOfShown);
  }

  private get nowSeconds(): number {
    return toSeconds(this.clock.now());
  }
}

function deletedIds(changes: readonly Change[], noun: string): number[] {
  return changes.filter(({ kind }) => kind === `${noun}.deleted`).map(({ record_id }) => record_id);
}
