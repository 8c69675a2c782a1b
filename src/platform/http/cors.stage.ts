import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../config/environment.js';
import type { KalendsRequest } from './request.js';
import type { Stage } from './stage.js';

const EXPOSED =
  'X-TEC-Total, X-TEC-TotalPages, X-TEC-PerPage, X-WP-Total, X-WP-TotalPages, Link, Location, ETag, X-Request-Id, ' +
  'X-TEC-API-VERSION, X-TEC-API-ROOT, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed';
const ALLOWED = 'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-WP-Nonce, X-Request-Id';
const READING = 'GET, HEAD, OPTIONS';
const WRITING = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** Which web pages may call: everyone may read by default, named origins may write (contract 5.4). */
@Injectable()
export class CorsStage implements Stage {
  private readonly origins: readonly string[];

  constructor(environment: Environment) {
    this.origins = environment.CORS_ORIGINS;
  }

  handle(request: KalendsRequest, response: Response): boolean {
    const { origin } = request.headers;
    const open = this.origins.includes('*');
    const named = origin !== undefined && this.origins.includes(origin);
    if (!open && this.origins.length > 0) response.append('Vary', 'Origin');
    if (open) response.set('Access-Control-Allow-Origin', '*');
    else if (named) response.set('Access-Control-Allow-Origin', origin);
    if (open || named) response.set('Access-Control-Expose-Headers', EXPOSED);
    if (!isPreflight(request)) return false;
    if (open || named) {
      response.set({
        'Access-Control-Allow-Methods': open ? READING : WRITING,
        'Access-Control-Allow-Headers': ALLOWED,
      });
      response.set('Access-Control-Max-Age', '600');
    }
    response.writeHead(204).end();
    return true;
  }
}

/** Whether a browser asks before it asks; what lies outside the mounts is for navigating to, not for calling. */
function isPreflight({ method, headers, routePath }: KalendsRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined && routePath !== undefined;
}
