import { isSafe } from './http-method.js';

const EXPOSED =
  'X-TEC-Total, X-TEC-TotalPages, X-TEC-PerPage, X-WP-Total, X-WP-TotalPages, Link, Location, ETag, X-Request-Id, ' +
  'X-TEC-API-VERSION, X-TEC-API-ROOT, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, ' +
  'X-Kalends-Ignored, X-Kalends-Reused, X-Kalends-Changes-Lag';
const ALLOWED = 'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-WP-Nonce, X-Request-Id';
const READING = 'GET, HEAD, OPTIONS';
const WRITING = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** Who asks to do what: a web page by the origin that its browser tells, or anybody else. */
export interface PageRequest {
  readonly method: string;
  readonly origin: string | undefined;
}

/**
 * Which web pages may call (contract 5.4): named origins may read and write, under `*` every other one may read. Browsers
 * do not hold a POST against the list of methods, so what a page may not do is answered without Allow-Origin.
 */
export class CorsPolicy {
  /** Whether answers differ by who asks. */
  readonly variesByOrigin: boolean;

  /** `origins`: the setting CORS_ORIGINS. */
  constructor(private readonly origins: readonly string[]) {
    this.variesByOrigin = origins.some((origin) => origin !== '*');
  }

  /** The headers that let a page read the answer to this request; none where it may not. */
  answer(request: PageRequest): Record<string, string> {
    const allowed = this.allowed(request);
    return allowed === undefined
      ? {}
      : { 'Access-Control-Allow-Origin': allowed, 'Access-Control-Expose-Headers': EXPOSED };
  }

  /** The headers by which a browser learns beforehand whether a page may send this request. */
  preflight(request: PageRequest): Record<string, string> {
    const allowed = this.allowed(request);
    if (allowed === undefined) return {};
    return {
      ...this.answer(request),
      'Access-Control-Allow-Methods': allowed === '*' ? READING : WRITING,
      'Access-Control-Allow-Headers': ALLOWED,
      'Access-Control-Max-Age': '600',
    };
  }

  private allowed({ method, origin }: PageRequest): string | undefined {
    if (origin !== undefined && origin !== '*' && this.origins.includes(origin)) return origin;
    return this.origins.includes('*') && isSafe(method) ? '*' : undefined;
  }
}
