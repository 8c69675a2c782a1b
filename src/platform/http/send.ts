import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { isAnonymous } from '../../kernel/caller.js';
import type { ApiError } from '../errors/api-error.js';
import type { Answer, RenderedAnswer } from './answer.js';
import { endAnswer } from './read-off.js';
import type { KalendsRequest } from './request.js';
import { sparse } from './sparse.js';

const JSON_TYPE = 'application/json; charset=UTF-8';
const HTML_TYPE = 'text/html; charset=UTF-8';

/** Sends an answer with its validators; a GET whose tag the client has already is answered 304 (contract 5.2). */
export function sendAnswer(response: Response, answer: Answer): void {
  const request = response.req as KalendsRequest;
  if (answer.redirect !== undefined) {
    response.set({ Location: answer.redirect, 'Cache-Control': caching(request) });
    sendBytes(response, 302, Buffer.alloc(0));
    return;
  }
  const rendered = render(answer, request);
  if (answer.until !== undefined) request.keep?.(rendered, answer.until);
  sendRendered(response, rendered);
}

export function sendRendered(response: Response, answer: RenderedAnswer): void {
  if (answer.vary !== undefined) response.vary(answer.vary);
  response.setHeader('Cache-Control', caching(response.req as KalendsRequest));
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  sendTagged(response, answer.status, answer.bytes, answer);
}

/** Sends bytes under their tag. If-None-Match is the only precondition that is known, and there are no ranges. */
export function sendTagged(
  response: Response,
  status: number,
  bytes: Buffer,
  { type, tag }: { readonly type: string; readonly tag: string },
): void {
  const request = response.req as KalendsRequest;
  response.setHeader('ETag', tag);
  const known = isReading(request) ? tagsIn(request.headers['if-none-match']) : [];
  // Who asks whether something has changed shall not be afraid to ask: it costs no quota where requests are limited.
  if (known.includes(tag)) request.uncount?.();
  if (known.includes(tag) || known.includes('*')) response.writeHead(304).end();
  else sendBytes(response, status, bytes, type);
}

export function sendError(response: Response, error: ApiError): void {
  for (const name of ['ETag', 'Last-Modified', 'Location']) response.removeHeader(name);
  response.set({ 'Cache-Control': 'private, no-store', ...error.extras.headers });
  sendBytes(response, error.status, Buffer.from(JSON.stringify(error.toBody())));
}

function render(answer: Answer, request: KalendsRequest): RenderedAnswer {
  const { html, revision, modifiedUtc, status = 200 } = answer;
  const bytes = Buffer.from(html ?? JSON.stringify(isReading(request) ? reduced(answer, request) : answer.body));
  const { Vary: vary, ...headers } = answer.headers ?? {};
  if (modifiedUtc !== undefined) headers['Last-Modified'] = httpDate(modifiedUtc);
  return { status, bytes, type: html === undefined ? JSON_TYPE : HTML_TYPE, tag: etag(bytes, revision), vary, headers };
}

function isReading({ method }: KalendsRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** What `_fields` leaves of a record or a collection; what describes the service stays whole (contract 5.3). */
function reduced({ body, list }: Answer, { context, matched }: KalendsRequest): unknown {
  return context.fields.length === 0 || matched?.describes === true ? body : sparse(body, context.fields, list);
}

function sendBytes(response: Response, status: number, bytes: Buffer, contentType = JSON_TYPE): void {
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': bytes.length });
  // Node leaves out the body of an answer to HEAD.
  endAnswer(response.req as KalendsRequest, response, bytes);
}

function etag(bytes: Buffer, revision: number | undefined): string {
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  return revision === undefined ? `"${digest}"` : `"${revision}-${digest}"`;
}

function tagsIn(ifNoneMatch = ''): string[] {
  return ifNoneMatch.split(',').map((item) => item.trim().replace(/^W\//, ''));
}

function caching(request: KalendsRequest): string {
  const open = isReading(request) && isAnonymous(request.context.caller) && !('password' in request.queryValues);
  return open && request.root.cacheable ? 'public, max-age=0, must-revalidate' : 'private, no-store';
}

function httpDate(utc: string): string {
  return new Date(`${utc.replace(' ', 'T')}Z`).toUTCString();
}
