import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import type { ReplyParts, RenderedReply } from '../reply.js';
import { ContentBuilder } from './content.js';
import { countCharacters, jsonChunks } from './json-chunks.js';
import type { KalendsRequest } from '../request.js';
import { sparseFields } from './sparse-fields.js';

export const JSON_TYPE = 'application/json; charset=UTF-8';
const HTML_TYPE = 'text/html; charset=UTF-8';

/** Renders a reply into bytes and headers. Returns undefined if the client disconnected meanwhile. */
export async function render(reply: ReplyParts, response: Response): Promise<RenderedReply | undefined> {
  const { html, revision, modifiedUtc, status = 200, expiresAt } = reply;
  const { Vary: vary, ...headers } = reply.headers ?? {};
  if (modifiedUtc !== undefined) headers['Last-Modified'] = httpDate(modifiedUtc);
  const rendered = html === undefined ? await renderJson(reply, response) : renderText(html);
  if (rendered === undefined) return undefined;
  const { content, digest } = rendered;
  const tag = revision === undefined ? `"${digest}"` : `"${revision}-${digest}"`;
  return { status, content, type: html === undefined ? JSON_TYPE : HTML_TYPE, tag, vary, headers, expiresAt };
}

function renderText(text: string) {
  const builder = new ContentBuilder();
  builder.add(text);
  return builder.end();
}

/** Renders JSON in chunks and yields to the event loop between them. Throws 503 if the memory limit is reached. */
async function renderJson(reply: ReplyParts, response: Response) {
  const request = response.req as KalendsRequest;
  const body = isReadRequest(request) ? selectFields(reply, request) : reply.body;
  const builder = new ContentBuilder();
  let expected = 0;
  for (const text of jsonChunks(body, reply.list)) {
    if (!builder.add(text)) continue;
    // Reserves the expected total from the first chunk on, because the records are in memory already.
    expected ||= builder.length + countCharacters(body);
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
function selectFields({ body, list }: ReplyParts, { context, matched }: KalendsRequest): object {
  const describes = matched === undefined || matched.describes;
  return context.fields.length === 0 || describes ? body : (sparseFields(body, context.fields, list) as object);
}

function httpDate(utc: string): string {
  return new Date(`${utc.replace(' ', 'T')}Z`).toUTCString();
}
