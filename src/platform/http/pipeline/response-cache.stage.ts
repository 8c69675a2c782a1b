import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../../../config/environment.js';
import { Database } from '../../../database/database.js';
import type { ReadCache } from '../../../database/cache/read-cache.js';
import { isAnonymous } from '../../../kernel/caller.js';
import type { UtcTime } from '../../../kernel/time/calendar-time.js';
import { WeightedCache, weightOf } from '../../../kernel/weighted-cache.js';
import type { RenderedReply } from '../reply.js';
import type { KalendsRequest } from '../request.js';
import type { RequestContext } from '../request-context.js';
import { RouteTable } from '../routing/route-table.js';
import type { FoundPath } from '../routing/site-paths.js';
import { apiRootOf, type BaseUrl } from '../base-url.js';
import { JSON_TYPE } from '../responses/render.js';
import { isKnownTag, sendRendered } from '../responses/send.js';
import type { Stage } from './stage.js';

/** A response, valid from `since` until its `expiresAt`. */
interface CachedReply {
  readonly reply: RenderedReply;
  readonly since: UtcTime;
  /** The token of the cache of the state for which the response holds (cache-entries.ts). */
  state: object;
}

/**
 * Answers reads of anonymous callers from the cache, and lets other responses be cached. Comes last, so that all other
 * stages treat cached and new responses alike. Caches nothing if modules have guards, interceptors or middleware that
 * run later. A response is dropped after the next commit, unless it tells that it still holds (`Reply.stillHolds`).
 */
@Injectable()
export class ResponseCacheStage implements Stage {
  private readonly replies: WeightedCache<CachedReply>;

  constructor(
    private readonly database: Database,
    private readonly routes: RouteTable,
    environment: Environment,
  ) {
    this.replies = new WeightedCache(environment.CACHE_ENTRIES);
  }

  async handle(request: KalendsRequest, response: Response): Promise<boolean> {
    if (!isCacheable(request) || this.routes.hasForeignChecks) return false;
    const cache = await this.openCache(request, request.context);
    if (cache === undefined) return false;
    const { nowUtc } = request.context;
    const key = keyOf(request);
    const cached = this.usable(key, cache, request, nowUtc);
    if (cached !== undefined) {
      // Adds the gzipped form, if this client is the first to accept it.
      request.cacheReply = (reply) => this.store(key, { ...cached, reply });
      await sendRendered(response, cached.reply);
      request.sentFromCache = { key, reply: cached.reply };
      return true;
    }
    const state = cache.entries.token;
    // The state may be unknown, because the database did not give it in time.
    if (cache.state !== undefined) request.cacheReply = (reply) => this.store(key, { reply, since: nowUtc, state });
    request.context = { ...request.context, cachedReads: cache };
    return false;
  }

  /** Returns the cached response of a key if it is valid for a request that no stage has seen (fast-path.ts). */
  async find(key: string, request: KalendsRequest, nowUtc: UtcTime): Promise<RenderedReply | undefined> {
    const cache = await this.openCache(request, { nowUtc });
    return cache && this.usable(key, cache, request, nowUtc)?.reply;
  }

  private usable(key: string, cache: ReadCache, request: KalendsRequest, nowUtc: UtcTime): CachedReply | undefined {
    const cached = this.replies.get(key);
    if (cached === undefined || cache.state === undefined || !isUsable(cached, request, nowUtc)) return undefined;
    const { token } = cache.entries;
    if (cached.state !== token && cached.reply.stillHolds?.(nowUtc) !== true) {
      // Later requests need not ask again.
      this.replies.delete(key);
      return undefined;
    }
    cached.state = token;
    return cached;
  }

  /** Caches a response. Of a large text it caches the headers only, so that 304 still needs no rendering. */
  private store(key: string, cached: CachedReply): void {
    const { reply } = cached;
    const { content } = reply;
    const isSmall = weightOf(1, content.length) <= this.replies.capacity * MAX_SHARE_OF_TEXT;
    const characters = key.length + FURTHER_CHARACTERS;
    if (reply.type === JSON_TYPE || isSmall)
      this.replies.set(key, cached, weightOf(1, characters + content.totalBytes));
    else {
      const kept = { ...cached, reply: { ...reply, content: content.withoutBytes() } };
      this.replies.set(key, kept, weightOf(1, characters));
    }
  }

  /**
   * Opens the cache once, so that a request reads the state of the database once. Leaves database errors to the handler,
   * because it must report wrong parameters first.
   */
  private openCache(
    request: KalendsRequest,
    context: Pick<RequestContext, 'nowUtc' | 'cachedReads'>,
  ): Promise<ReadCache | undefined> {
    return (request.openedCache ??= this.database.cachedReads(context).catch(() => undefined));
  }
}

function isUsable({ reply, since }: CachedReply, request: KalendsRequest, nowUtc: UtcTime): boolean {
  const isValid = nowUtc >= since && nowUtc < (reply.expiresAt ?? since);
  return isValid && (reply.content.hasBytes || isKnownTag(request, reply.tag));
}

/** Estimated characters of what a response has besides its bytes: headers, and what tells whether it still holds. */
const FURTHER_CHARACTERS = 2_000;
/** Of the cache. A feed of thousands of events is megabytes, and would evict the lists (ical 5). */
const MAX_SHARE_OF_TEXT = 0.1;

/** Excludes responses of unknown hosts, because their links name that host, and of password-protected events. */
function isCacheable({ method, match, matched, page, context, apiBaseUrl, queryValues }: KalendsRequest): boolean {
  // A redirect to a record, or to the other spelling of a page, with which it has the key in common.
  if (match?.page !== undefined && page?.isCanonical !== true) return false;
  if ((method !== 'GET' && method !== 'HEAD') || matched === undefined || matched.describes || matched.isOrdinary)
    return false;
  return isAnonymous(context.caller) && apiBaseUrl.isCacheable && !('password' in queryValues);
}

/** Contains everything that a response depends on, except records and time. */
function keyOf({ apiBaseUrl, routePath = '', url, page, queryValues }: KalendsRequest): string {
  if (page !== undefined) return pageKeyOf(apiBaseUrl, page, queryValues);
  const at = url.indexOf('?');
  return `answer ${apiBaseUrl.language} ${apiRootOf(apiBaseUrl)} ${routePath}${at < 0 ? '' : url.slice(at)}`;
}

/** Unknown parameters of a page have no effect (pages P9). */
function pageKeyOf(
  { language, origin }: BaseUrl,
  { site, language: prefix = '', path }: FoundPath,
  queryValues: Record<string, unknown>,
): string {
  const known = (site.query ?? []).filter((name) => name in queryValues).map((name) => [name, queryValues[name]]);
  return `page ${language} ${prefix} ${origin} ${path} ${JSON.stringify(known)}`;
}
