import type { Request } from 'express';
import type { RenderedReply } from './reply.js';
import type { ResponsesInFlight, Share } from './responses/responses-in-flight.js';
import type { PackedBody } from './bodies/packed-body.js';
import type { ConnectionNotes } from '../server/http-server.js';
import type { RequestContext } from './request-context.js';
import type { BaseUrl } from './base-url.js';
import type { MatchedRoute } from './operation.js';

/** What the stages before the router add to a request, in the order in which they run (pipeline.ts). */
export interface KalendsRequest extends Request, ConnectionNotes {
  requestId: string;
  responsesInFlight: ResponsesInFlight;
  /** The method as it was sent; updates reach the router as PATCH. */
  sentMethod: string;
  /** Where the request came in: the beginning of every link. Outside the mounts: the canonical one. */
  root: BaseUrl;
  /** Address of the client, behind trusted proxies too. */
  clientAddress: string;
  /** The path below the mount, percent-encoded, without trailing slash; undefined outside the mounts. */
  routePath: string | undefined;
  /** Of a place right above compatibility mounts: what is found below it (mounts.ts). */
  namespaces: readonly string[] | undefined;
  /** Values of the query, decoded; lists, objects and repeated keys as they were sent. */
  queryValues: Record<string, unknown>;
  /** Values of the body; empty where there is none. */
  bodyValues: Record<string, unknown>;
  /** A compressed body until it is unpacked. */
  packedBody?: PackedBody;
  /** Undefined outside the mounts. */
  matched?: MatchedRoute;
  /** Remembers the answer as it is sent, where it may be (response-cache.stage.ts). */
  keep?: (answer: RenderedReply) => void;
  /** The room that the answer takes, where it is no short one. */
  share?: Share;
  /** Takes back that this request counts against the limit of its caller: where there is one, once it was counted. */
  uncount?: () => void;
  context: RequestContext;
}
