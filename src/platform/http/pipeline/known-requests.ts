import type { Response } from 'express';
import { WeightedCache } from '../../../kernel/weighted-cache.js';
import type { MatchedRoute } from '../operation.js';
import type { ReadyHeaders } from '../responses/send.js';

/** What the stages have decided on a request, and on all that are equal to it (fast-path.ts). */
export interface KnownRequest {
  /** The key of the response in the cache. */
  readonly cacheKey: string;
  readonly headers: ReadyHeaders;
  /** Identifies the rendered response whose headers these are, without keeping its bytes in memory. */
  readonly headersOfReply: object;
  readonly matched: MatchedRoute | undefined;
}

/** Of keys and headers: about four megabytes at most. */
const MAX_CHARACTERS = 2_000_000;
/** Estimated characters of what an entry has besides. */
const CHARACTERS_OF_ENTRY = 500;

/** The requests that were answered from the cache, by what equal ones have in common. Those not used recently are dropped. */
export class KnownRequests {
  private readonly known: WeightedCache<KnownRequest>;

  constructor(capacity = MAX_CHARACTERS) {
    this.known = new WeightedCache(capacity);
  }

  get(key: string): KnownRequest | undefined {
    return this.known.get(key);
  }

  set(key: string, known: KnownRequest): void {
    const { cacheKey, headers } = known;
    this.known.set(key, known, key.length + cacheKey.length + headers.characters + CHARACTERS_OF_ENTRY);
  }
}

/** Headers of one response only, in lower case. They are set for each. */
const OF_ONE_RESPONSE = new Set(['x-request-id', 'ratelimit', 'ratelimit-policy']);
/** Headers of a body, which a 304 does not have. */
const OF_A_BODY = new Set(['content-type', 'content-encoding', 'content-length']);

/** Node's types give this method to requests of clients only. */
type WithRawNames = Response & { getRawHeaderNames(): string[] };

/** Returns the headers of a sent response for equal requests, or undefined if these cannot have the same. */
export function readyHeaders(response: Response): ReadyHeaders | undefined {
  // A longer response is compressed while it is sent. A connection that closes is no decision on the request.
  if (!response.hasHeader('Content-Length') || response.hasHeader('Connection')) return undefined;
  const names = (response as WithRawNames)
    .getRawHeaderNames()
    .filter((name) => !OF_ONE_RESPONSE.has(name.toLowerCase()));
  const pairs = names.flatMap((name) => valuesOf(response.getHeader(name)).map((value) => [name, value] as const));
  const ofContent = pairs.flat();
  return {
    ofContent,
    ofUnchanged: pairs.filter(([name]) => !OF_A_BODY.has(name.toLowerCase())).flat(),
    isGzipped: response.getHeader('Content-Encoding') === 'gzip',
    characters: ofContent.reduce((sum, text) => sum + text.length, 0),
  };
}

/** A header of several values, such as Vary, is sent as several lines. */
function valuesOf(header: number | string | string[] | undefined): readonly string[] {
  return Array.isArray(header) ? header : [String(header)];
}
