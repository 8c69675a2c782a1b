import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Database } from '../../../database/database.js';
import type { ReadCache } from '../../../database/cache/read-cache.js';
import { isAnonymous } from '../../../kernel/caller.js';
import type { UtcTime } from '../../../kernel/time/calendar-time.js';
import type { RenderedReply } from '../reply.js';
import type { KalendsRequest } from '../request.js';
import { RouteTable } from '../routing/route-table.js';
import { apiRootOf } from '../base-url.js';
import { sendRendered } from '../responses/send.js';
import type { Stage } from './stage.js';

/** A response of one database version, valid from `since` until its `expiresAt`. */
interface CachedReply {
  readonly reply: RenderedReply;
  readonly since: UtcTime;
}

/**
 * Answers reads of anonymous callers from the cache, and lets other responses be cached. Comes last, so that all other
 * stages treat cached and new responses alike. Caches nothing if modules have guards, interceptors or middleware that
 * run later.
 */
@Injectable()
export class ResponseCacheStage implements Stage {
  constructor(
    private readonly database: Database,
    private readonly routes: RouteTable,
  ) {}

  async handle(request: KalendsRequest, response: Response): Promise<boolean> {
    if (!isCacheable(request) || this.routes.hasForeignChecks) return false;
    const cache = await this.openCache(request);
    if (cache === undefined) return false;
    const { nowUtc } = request.context;
    const key = keyOf(request);
    const cached = cache.entries.get(key) as CachedReply | undefined;
    if (cached !== undefined && nowUtc >= cached.since && nowUtc < (cached.reply.expiresAt ?? cached.since)) {
      // Adds the gzipped form, if this client is the first to accept it.
      request.cacheReply = (reply) => store(cache, key, { ...cached, reply });
      await sendRendered(response, cached.reply);
      return true;
    }
    request.cacheReply = (reply) => store(cache, key, { reply, since: nowUtc });
    request.context = { ...request.context, cachedReads: cache };
    return false;
  }

  /** Leaves database errors to the handler, because it must report wrong parameters first. */
  private async openCache({ context }: KalendsRequest): Promise<ReadCache | undefined> {
    try {
      return await this.database.cachedReads(context);
    } catch {
      return undefined;
    }
  }
}

function store(cache: ReadCache, key: string, cached: CachedReply): void {
  cache.store(key, cached, cached.reply.content.totalBytes);
}

/** Excludes responses of unknown hosts, because their links name that host, and of password-protected events. */
function isCacheable({ method, matched, context, apiBaseUrl, queryValues }: KalendsRequest): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || matched === undefined || matched.describes || matched.isOrdinary)
    return false;
  return isAnonymous(context.caller) && apiBaseUrl.isCacheable && !('password' in queryValues);
}

/** Contains everything that a response depends on, except records and time. */
function keyOf({ apiBaseUrl, routePath = '', url }: KalendsRequest): string {
  const at = url.indexOf('?');
  return `answer ${apiBaseUrl.language} ${apiRootOf(apiBaseUrl)} ${routePath}${at < 0 ? '' : url.slice(at)}`;
}
