import type { Request } from 'express';
import type { ReadCache } from '../../database/cache/read-cache.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import type { Quota } from '../limits/rate-limiter.js';
import type { KeyedWrite } from './idempotency/keyed-write.js';
import type { RenderedReply, Reply } from './reply.js';
import type { ResponsesInFlight, ResponseReservation } from './responses/responses-in-flight.js';
import type { CompressedBody } from './bodies/compressed-body.js';
import type { ConnectionState } from '../server/http-server.js';
import type { RequestContext } from './request-context.js';
import type { BaseUrl } from './base-url.js';
import type { MatchedRoute } from './operation.js';
import type { Match } from './routing/route-table.js';
import type { FoundPath } from './routing/site-paths.js';

/** A response in the cache. */
interface CachedResponse {
  readonly key: string;
  readonly reply: RenderedReply;
}

/** The properties that pipeline stages add to a request, in the order of the stages (pipeline.ts). */
export interface KalendsRequest extends Request, ConnectionState {
  requestId: string;
  /** The time of the request. */
  nowUtc?: UtcTime;
  responsesInFlight: ResponsesInFlight;
  /** The method that the client sent. The route stage changes `method` of an update to PATCH. */
  sentMethod: string;
  /** The base URL of all links. Outside the mounts: that of the canonical mount. */
  apiBaseUrl: BaseUrl;
  /** IP address of the client, even behind trusted proxies. */
  clientAddress: string;
  /** The path below the mount, percent-encoded, without trailing slash; undefined outside the mounts. */
  routePath: string | undefined;
  /** The namespaces below the path, if it lies directly above compatibility mounts (mounts.ts). */
  namespaces: readonly string[] | undefined;
  /** Decoded values of the query. */
  queryValues: Record<string, unknown>;
  /** Parsed values of the body, if it was JSON or a form; empty without a body and for ordinary routes. */
  bodyValues: Record<string, unknown>;
  /** A compressed body that waits for decompression. */
  compressedBody?: CompressedBody;
  /** The route of the path, whether or not it has the method; undefined if there is none. */
  match?: Match;
  /** The page that the response shows. undefined: the request is not for a page. */
  page?: FoundPath;
  /** The matched route; undefined for the paths of the service outside the mounts. */
  matched?: MatchedRoute;
  /** The body as sent, if it was JSON or a form. For modules, under the name that Nest uses. */
  rawBody?: Buffer;
  /** What an equal request has in common, if the fast path may answer it (fast-path.ts). */
  fastPathKey?: string;
  /** The read cache, as the request found it (response-cache.stage.ts). */
  openedCache?: Promise<ReadCache | undefined>;
  /** The cached response that was sent, and its key in the cache. */
  sentFromCache?: CachedResponse;
  /** Caches the rendered response. Set if it may be cached (response-cache.stage.ts). */
  cacheReply?: (reply: RenderedReply) => void;
  /** Set on an ordinary route if there is an Idempotency-Key (idempotency.stage.ts). */
  keyedWrite?: KeyedWrite;
  /** The reply whose body interceptors of modules were shown (shown-reply.ts). */
  shownReply?: Reply;
  /** The memory reservation of a large response. */
  reservation?: ResponseReservation;
  /** The rate limit after this request was counted. */
  quota?: Quota;
  /** Returns this request to the caller's rate limit. Set once the request was counted. */
  refundRateLimit?: () => void;
  context: RequestContext;
}
