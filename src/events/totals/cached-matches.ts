import { changedIds, changesSince } from '../../database/cache/recent-changes.js';
import { withTimeout, currentDeadline, withDeadline } from '../../database/connection/deadline.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { allOf, type SqlCondition, condition, isOneOf } from '../../kernel/sql-condition.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { EVENT } from '../event.kind.js';

/** After more changes than this, collecting again is cheaper than checking each changed event. */
const MAX_CHANGES = 2_000;
/** The range of ids in one query of `collect`, so that each query is short. */
const IDS_PER_QUERY = 20_000;
const QUERY_TIMEOUT_MS = 10_000;

/** Returns the condition for the events of a public list at a time. */
export type MatchesAt = (nowUtc: UtcTime) => SqlCondition;

/**
 * The cached ids of the events in a list. A refresh checks the events in the change record, and those that became public
 * with time. That is enough, because only an event's own row and links decide whether it is in a list.
 */
export class CachedMatches {
  private readonly ids = new IdSet();
  /** The queue of refreshes. They run one after the other, because each starts from the result of the last. */
  private queue: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly matchesAt: MatchesAt,
    /** Includes all commits up to this version, and maybe later ones. */
    private version: number,
    private nowUtc: UtcTime,
  ) {}

  /** Collects the matches among all events up to `lastId`. Returns undefined if `shouldContinue` stops it. */
  static async collect(
    sql: Sql,
    matchesAt: MatchesAt,
    { version, lastId, nowUtc }: { readonly version: number; readonly lastId: number; readonly nowUtc: UtcTime },
    shouldContinue: () => boolean,
  ): Promise<CachedMatches | undefined> {
    const matches = new CachedMatches(matchesAt, version, nowUtc);
    for (let from = 0; from < lastId; from += IDS_PER_QUERY) {
      if (!shouldContinue()) return undefined;
      const range = condition('e.id > ? AND e.id <= ?', from, from + IDS_PER_QUERY);
      const found = await withDeadline(QUERY_TIMEOUT_MS, () => matches.matching(sql, range, nowUtc));
      for (const id of found) matches.ids.set(id, true);
    }
    return matches;
  }

  /** Whether the matches are those of a later time than `nowUtc`. */
  isAfter(nowUtc: UtcTime): boolean {
    return nowUtc < this.nowUtc;
  }

  /**
   * Returns the total at a version or a later one, or undefined if the changes since the last refresh are unknown. Time in
   * the queue counts towards the caller's deadline.
   */
  total(sql: Sql, version: number, nowUtc: UtcTime): Promise<number | undefined> {
    const deadline = currentDeadline();
    const total = this.queue.then(() => (deadline.remaining > 0 ? this.refresh(sql, version, nowUtc) : undefined));
    this.queue = total.catch(() => undefined);
    return deadline.run(() => withTimeout(total, deadline.remaining, () => undefined));
  }

  private async refresh(sql: Sql, version: number, nowUtc: UtcTime): Promise<number | undefined> {
    if (this.isAfter(nowUtc)) return undefined;
    if (version <= this.version && nowUtc === this.nowUtc) return this.ids.size;
    const changes = await changesSince(sql, this.version, version, MAX_CHANGES);
    if (changes === undefined || !changes.every(({ kind }) => affectsOnlyItsEvent(kind))) return undefined;
    const published = nowUtc === this.nowUtc ? [] : await this.publishedUntil(sql, nowUtc);
    const changed = [...new Set([...changedIds(changes, EVENT.noun), ...published])];
    if (changed.length > 0) {
      const found = new Set(await this.matching(sql, isOneOf('e.id', changed), nowUtc));
      for (const id of changed) this.ids.set(id, found.has(id));
    }
    this.version = changes.at(-1)?.seq ?? this.version;
    this.nowUtc = nowUtc;
    return this.ids.size;
  }

  /** Returns the events that became public with time, without a commit, since the last refresh. */
  private async publishedUntil(sql: Sql, nowUtc: UtcTime): Promise<number[]> {
    const rows = await sql.query<{ id: number }>(
      `SELECT id FROM ${TABLES.events} WHERE public_from > ? AND public_from <= ?`,
      [this.nowUtc, nowUtc],
    );
    return rows.map(({ id }) => id);
  }

  private async matching(sql: Sql, restriction: SqlCondition, nowUtc: UtcTime): Promise<number[]> {
    const { sql: where, params } = allOf([restriction, this.matchesAt(nowUtc)]);
    const rows = await sql.query<{ id: number }>(`SELECT e.id FROM ${TABLES.events} e WHERE ${where}`, params);
    return rows.map(({ id }) => id);
  }
}

/** Changes and deletions of venues, organizers and terms may affect other events. New ones have no events yet. */
function affectsOnlyItsEvent(kind: string): boolean {
  return kind.startsWith('event.') || kind.endsWith('.created');
}

const BITS_PER_WORD = 32;

/** A set of ids as a bitmap, which takes one bit for each id up to the highest. */
export class IdSet {
  private words = new Uint32Array(1);
  private count = 0;

  get size(): number {
    return this.count;
  }

  has(id: number): boolean {
    return ((this.words[Math.floor(id / BITS_PER_WORD)] ?? 0) & bitOf(id)) !== 0;
  }

  /** Adds or removes an id. */
  set(id: number, isMember: boolean): void {
    if (this.has(id) === isMember) return;
    const index = Math.floor(id / BITS_PER_WORD);
    if (index >= this.words.length) this.grow(index + 1);
    this.words[index] = (this.words[index] as number) ^ bitOf(id);
    this.count += isMember ? 1 : -1;
  }

  private grow(minWords: number): void {
    const grown = new Uint32Array(Math.max(minWords, this.words.length * 2));
    grown.set(this.words);
    this.words = grown;
  }
}

function bitOf(id: number): number {
  return 1 << (id % BITS_PER_WORD);
}
