import type { Response } from 'express';
import { ContentBuilder } from './content.js';
import { JSON_TYPE } from './render.js';
import { sendContent, sendTagged } from './send.js';

/**
 * Sends an object that a handler of a module returned, as JSON. A 200 has an ETag, and a GET that has it gets 304. Keeps
 * the headers that the handler has set. Without Cache-Control, the response must be revalidated and is not shared, because
 * only the module knows what it depends on.
 */
export function sendObject(response: Response, body: object): Promise<void> {
  const builder = new ContentBuilder();
  builder.add(JSON.stringify(body) ?? '');
  const { content, digest } = builder.end();
  const type = String(response.getHeader('Content-Type') ?? JSON_TYPE);
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'private, no-cache');
  if (response.statusCode !== 200) return sendContent(response, response.statusCode, content, { type });
  const tag = String(response.getHeader('ETag') ?? `"${digest}"`);
  return sendTagged(response, 200, content, { type, tag });
}
