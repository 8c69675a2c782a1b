import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { apiError } from '../../../errors/api-error.js';
import { RelaySocket } from '../../server/relay-socket.js';
import { toList } from '../fields/coercion.js';
import { parseQueryString, Repeated, TooManyParameters } from '../query-string.js';
import type { KalendsRequest } from '../request.js';
import { RouteTable } from '../routing/route-table.js';
import type { FoundPath } from '../routing/site-paths.js';
import type { Stage } from './stage.js';

const MAX_URL_BYTES = 8192;

/** Returns how many bytes percent-encoding has added to the URL (relay-socket.ts). */
function addedBytes({ socket }: KalendsRequest): number {
  return socket instanceof RelaySocket ? socket.takeAddedBytes() : 0;
}

/** Rejects URLs that are too long or not served, and parses the query. */
@Injectable()
export class UrlStage implements Stage {
  constructor(private readonly routes: RouteTable) {}

  handle(request: KalendsRequest, response: Response): boolean {
    if (request.originalUrl.length - addedBytes(request) > MAX_URL_BYTES) throw apiError('rest_uri_too_long');
    if (!hasOneHost(request)) throw apiError('rest_bad_request', { headers: { Connection: 'close' } });
    request.match = this.routes.find(request);
    if (!this.isServed(request)) throw apiError('rest_no_route');
    if (request.match?.page !== undefined) readPage(request, request.match.page, response);
    request.queryValues = readQuery(request.url);
    request.context = { ...request.context, fields: fieldsOf(request.queryValues._fields) };
    return false;
  }

  private isServed({ routePath, namespaces, match }: KalendsRequest): boolean {
    if (routePath !== undefined || namespaces !== undefined) return true;
    return this.routes.hasMiddleware || match !== undefined;
  }
}

/** Pages have no headers of the API, and depend on no credentials (pages P9). */
function readPage(request: KalendsRequest, page: FoundPath, response: Response): void {
  const { site, language } = page;
  if (site.isRedirectOnly === true) return;
  const hasJson = site.redirects === true && isRead(request);
  const prefersJson = hasJson && request.accepts(['text/html', 'application/json']) === 'application/json';
  if (prefersJson) return void response.vary('Accept');
  request.page = page;
  request.apiBaseUrl = { ...request.apiBaseUrl, language: language ?? request.apiBaseUrl.language };
  for (const name of ['X-TEC-API-VERSION', 'X-TEC-API-ROOT', 'Vary']) response.removeHeader(name);
  if (hasJson) response.vary('Accept');
  if (language === undefined) response.vary('Accept-Language');
}

function isRead({ method }: KalendsRequest): boolean {
  return method === 'GET' || method === 'HEAD';
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
