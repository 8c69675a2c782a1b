import { changedIds, changesSince } from '../../database/cache/recent-changes.js';
import { withTimeout, currentDeadline, withDeadline } from '../../database/connection/deadline.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { allOf, type SqlCondition, condition, isOneOf } from '../../kernel/sql-condition.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { EVENT } from '../event.kind.js';

/** Of more changes the events are not looked at one by one. */
const MOST_CHANGES = 2_000;
/** So many ids are looked at with one statement, which must not take long; it is given up after so many milliseconds. */
const IDS_A_STATEMENT = 20_000;
const LONGEST_STATEMENT = 10_000;

/** Which events belong to a public list at a moment. */
export type MatchesAt = (nowUtc: UtcTime) => SqlCondition;

/**
 * The events that belong to a list, kept from commit to commit: of those that the change record names, and of those that
 * have become public by the time, it is found out again whether they do. Nothing else changes whether an event belongs to
 * a list but its own row and its links.
 */
export class CachedMatches {
  private readonly ids = new IdSet();
  /** One refresh after the other: each begins where the last one ended. */
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly matchesAt: MatchesAt,
    /** What was committed up to here is known, maybe more. */
    private version: number,
    private at: UtcTime,
  ) {}

  /** Goes through all events up to `lastId`, with one short statement after the other; undefined: it was stopped. */
  static async collect(
    sql: Sql,
    matchesAt: MatchesAt,
    { version, lastId, nowUtc }: { readonly version: number; readonly lastId: number; readonly nowUtc: UtcTime },
    goesOn: () => boolean,
  ): Promise<CachedMatches | undefined> {
    const matches = new CachedMatches(matchesAt, version, nowUtc);
    for (let from = 0; from < lastId; from += IDS_A_STATEMENT) {
      if (!goesOn()) return undefined;
      const part = condition('e.id > ? AND e.id <= ?', from, from + IDS_A_STATEMENT);
      const found = await withDeadline(LONGEST_STATEMENT, () => matches.matching(sql, part, nowUtc));
      for (const id of found) matches.ids.put(id, true);
    }
    return matches;
  }

  /** Whether they are those of a later moment. */
  isAfter(nowUtc: UtcTime): boolean {
    return nowUtc < this.at;
  }

  /**
   * How many there are in the state of a commit or a later one; undefined: what has changed since cannot be told. Waiting
   * for a turn takes of the caller's time, too.
   */
  total(sql: Sql, version: number, nowUtc: UtcTime): Promise<number | undefined> {
    const budget = currentDeadline();
    const turn = this.turn.then(() => (budget.remaining > 0 ? this.refreshed(sql, version, nowUtc) : undefined));
    this.turn = turn.catch(() => undefined);
    return budget.run(() => withTimeout(turn, budget.remaining, () => undefined));
  }

  private async refreshed(sql: Sql, version: number, nowUtc: UtcTime): Promise<number | undefined> {
    if (this.isAfter(nowUtc)) return undefined;
    if (version <= this.version && nowUtc === this.at) return this.ids.size;
    const changes = await changesSince(sql, this.version, version, MOST_CHANGES);
    if (changes === undefined || !changes.every(({ kind }) => concernsItsEvent(kind))) return undefined;
    const shown = nowUtc === this.at ? [] : await this.shownSince(sql, nowUtc);
    const changed = [...new Set([...changedIds(changes, EVENT.noun), ...shown])];
    if (changed.length > 0) {
      const found = new Set(await this.matching(sql, isOneOf('e.id', changed), nowUtc));
      for (const id of changed) this.ids.put(id, found.has(id));
    }
    this.version = changes.at(-1)?.seq ?? this.version;
    this.at = nowUtc;
    return this.ids.size;
  }

  /** Those that have become public without any commit. */
  private async shownSince(sql: Sql, nowUtc: UtcTime): Promise<number[]> {
    const rows = await sql.query<{ id: number }>(
      `SELECT id FROM ${TABLES.events} WHERE public_from > ? AND public_from <= ?`,
      [this.at, nowUtc],
    );
    return rows.map(({ id }) => id);
  }

  private async matching(sql: Sql, which: SqlCondition, nowUtc: UtcTime): Promise<number[]> {
    const { sql: where, params } = allOf([which, this.matchesAt(nowUtc)]);
    const rows = await sql.query<{ id: number }>(`SELECT e.id FROM ${TABLES.events} e WHERE ${where}`, params);
    return rows.map(({ id }) => id);
  }
}

/** A record that is new has no events yet; one that changes, or goes, may change what belongs to lists. */
function concernsItsEvent(kind: string): boolean {
  return kind.startsWith('event.') || kind.endsWith('.created');
}

const BITS = 32;

/** A set of ids as a bitmap: an eighth of a byte for each id up to the greatest. */
export class IdSet {
  private words = new Uint32Array(1);
  private count = 0;

  get size(): number {
    return this.count;
  }

  has(id: number): boolean {
    return ((this.words[Math.floor(id / BITS)] ?? 0) & bitOf(id)) !== 0;
  }

  /** Puts an id in or takes it out. */
  put(id: number, isMember: boolean): void {
    if (this.has(id) === isMember) return;
    const at = Math.floor(id / BITS);
    if (at >= this.words.length) this.grow(at + 1);
    this.words[at] = (this.words[at] as number) ^ bitOf(id);
    this.count += isMember ? 1 : -1;
  }

  private grow(words: number): void {
    const grown = new Uint32Array(Math.max(words, this.words.length * 2));
    grown.set(this.words);
    this.words = grown;
  }
}

function bitOf(id: number): number {
  return 1 << (id % BITS);
}
