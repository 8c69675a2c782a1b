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

/** The capacity of the cache in lists. Each takes one bit for every event. */
const MAX_CACHED_LISTS = 64;
/** Replaces the time in cache keys, which must not depend on it. */
const ANY_TIME = '';

interface CachedList {
  /** The data version at which the list was counted. */
  readonly version: number;
  matches?: CachedMatches;
  isCollecting?: boolean;
}

/**
 * Returns the totals of lists. If there are many events, it caches the matches of lists that are requested again after a
 * commit (cached-matches.ts), so that they are not counted again. It collects the matches in the background.
 */
@Injectable()
export class EventTotals implements BeforeApplicationShutdown {
  /** The cached lists, least recently used first. */
  private readonly lists = new Map<string, CachedList>();
  /** The queue of collections. They run one after the other to limit the load on the database. */
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
    const version = sql.entries.state?.version;
    const count = () => countMatches(sql, dialect, filter, context);
    return version === undefined || !this.isCacheable(filter, context)
      ? count()
      : this.cachedTotal(sql, version, filter, context, count);
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  private isCacheable(filter: EventFilter, context: RequestContext): boolean {
    const { CACHE_ENTRIES, SEARCH_INDEX_FROM } = this.environment;
    if (CACHE_ENTRIES === 0 || SEARCH_INDEX_FROM === 0) return false;
    // With the events of a search, a count is as fast as a refresh of cached matches. Filters of modules may depend on other tables.
    const isStable = filter.found === undefined && filter.further.length === 0 && !usesClock(filter);
    return isStable && isAnonymous(context.caller) && isPublicList(filter, context);
  }

  private async cachedTotal(
    sql: ReadCache,
    version: number,
    filter: EventFilter,
    context: RequestContext,
    count: () => Promise<number>,
  ): Promise<number> {
    const matchesAt = matchesOf(filter, context);
    const key = JSON.stringify(matchesAt(ANY_TIME));
    const cached = this.lists.get(key);
    const total = await cached?.matches?.total(sql.sql, version, context.nowUtc);
    if (total !== undefined) {
      this.cache(key, cached!);
      return total;
    }
    if (cached?.matches?.isAfter(context.nowUtc) === false) this.lists.delete(key);
    const collect = () => this.collect(key, matchesAt, version, context);
    const counted = await count().catch((error: unknown) => {
      // Counting exceeds the deadline of a request. Collects the matches, so that later requests find them.
      if (this.database.isUnavailable(error)) collect();
      throw error;
    });
    if (cached === undefined) this.cache(key, { version });
    else if (cached.version !== version) collect();
    return counted;
  }

  private cache(key: string, list: CachedList): void {
    this.lists.delete(key);
    this.lists.set(key, list);
    const [oldest = ''] = this.lists.size > MAX_CACHED_LISTS ? this.lists.keys() : [];
    this.lists.delete(oldest);
  }

  private collect(key: string, matchesAt: MatchesAt, version: number, { nowUtc }: RequestContext): void {
    if (this.lists.get(key)?.isCollecting === true) return;
    const list: CachedList = { version, isCollecting: true };
    this.cache(key, list);
    this.collecting = this.collecting.then(async () => {
      // Skips lists that were evicted while they waited in the queue.
      if (this.isStopping || this.lists.get(key) !== list) return;
      try {
        list.matches = await this.collectMatches(matchesAt, version, nowUtc);
      } catch (error) {
        this.log.warn({ error: loggedError(error), msg: 'the events of a list were not collected' });
      }
      list.isCollecting = false;
    });
  }

  private async collectMatches(
    matchesAt: MatchesAt,
    version: number,
    nowUtc: string,
  ): Promise<CachedMatches | undefined> {
    const { scans } = this.database;
    // Without the deadline of the request that started it.
    const [{ last = null } = {}] = await this.database.withDeadlineFor('read', () =>
      scans.query<{ last: number | null }>(`SELECT max(id) AS last FROM ${TABLES.events}`),
    );
    const lastId = last ?? 0;
    if (lastId < this.environment.SEARCH_INDEX_FROM) return undefined;
    return CachedMatches.collect(scans, matchesAt, { version, lastId, nowUtc }, () => !this.isStopping);
  }
}

/** Returns the matches of a filter. Drops the request's `cachedReads`, so that the cache does not retain its data. */
function matchesOf(filter: EventFilter, context: RequestContext): MatchesAt {
  const detached = { ...context, cachedReads: undefined };
  return (nowUtc) => eventCondition({ ...filter, isOrderedScan: true }, { ...detached, nowUtc });
}
