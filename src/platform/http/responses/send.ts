import type { Response } from 'express';
import { isAnonymous } from '../../../kernel/caller.js';
import type { ApiError } from '../../../errors/api-error.js';
import type { Reply, RenderedReply } from '../reply.js';
import { Content, PIECE } from './content.js';
import { deliver } from './deliver.js';
import { acceptsGzip, gzipped, LEAST_GZIPPED } from './gzip.js';
import { isReading, JSON_TYPE, render } from './render.js';
import type { KalendsRequest } from '../request.js';

/** Shorter answers do not count: all connections together hold little of them. */
const LEAST_COUNTED = 16 * 1024;
/** Longer ones are gzipped on their way, and that form is not kept. */
const MOST_GZIPPED_AT_ONCE = 8 * PIECE;

/** Sends an answer with its validators; a GET whose tag the client has already is answered 304 (contract 5.2). */
export async function sendAnswer(response: Response, answer: Reply): Promise<void> {
  const request = response.req as KalendsRequest;
  if (answer.redirect !== undefined) {
    response.set({ Location: answer.redirect, 'Cache-Control': caching(request) });
    await sendContent(response, 302, new Content([]), { type: JSON_TYPE });
    return;
  }
  const rendered = await render(answer, response);
  if (rendered === undefined) return;
  if (rendered.expiresAt !== undefined) request.keep?.(rendered);
  await sendRendered(response, rendered);
}

export function sendRendered(response: Response, answer: RenderedReply): Promise<void> {
  const request = response.req as KalendsRequest;
  response.setHeader('Cache-Control', caching(request));
  const keep = (content: Content) => answer.expiresAt !== undefined && request.keep?.({ ...answer, content });
  return sendTagged(response, answer.status, answer.content, { ...answer, keep });
}

/** What is sent besides its bytes. */
interface About {
  readonly type: string;
  readonly vary?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Keeps the content with its gzipped form, once that was made. */
  readonly keep?: (content: Content) => unknown;
}

/** Sends content under its tag. If-None-Match is the only precondition that is known, and there are no ranges. */
export async function sendTagged(
  response: Response,
  status: number,
  content: Content,
  { tag, ...about }: About & { readonly tag: string },
): Promise<void> {
  const request = response.req as KalendsRequest;
  const ofGzipped = `${tag.slice(0, -1)}-gzip"`;
  const known = isReading(request) ? tagsIn(request.headers['if-none-match']) : [];
  const isKnown = known.includes(tag) || known.includes(ofGzipped);
  // Who asks whether something has changed shall not be afraid to ask: it costs no quota where requests are limited.
  if (isKnown) request.uncount?.();
  const isUnchanged = isKnown || known.includes('*');
  // First, for it may refuse: the error would have the headers of the answer.
  if (!isUnchanged) hold(response, content);
  response.setHeader('ETag', sendsGzip(request, content) ? ofGzipped : tag);
  if (about.vary !== undefined) response.vary(about.vary);
  for (const [name, value] of Object.entries(about.headers ?? {})) response.setHeader(name, value);
  varyByEncoding(response, content);
  if (isUnchanged) response.writeHead(304).end();
  else await sendContent(response, status, content, about);
}

export async function sendError(response: Response, error: ApiError): Promise<void> {
  for (const name of ['ETag', 'Last-Modified', 'Location']) response.removeHeader(name);
  response.set({ 'Cache-Control': 'private, no-store', ...error.extras.headers });
  const content = Content.ofText(JSON.stringify(error.toBody()));
  varyByEncoding(response, content);
  await sendContent(response, error.status, content, { type: JSON_TYPE });
}

/** Sends the form that the client takes (contract 5.1). */
async function sendContent(response: Response, status: number, content: Content, { type, keep }: About): Promise<void> {
  const request = response.req as KalendsRequest;
  const isGzipped = sendsGzip(request, content);
  const isOnItsWay = isGzipped && content.gzipped === undefined && content.length > MOST_GZIPPED_AT_ONCE;
  const sent = isGzipped && !isOnItsWay ? await gzippedForm(content, keep) : content;
  if (sent.length < content.length) request.share?.resize(sent.length);
  response.writeHead(status, {
    'Content-Type': type,
    ...(isGzipped ? { 'Content-Encoding': 'gzip' } : {}),
    ...(isOnItsWay ? {} : { 'Content-Length': sent.length }),
  });
  deliver(response, sent, isOnItsWay);
}

async function gzippedForm(content: Content, keep: About['keep']): Promise<Content> {
  if (content.gzipped !== undefined) return Content.ofBytes(content.gzipped);
  const bytes = await gzipped(content.bytes);
  keep?.(content.withGzipped(bytes));
  return Content.ofBytes(bytes);
}

function sendsGzip({ headers, responsesInFlight }: KalendsRequest, { length }: Content): boolean {
  return responsesInFlight.compresses && length >= LEAST_GZIPPED && acceptsGzip(headers['accept-encoding']);
}

function varyByEncoding(response: Response, { length }: Content): void {
  const { responsesInFlight } = response.req as KalendsRequest;
  if (responsesInFlight.compresses && length >= LEAST_GZIPPED) response.vary('Accept-Encoding');
}

/** The answer holds its room until the client has it; 503 where there is none. */
function hold(response: Response, { length }: Content): void {
  const request = response.req as KalendsRequest;
  if (length >= LEAST_COUNTED) request.responsesInFlight.hold(request, response, length);
}

function tagsIn(ifNoneMatch = ''): string[] {
  return ifNoneMatch.split(',').map((item) => item.trim().replace(/^W\//, ''));
}

function caching(request: KalendsRequest): string {
  const open = isReading(request) && isAnonymous(request.context.caller) && !('password' in request.queryValues);
  return open && request.root.cacheable ? 'public, max-age=0, must-revalidate' : 'private, no-store';
}
