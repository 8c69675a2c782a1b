import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import type { ReplyParts, RenderedReply } from '../reply.js';
import { ContentBuilder } from './content.js';
import { countCharacters, jsonChunks } from './json-chunks.js';
import type { KalendsRequest } from '../request.js';
import { sparseFields } from './sparse-fields.js';

export const JSON_TYPE = 'application/json; charset=UTF-8';
export const HTML_TYPE = 'text/html; charset=UTF-8';

/** Renders a reply into bytes and headers. Returns undefined if the client disconnected meanwhile. */
export async function render(reply: ReplyParts, response: Response): Promise<RenderedReply | undefined> {
  const { revision, modifiedUtc, status = 200, expiresAt, stillHolds } = reply;
  const { Vary: vary, ...headers } = reply.headers ?? {};
  if (modifiedUtc !== undefined) headers['Last-Modified'] = httpDate(modifiedUtc);
  const source = sourceOf(reply, response.req as KalendsRequest);
  const rendered = await renderSource(source, response);
  if (rendered === undefined) return undefined;
  const { content, digest } = rendered;
  const tag = revision === undefined ? `"${digest}"` : `"${revision}-${digest}"`;
  return { status, content, type: source.type, tag, vary, headers, expiresAt, stillHolds };
}

/** What a body is rendered from. */
interface BodySource {
  readonly type: string;
  readonly texts: Iterable<string>;
  /** What of it is in memory, to estimate the bytes of the rest. */
  readonly value: unknown;
}

function sourceOf(reply: ReplyParts, request: KalendsRequest): BodySource {
  const { html, text, list } = reply;
  if (text !== undefined) return { type: text.type, texts: text.pieces, value: text.pieces };
  if (html !== undefined) return { type: HTML_TYPE, texts: [html], value: html };
  const body = isReadRequest(request) ? selectFields(reply, request) : reply.body;
  return { type: JSON_TYPE, texts: jsonChunks(body, list), value: body };
}

/** Renders a body in chunks and yields to the event loop between them. Throws 503 if the memory limit is reached. */
async function renderSource({ texts, value }: BodySource, response: Response) {
  const request = response.req as KalendsRequest;
  const builder = new ContentBuilder();
  let expected = 0;
  for (const text of texts) {
    if (!builder.add(text)) continue;
    // Reserves the expected total from the first chunk on, because the records are in memory already.
    expected ||= builder.length + countCharacters(value);
    request.responsesInFlight.reserve(request, response, Math.max(expected, builder.length));
    await nextTurn();
    if (response.destroyed) return undefined;
  }
  return builder.end();
}

export function isReadRequest({ method }: KalendsRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Applies `_fields` to a record or a collection, but not to descriptions of the service (contract 5.3). */
export function selectFields({ body, list }: ReplyParts, { context, matched }: KalendsRequest): object {
  const describes = matched === undefined || matched.describes;
  return context.fields.length === 0 || describes ? body : (sparseFields(body, context.fields, list) as object);
}

function httpDate(utc: string): string {
  return new Date(`${utc.replace(' ', 'T')}Z`).toUTCString();
}
