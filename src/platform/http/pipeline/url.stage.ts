import { Injectable } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { apiError } from '../../../errors/api-error.js';
import { RelaySocket } from '../../server/relay-socket.js';
import { toList } from '../fields/coercion.js';
import { parseQueryString, Repeated, TooManyParameters } from '../query-string.js';
import type { KalendsRequest } from '../request.js';
import { RouteTable } from '../routing/route-table.js';
import type { Stage } from './stage.js';

const MAX_URL_BYTES = 8192;

/** The HTML pages of records, served if SITE_URL is not set (contract 1.1). */
const SITE_PATH = /^\/(event|venue|organizer|tag|events\/category)\/[^/]+\/?$/;

/** Returns how many bytes percent-encoding has added to the URL (relay-socket.ts). */
function addedBytes({ socket }: KalendsRequest): number {
  return socket instanceof RelaySocket ? socket.takeAddedBytes() : 0;
}

/** Rejects URLs that are too long or not served, and parses the query. */
@Injectable()
export class UrlStage implements Stage {
  constructor(
    private readonly environment: Environment,
    private readonly routes: RouteTable,
  ) {}

  handle(request: KalendsRequest): boolean {
    if (request.originalUrl.length - addedBytes(request) > MAX_URL_BYTES) throw apiError('rest_uri_too_long');
    if (!hasOneHost(request)) throw apiError('rest_bad_request', { headers: { Connection: 'close' } });
    request.match = this.routes.find(request);
    if (!this.isServed(request)) throw apiError('rest_no_route');
    request.queryValues = readQuery(request.url);
    request.context = { ...request.context, fields: fieldsOf(request.queryValues._fields) };
    return false;
  }

  private isServed({ routePath, namespaces, path, match }: KalendsRequest): boolean {
    if (routePath !== undefined || namespaces !== undefined) return true;
    if (this.environment.SITE_URL !== undefined && SITE_PATH.test(path)) return false;
    return this.routes.hasMiddleware || match !== undefined;
  }
}

function readQuery(url: string): Record<string, unknown> {
  const at = url.indexOf('?');
  try {
    return parseQueryString(at < 0 ? '' : url.slice(at + 1));
  } catch (error) {
    throw error instanceof TooManyParameters ? apiError('rest_uri_too_long') : error;
  }
}

/** Also splits the items of `_fields[]=id,title`, because names contain no commas. */
function fieldsOf(sent: unknown): string[] {
  const items = toList(sent instanceof Repeated ? sent.values : sent);
  return Array.isArray(items) ? items.map(String).flatMap((item) => toList(item) as string[]) : [];
}

/** HTTP/1.1 requires one Host header; proxies may disagree about two (RFC 9112, section 3.2; contract GEN-40). */
function hasOneHost({ rawHeaders, httpVersion }: KalendsRequest): boolean {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
