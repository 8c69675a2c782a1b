import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import type { Reply, RenderedReply } from '../reply.js';
import { ContentMaker } from './content.js';
import { charactersIn, jsonPieces } from './json-pieces.js';
import type { KalendsRequest } from '../request.js';
import { sparseFields } from './sparse-fields.js';

export const JSON_TYPE = 'application/json; charset=UTF-8';
const HTML_TYPE = 'text/html; charset=UTF-8';

/** The bytes of an answer and what its headers say of it; undefined where the client has gone away meanwhile. */
export async function render(answer: Reply, response: Response): Promise<RenderedReply | undefined> {
  const { html, revision, modifiedUtc, status = 200, expiresAt } = answer;
  const { Vary: vary, ...headers } = answer.headers ?? {};
  if (modifiedUtc !== undefined) headers['Last-Modified'] = httpDate(modifiedUtc);
  const made = html === undefined ? await renderJson(answer, response) : renderText(html);
  if (made === undefined) return undefined;
  const { content, digest } = made;
  const tag = revision === undefined ? `"${digest}"` : `"${revision}-${digest}"`;
  return { status, content, type: html === undefined ? JSON_TYPE : HTML_TYPE, tag, vary, headers, expiresAt };
}

function renderText(text: string) {
  const maker = new ContentMaker();
  maker.add(text);
  return maker.end();
}

/** A long answer is made piece by piece: others are served in between, and where there is no room for it, it is refused. */
async function renderJson(answer: Reply, response: Response) {
  const request = response.req as KalendsRequest;
  const body = isReading(request) ? reduced(answer, request) : answer.body;
  const maker = new ContentMaker();
  let expected = 0;
  for (const text of jsonPieces(body, answer.list)) {
    if (!maker.add(text)) continue;
    // From the first piece on all of it counts: its records are held already.
    expected ||= maker.length + charactersIn(body);
    request.responsesInFlight.hold(request, response, Math.max(expected, maker.length));
    await nextTurn();
    if (response.destroyed) return undefined;
  }
  return maker.end();
}

export function isReading({ method }: KalendsRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** What `_fields` leaves of a record or a collection; what describes the service stays whole (contract 5.3). */
function reduced({ body, list }: Reply, { context, matched }: KalendsRequest): object {
  const describes = matched === undefined || matched.describes;
  return context.fields.length === 0 || describes ? body : (sparseFields(body, context.fields, list) as object);
}

function httpDate(utc: string): string {
  return new Date(`${utc.replace(' ', 'T')}Z`).toUTCString();
}
