import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { isSafe } from '../../server/http-method.js';
import { hasBody } from '../bodies/drain-body.js';
import { IdempotencyKeys, type KeyedRequest } from '../idempotency/idempotency-keys.js';
import { readKeyedRequest } from '../idempotency/keyed-request.js';
import { KeyedWrite, type StoredResponse } from '../idempotency/keyed-write.js';
import type { KalendsRequest } from '../request.js';
import { Content } from '../responses/content.js';
import { sendObject } from '../responses/send-object.js';
import { sendContent } from '../responses/send.js';
import type { Stage } from './stage.js';

/**
 * Answers a repeated write of an ordinary route by its Idempotency-Key (contract 5.5), and prepares a first one. Routes of
 * ours have an interceptor for it (idempotency.interceptor.ts). A key without effect: on a body that the handler reads itself,
 * because it cannot be compared, and on a handler that does not call `Database.inTransaction`.
 */
@Injectable()
export class IdempotencyStage implements Stage {
  constructor(private readonly keys: IdempotencyKeys) {}

  handle(request: KalendsRequest, response: Response): boolean | Promise<boolean> {
    if (request.headers['idempotency-key'] === undefined || request.matched?.isOrdinary !== true) return false;
    const isUnread = hasBody(request) && request.rawBody === undefined;
    const keyed = isSafe(request.method) || isUnread ? undefined : readKeyedRequest(request);
    return keyed !== undefined && this.isReplayed(keyed, request, response);
  }

  private async isReplayed(keyed: KeyedRequest, request: KalendsRequest, response: Response): Promise<boolean> {
    const stored = await this.keys.findStored<StoredResponse>(keyed);
    if (stored === undefined) request.keyedWrite = new KeyedWrite(this.keys, keyed, response);
    else await replay(response, stored);
    return stored !== undefined;
  }
}

async function replay(response: Response, { status, headers, body }: StoredResponse): Promise<void> {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.status(status).setHeader('Idempotent-Replayed', 'true');
  if (body === undefined || body === null) response.end();
  else if (typeof body === 'object') await sendObject(response, body);
  else await sendText(response, String(body));
}

/** As Express sends a text. */
function sendText(response: Response, text: string): Promise<void> {
  const type = String(response.getHeader('Content-Type') ?? 'text/html; charset=utf-8');
  return sendContent(response, response.statusCode, Content.ofText(text), { type });
}
