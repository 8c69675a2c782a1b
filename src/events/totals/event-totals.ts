import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { ReadCache } from '../../database/cache/read-cache.js';
import { TABLES } from '../../database/sql/tables.js';
import { isAnonymous } from '../../kernel/caller.js';
import { Environment } from '../../config/environment.js';
import { loggedError } from '../../errors/logged-error.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { Log } from '../../platform/observability/log.js';
import { eventCondition, type EventFilter, usesClock } from '../filter/filter.js';
import { CachedMatches, type MatchesAt } from './cached-matches.js';
import { countMatches, isPublicList, totalByDays } from './count-by-day.js';

/** Of so many lists the matches are kept; each takes an eighth of a byte for every event there is. */
const MOST_KEPT = 64;
/** In a key the moment has no place. */
const ANY_TIME = '';

interface Kept {
  /** The commit at which the list was asked for and counted. */
  readonly version: number;
  matches?: CachedMatches;
  isCollecting?: boolean;
}

/**
 * How many events lists have. Where there are many events, what is asked for again after a commit is not counted again:
 * its matches are kept (cached-matches.ts), once they are collected behind the back of the requests.
 */
@Injectable()
export class EventTotals implements BeforeApplicationShutdown {
  /** By list; who was not asked for lately comes first. */
  private readonly kept = new Map<string, Kept>();
  /** One after the other, so that the database has time for others. */
  private collecting: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly environment: Environment,
    private readonly log: Log,
  ) {}

  async of(sql: ReadCache, filter: EventFilter, context: RequestContext): Promise<number> {
    const { dialect } = this.database;
    const sum = await totalByDays(sql, dialect, filter, context);
    if (sum !== undefined) return sum;
    const { version } = sql.entries;
    const count = () => countMatches(sql, dialect, filter, context);
    return version === undefined || !this.mayKeep(filter, context)
      ? count()
      : this.keptTotal(sql, version, filter, context, count);
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  private mayKeep(filter: EventFilter, context: RequestContext): boolean {
    const { CACHE_ENTRIES, SEARCH_INDEX_FROM } = this.environment;
    if (CACHE_ENTRIES === 0 || SEARCH_INDEX_FROM === 0) return false;
    // Few candidates are counted as fast.
    const isKeepable = filter.candidates === undefined && !usesClock(filter);
    return isKeepable && isAnonymous(context.caller) && isPublicList(filter, context);
  }

  private async keptTotal(
    sql: ReadCache,
    version: number,
    filter: EventFilter,
    context: RequestContext,
    count: () => Promise<number>,
  ): Promise<number> {
    const matchesAt = matchesOf(filter, context);
    const key = JSON.stringify(matchesAt(ANY_TIME));
    const known = this.kept.get(key);
    const total = await known?.matches?.total(sql.sql, version, context.nowUtc);
    if (total !== undefined) {
      this.keep(key, known!);
      return total;
    }
    if (known?.matches?.isAfter(context.nowUtc) === false) this.kept.delete(key);
    const collect = () => this.collect(key, matchesAt, version, context);
    const counted = await count().catch((error: unknown) => {
      // Too many to be counted in the time of a request: who asks again finds them collected.
      if (this.database.isUnavailable(error)) collect();
      throw error;
    });
    if (known === undefined) this.keep(key, { version });
    else if (known.version !== version) collect();
    return counted;
  }

  private keep(key: string, kept: Kept): void {
    this.kept.delete(key);
    this.kept.set(key, kept);
    const [oldest = ''] = this.kept.size > MOST_KEPT ? this.kept.keys() : [];
    this.kept.delete(oldest);
  }

  private collect(key: string, matchesAt: MatchesAt, version: number, { nowUtc }: RequestContext): void {
    if (this.kept.get(key)?.isCollecting === true) return;
    const kept: Kept = { version, isCollecting: true };
    this.keep(key, kept);
    this.collecting = this.collecting.then(async () => {
      // What was forgotten while it waited is not worth the work.
      if (this.isStopping || this.kept.get(key) !== kept) return;
      try {
        kept.matches = await this.collected(matchesAt, version, nowUtc);
      } catch (error) {
        this.log.warn({ error: loggedError(error), msg: 'the events of a list were not collected' });
      }
      kept.isCollecting = false;
    });
  }

  private async collected(matchesAt: MatchesAt, version: number, nowUtc: string): Promise<CachedMatches | undefined> {
    const { scans } = this.database;
    // Not within the time of the request that asked for it.
    const [{ last = null } = {}] = await this.database.withDeadlineFor('reading', () =>
      scans.query<{ last: number | null }>(`SELECT max(id) AS last FROM ${TABLES.events}`),
    );
    const lastId = last ?? 0;
    if (lastId < this.environment.SEARCH_INDEX_FROM) return undefined;
    return CachedMatches.collect(scans, matchesAt, { version, lastId, nowUtc }, () => !this.isStopping);
  }
}

/** Made apart from the request that asks: what that one has read must not be kept with its list. */
function matchesOf(filter: EventFilter, context: RequestContext): MatchesAt {
  const asking = { ...context, reading: undefined };
  return (nowUtc) => eventCondition({ ...filter, isWalk: true }, { ...asking, nowUtc });
}
