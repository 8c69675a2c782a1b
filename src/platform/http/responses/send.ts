import type { Response } from 'express';
import { isAnonymous } from '../../../kernel/caller.js';
import { type ApiError, apiError } from '../../../errors/api-error.js';
import type { ReplyParts, RenderedReply } from '../reply.js';
import { Content, CHUNK_BYTES } from './content.js';
import { deliver } from './deliver.js';
import { acceptsGzip, gzipped, MIN_GZIP_BYTES } from './gzip.js';
import { HTML_TYPE, isReadRequest, JSON_TYPE, render } from './render.js';
import type { ErrorPage } from './error-page.js';
import type { KalendsRequest } from '../request.js';

/** Shorter responses, in bytes, need no reservation: even MAX_CONNECTIONS of them are little memory. */
const MIN_RESERVED_BYTES = 16 * 1024;
/** Longer bodies, in bytes, are gzipped as a stream, and their gzipped form is not cached. */
const MAX_CACHED_GZIP_BYTES = 8 * CHUNK_BYTES;

/** Sends a reply with its validators, or 304 for a GET whose ETag the client has already (contract 5.2). */
export async function sendReply(response: Response, reply: ReplyParts): Promise<void> {
  const request = response.req as KalendsRequest;
  if (reply.redirect !== undefined) {
    response.set({ Location: reply.redirect, 'Cache-Control': cacheControl(request) });
    await sendContent(response, reply.status ?? 302, new Content([]), { type: JSON_TYPE });
    return;
  }
  const rendered = await render(reply, response);
  if (rendered === undefined) return;
  if (rendered.expiresAt !== undefined) request.cacheReply?.(rendered);
  await sendRendered(response, rendered);
}

export function sendRendered(response: Response, reply: RenderedReply): Promise<void> {
  const request = response.req as KalendsRequest;
  response.setHeader('Cache-Control', cacheControl(request));
  const cacheContent = (content: Content) =>
    reply.expiresAt !== undefined && request.cacheReply?.({ ...reply, content });
  return sendTagged(response, reply.status, reply.content, { ...reply, cacheContent });
}

/** What is sent besides the bytes. */
interface SendOptions {
  readonly type: string;
  readonly vary?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Caches the content again, together with its gzipped form. */
  readonly cacheContent?: (content: Content) => unknown;
}

/** Sends content with its ETag. Supports If-None-Match, but no other preconditions of reads and no ranges. */
export async function sendTagged(
  response: Response,
  status: number,
  content: Content,
  { tag, ...options }: SendOptions & { readonly tag: string },
): Promise<void> {
  const request = response.req as KalendsRequest;
  const isUnchanged = isReadRequest(request) && revalidates(request, tag);
  // Before the headers are set, because it may throw, and the error must not carry them.
  if (!isUnchanged) reserve(response, content);
  response.setHeader('ETag', sendsGzip(request, content) ? tagOfGzipped(tag) : tag);
  if (options.vary !== undefined) response.vary(options.vary);
  for (const [name, value] of Object.entries(options.headers ?? {})) response.setHeader(name, value);
  varyByEncoding(response, content);
  if (isUnchanged) response.writeHead(304).end();
  else await sendContent(response, status, content, options);
}

/** The headers of a response of status 200 and of its 304, as a list of names and values. */
export interface ReadyHeaders {
  readonly ofContent: readonly string[];
  readonly ofUnchanged: readonly string[];
  readonly isGzipped: boolean;
  /** Their size in memory. */
  readonly characters: number;
}

/** Sends a rendered response whose headers are known (fast-path.ts). Returns false if it lacks the bytes of this form. */
export function sendReady(response: Response, { content, tag }: RenderedReply, ready: ReadyHeaders): boolean {
  const request = response.req as KalendsRequest;
  const bytes = ready.isGzipped ? content.gzipped : undefined;
  if (ready.isGzipped && bytes === undefined) return false;
  if (revalidates(request, tag)) {
    response.writeHead(304, [...ready.ofUnchanged, 'X-Request-Id', request.requestId]).end();
    return true;
  }
  reserve(response, content);
  const sent = bytes === undefined ? content : Content.ofBytes(bytes);
  if (sent.length < content.length) request.reservation?.resize(sent.length);
  response.writeHead(200, [...ready.ofContent, 'X-Request-Id', request.requestId]);
  deliver(response, sent);
  return true;
}

/** Whether the client has a response already, so that it gets 304 (contract 5.2). */
export function isKnownTag({ headers }: KalendsRequest, tag: string): boolean {
  const known = tagsIn(headers['if-none-match']);
  return [tag, tagOfGzipped(tag), '*'].some((each) => known.includes(each));
}

/** As `isKnownTag`. Revalidation does not count against RATE_LIMIT, so that clients need not avoid it. */
function revalidates(request: KalendsRequest, tag: string): boolean {
  const { 'if-none-match': sent } = request.headers;
  if (sent === undefined) return false;
  const known = tagsIn(sent);
  const isKnown = known.includes(tag) || known.includes(tagOfGzipped(tag));
  if (isKnown) request.refundRateLimit?.();
  return isKnown || known.includes('*');
}

/** Returns the ETag of the gzipped form. */
function tagOfGzipped(tag: string): string {
  return `${tag.slice(0, -1)}-gzip"`;
}

/** Headers that a handler sets for the response it does not send, because it fails. */
const OF_THE_CONTENT = ['ETag', 'Last-Modified', 'Location', 'Content-Disposition', 'Content-Encoding'];

/** Sends an error, as JSON unless a page shows it. */
export async function sendError(response: Response, error: ApiError, page?: ErrorPage): Promise<void> {
  for (const name of OF_THE_CONTENT) response.removeHeader(name);
  response.setHeader('Cache-Control', 'private, no-store');
  for (const [name, value] of Object.entries(error.extras.headers ?? {})) {
    // A guard of a module knows its own WWW-Authenticate or Retry-After.
    if (!response.hasHeader(name)) response.setHeader(name, value);
  }
  response.set(page?.headers ?? {});
  const content = Content.ofText(page?.html ?? JSON.stringify(error.toBody()));
  varyByEncoding(response, content);
  await sendContent(response, error.getStatus(), content, { type: page === undefined ? JSON_TYPE : HTML_TYPE });
}

/** Sends an error 500, or ends the connection of a response that has begun. For failures that no error can tell. */
export function sendFailure(response: Response): void {
  if (!response.headersSent) sendError(response, apiError('internal_server_error')).catch(() => response.destroy());
  else if (!response.writableEnded) response.destroy();
}

/** Sends the body, gzipped if the client accepts it (contract 5.1). */
export async function sendContent(
  response: Response,
  status: number,
  content: Content,
  { type, cacheContent }: SendOptions,
): Promise<void> {
  const request = response.req as KalendsRequest;
  const isGzipped = sendsGzip(request, content);
  const isStreamed = isGzipped && content.gzipped === undefined && content.length > MAX_CACHED_GZIP_BYTES;
  const sent = isGzipped && !isStreamed ? await gzippedForm(content, cacheContent) : content;
  if (sent.length < content.length) request.reservation?.resize(sent.length);
  response.writeHead(status, {
    'Content-Type': type,
    ...(isGzipped ? { 'Content-Encoding': 'gzip' } : {}),
    ...(isStreamed ? {} : { 'Content-Length': sent.length }),
  });
  deliver(response, sent, isStreamed);
}

async function gzippedForm(content: Content, cacheContent: SendOptions['cacheContent']): Promise<Content> {
  if (content.gzipped !== undefined) return Content.ofBytes(content.gzipped);
  const bytes = await gzipped(content.bytes);
  cacheContent?.(content.withGzipped(bytes));
  return Content.ofBytes(bytes);
}

function sendsGzip({ headers, responsesInFlight }: KalendsRequest, { length }: Content): boolean {
  return responsesInFlight.compresses && length >= MIN_GZIP_BYTES && acceptsGzip(headers['accept-encoding']);
}

function varyByEncoding(response: Response, { length }: Content): void {
  const { responsesInFlight } = response.req as KalendsRequest;
  if (responsesInFlight.compresses && length >= MIN_GZIP_BYTES) response.vary('Accept-Encoding');
}

/** Reserves memory until the response is sent. Throws 503 if the limit is reached. */
function reserve(response: Response, { length }: Content): void {
  const request = response.req as KalendsRequest;
  if (length >= MIN_RESERVED_BYTES) request.responsesInFlight.reserve(request, response, length);
}

function tagsIn(ifNoneMatch = ''): string[] {
  return ifNoneMatch.split(',').map((item) => item.trim().replace(/^W\//, ''));
}

function cacheControl(request: KalendsRequest): string {
  const isPublic =
    isReadRequest(request) && isAnonymous(request.context.caller) && !('password' in request.queryValues);
  return isPublic && request.apiBaseUrl.isCacheable ? 'public, max-age=0, must-revalidate' : 'private, no-store';
}
