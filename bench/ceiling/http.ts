import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { nowUtc } from '../now-utc.js';

const MOUNT = '/calendar/events/v1';

/** The parts of a request that a response depends on. */
export interface RequestData {
  /** Scheme and host. */
  readonly origin: string;
  /** The prefix of links: origin and mount. */
  readonly baseUrl: string;
  /** The instance id, from the database. */
  readonly instance: string;
  /** Path below the mount, without trailing slash. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly nowUtc: string;
}

/** A response: the body and the data for its headers. */
export interface ReplyData {
  readonly body: object;
  readonly status?: number;
  readonly revision?: number;
  readonly modifiedUtc?: string;
  readonly paging?: {
    readonly total: number;
    readonly size: number;
    readonly next?: string;
    readonly previous?: string;
  };
  readonly location?: string;
}

export function readRequest({ headers, url = '/' }: IncomingMessage, instance: string): RequestData {
  const origin = `http://${headers.host}`;
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  return {
    origin,
    baseUrl: origin + MOUNT,
    instance,
    path: path.slice(MOUNT.length).replace(/\/$/, ''),
    query: new URLSearchParams(at < 0 ? '' : url.slice(at + 1)),
    nowUtc: nowUtc(),
  };
}

const EXPOSED =
  'X-TEC-Total, X-TEC-TotalPages, X-TEC-PerPage, X-WP-Total, X-WP-TotalPages, Link, Location, ETag, X-Request-Id, ' +
  'X-TEC-API-VERSION, X-TEC-API-ROOT, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, ' +
  'X-Kalends-Ignored, X-Kalends-Reused, X-Kalends-Changes-Lag';
const READABLE = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED };

export function send(
  request: IncomingMessage,
  response: ServerResponse,
  { baseUrl }: RequestData,
  answer: ReplyData,
): void {
  const bytes = Buffer.from(JSON.stringify(answer.body));
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  const tag = answer.revision === undefined ? `"${digest}"` : `"${answer.revision}-${digest}"`;
  const headers: Record<string, string | number> = {
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': randomUUID(),
    'X-TEC-API-VERSION': 'v1',
    'X-TEC-API-ROOT': `${baseUrl}/`,
    Vary: bytes.length < 1024 ? 'Authorization' : 'Authorization, Accept-Encoding',
    ...(request.method === 'GET' ? READABLE : {}),
    ETag: tag,
    'Cache-Control': request.method === 'GET' ? 'public, max-age=0, must-revalidate' : 'private, no-store',
    ...paging(answer),
  };
  if (answer.location !== undefined) headers.Location = answer.location;
  if (answer.modifiedUtc !== undefined) {
    headers['Last-Modified'] = new Date(`${answer.modifiedUtc.replace(' ', 'T')}Z`).toUTCString();
  }
  if (request.method === 'GET' && request.headers['if-none-match'] === tag) {
    response.writeHead(304, headers).end();
    return;
  }
  headers['Content-Type'] = 'application/json; charset=UTF-8';
  headers['Content-Length'] = bytes.length;
  response.writeHead(answer.status ?? 200, headers).end(bytes);
}

function paging({ paging: page }: ReplyData): Record<string, string> {
  if (page === undefined) return {};
  const links = [
    ...(page.next === undefined ? [] : [`<${page.next}>; rel="next"`]),
    ...(page.previous === undefined ? [] : [`<${page.previous}>; rel="prev"`]),
  ];
  const pages = String(Math.ceil(page.total / page.size));
  return {
    'X-TEC-Total': String(page.total),
    'X-WP-Total': String(page.total),
    'X-TEC-TotalPages': pages,
    'X-WP-TotalPages': pages,
    'X-TEC-PerPage': String(page.size),
    ...(links.length > 0 ? { Link: links.join(', ') } : {}),
  };
}
