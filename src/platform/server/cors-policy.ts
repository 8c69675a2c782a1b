import { isSafe } from './http-method.js';

const EXPOSED_HEADERS =
  'X-TEC-Total, X-TEC-TotalPages, X-TEC-PerPage, X-WP-Total, X-WP-TotalPages, Link, Location, ETag, X-Request-Id, ' +
  'X-TEC-API-VERSION, X-TEC-API-ROOT, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, ' +
  'X-Kalends-Ignored, X-Kalends-Reused, X-Kalends-Changes-Lag';
const ALLOWED_HEADERS =
  'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-WP-Nonce, X-Request-Id';
const READ_METHODS = 'GET, HEAD, OPTIONS';
const ALL_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** A method and the Origin header, if a web page sends the request. */
export interface CorsRequest {
  readonly method: string;
  readonly origin: string | undefined;
}

/**
 * Which web pages may call (contract 5.4): named origins may read and write; with `*` all others may read. Browsers do
 * not compare a POST with Allow-Methods, so a forbidden method gets no Allow-Origin.
 */
export class CorsPolicy {
  /** Whether responses depend on the Origin header. */
  readonly variesByOrigin: boolean;

  /** `origins`: the setting CORS_ORIGINS. */
  constructor(private readonly origins: readonly string[]) {
    this.variesByOrigin = origins.some((origin) => origin !== '*');
  }

  /** Returns the headers that let a page read the response, or none. */
  responseHeaders(request: CorsRequest): Record<string, string> {
    const allowed = this.allowedOrigin(request);
    return allowed === undefined
      ? {}
      : { 'Access-Control-Allow-Origin': allowed, 'Access-Control-Expose-Headers': EXPOSED_HEADERS };
  }

  /** Returns the headers of a preflight response. */
  preflightHeaders(request: CorsRequest): Record<string, string> {
    const allowed = this.allowedOrigin(request);
    if (allowed === undefined) return {};
    return {
      ...this.responseHeaders(request),
      'Access-Control-Allow-Methods': allowed === '*' ? READ_METHODS : ALL_METHODS,
      'Access-Control-Allow-Headers': ALLOWED_HEADERS,
      'Access-Control-Max-Age': '600',
    };
  }

  private allowedOrigin({ method, origin }: CorsRequest): string | undefined {
    if (origin !== undefined && origin !== '*' && this.origins.includes(origin)) return origin;
    return this.origins.includes('*') && isSafe(method) ? '*' : undefined;
  }
}
