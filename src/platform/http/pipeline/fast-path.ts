import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Tracing } from '../../observability/tracing.js';
import { Health } from '../../server/health.js';
import { RelaySocket } from '../../server/relay-socket.js';
import type { KalendsRequest } from '../request.js';
import { ResponsesInFlight } from '../responses/responses-in-flight.js';
import { sendReady } from '../responses/send.js';
import { RouteTable } from '../routing/route-table.js';
import { type KnownRequest, KnownRequests, readyHeaders } from './known-requests.js';
import { RateLimitStage } from './rate-limit.stage.js';
import { RequestContextStage } from './request-context.stage.js';
import { ResponseCacheStage } from './response-cache.stage.js';
import type { Stage } from './stage.js';

/** Requests with one of these headers pass all stages: they name a caller, announce a body, or have a precondition. */
const EXCLUDED = [
  ...['authorization', 'expect', 'content-length', 'transfer-encoding'],
  ...['if-match', 'if-unmodified-since', 'range'],
];

/** The headers, besides those of the public URL, on which a response of the cache depends. */
const DECISIVE = ['accept', 'accept-encoding', 'accept-language', 'origin'];

/**
 * Answers a request from the response cache without the stages, if an equal request has passed all of them and got the
 * same cached response: equal inputs, equal decisions. What differs between equal requests is done for each: its id, its
 * line in the log, its count against RATE_LIMIT, its look at the state of the database, and If-None-Match. The fast path
 * knows neither a rule nor a response of its own: it has the key in the cache, and the headers that were sent.
 */
@Injectable()
export class FastPath {
  private readonly known = new KnownRequests();

  constructor(
    private readonly requestContext: RequestContextStage,
    private readonly rateLimit: RateLimitStage,
    private readonly responseCache: ResponseCacheStage,
    private readonly routes: RouteTable,
    private readonly responsesInFlight: ResponsesInFlight,
    private readonly health: Health,
    private readonly tracing: Tracing,
  ) {}

  /** Sends the response, or calls `otherwise` if the stages must handle the request. */
  answer(request: KalendsRequest, response: Response, otherwise: () => void): void {
    const key = this.keyOf(request);
    request.fastPathKey = key;
    const known = key === undefined ? undefined : this.known.get(key);
    if (known === undefined) otherwise();
    else void this.send(known, request, response).then((isSent) => isSent || otherwise());
  }

  /** Notes a request that has passed all stages, if its response came from the cache. */
  learn(request: KalendsRequest, response: Response, stagesOfModules: readonly Stage[]): void {
    const { fastPathKey: key, sentFromCache, matched } = request;
    if (key === undefined || sentFromCache === undefined || response.statusCode !== 200) return;
    if (!stagesOfModules.every((stage) => stage.isRepeatable?.(request) === true)) return;
    const headers = readyHeaders(response);
    if (headers === undefined) return;
    this.known.set(key, { cacheKey: sentFromCache.key, headers, headersOfReply: sentFromCache.reply.headers, matched });
  }

  /** Returns what equal requests have in common, or undefined if all stages must see the request. */
  private keyOf(request: KalendsRequest): string | undefined {
    const { method, headers } = request;
    if ((method !== 'GET' && method !== 'HEAD') || EXCLUDED.some((name) => headers[name] !== undefined))
      return undefined;
    if (this.health.isStopping || this.tracing.isOn || this.routes.hasForeignChecks) return undefined;
    // Its URL was lengthened, which the URL stage takes into account.
    if (request.socket instanceof RelaySocket || !hasOneHost(request)) return undefined;
    let key = `${method} ${request.url}`;
    for (const name of this.requestContext.decisiveHeaders(request)) key += partOf(headers[name]);
    for (const name of DECISIVE) key += partOf(headers[name]);
    return key;
  }

  /** Returns false, with nothing sent, if the stages must handle the request after all. */
  private async send(known: KnownRequest, request: KalendsRequest, response: Response): Promise<boolean> {
    const nowUtc = this.requestContext.begin(request, response);
    try {
      if (this.rateLimit.isOn && !(await this.rateLimit.admits(request, response))) return false;
      const reply = await this.responseCache.find(known.cacheKey, request, nowUtc);
      // A response that was made anew has other headers. The stages send it, and it is noted again.
      if (reply === undefined || reply.headers !== known.headersOfReply) return false;
      request.matched = known.matched;
      request.responsesInFlight = this.responsesInFlight;
      return sendReady(response, reply, known.headers);
    } catch {
      // The stages fail alike, and say why. A response that has begun cannot be replaced.
      if (response.headersSent) response.destroy();
      return response.headersSent;
    }
  }
}

/** A line break, because no URL and no header contains one. Distinguishes a missing header from an empty one. */
function partOf(header: string | string[] | undefined): string {
  return header === undefined ? '\n' : `\n=${String(header)}`;
}

/** The first of two hosts is in `headers`, but the URL stage rejects both. */
function hasOneHost({ rawHeaders }: KalendsRequest): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count === 1;
}
