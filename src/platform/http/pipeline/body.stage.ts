import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../../../config/environment.js';
import { apiError } from '../../../errors/api-error.js';
import { isAnonymous } from '../../../kernel/caller.js';
import { isSafe } from '../../server/http-method.js';
import { BodiesInFlight } from '../bodies/bodies-in-flight.js';
import { hasBody, isBodyEmpty, drainBody, hasLongRest } from '../bodies/drain-body.js';
import { parseJsonBody } from '../bodies/json-body.js';
import { encodingOf, decompress } from '../bodies/compressed-body.js';
import { receiveBody } from '../bodies/received-body.js';
import { parseQueryString, TooManyParameters } from '../query-string.js';
import type { KalendsRequest } from '../request.js';
import type { Stage } from './stage.js';

const PARSERS = { json: parseJsonBody, form: parseForm };

/** Reads JSON and form bodies (contract 2.1). Discards bodies of reads. */
@Injectable()
export class BodyStage implements Stage {
  private readonly maxBytes: number;

  constructor(
    { MAX_BODY_BYTES }: Environment,
    private readonly bodies: BodiesInFlight,
  ) {
    this.maxBytes = MAX_BODY_BYTES;
  }

  async handle(request: KalendsRequest, response: Response): Promise<boolean> {
    request.bodyValues = {};
    if (isSafe(request.method) || !hasBody(request)) {
      // A client that waits for 100 Continue sends nothing.
      if (request.awaitsContinue !== true) await drainBody(request);
      // The parser would read the rest of the body as the next request.
      if (hasLongRest(request)) response.setHeader('Connection', 'close');
      return false;
    }
    const form = formOf(request.headers['content-type']);
    const encoding = encodingOf(request.headers['content-encoding']);
    if (form === undefined || encoding === undefined) {
      if (await isBodyEmpty(request, () => sendContinue(request, response))) return false;
      throw apiError('rest_unsupported_media_type');
    }
    const reservation = this.bodies.reserveFor(request, response);
    const receiving = receiveBody(request, this.maxBytes, reservation);
    sendContinue(request, response);
    const bytes = await receiving;
    const parse = (content: Buffer) => (content.length === 0 ? {} : PARSERS[form](content));
    if (encoding === 'identity') {
      request.body = bytes;
      request.bodyValues = parse(bytes);
    } else {
      request.compressedBody = { bytes, encoding, reservation, parse };
    }
    return false;
  }
}

/** Sends 100 Continue if the client waits for it, just before the body is read (contract GEN-39). */
function sendContinue(request: KalendsRequest, response: Response): void {
  if (request.awaitsContinue !== true) return;
  request.awaitsContinue = false;
  response.writeContinue();
}

function formOf(contentType: string | undefined): keyof typeof PARSERS | undefined {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map(charsetOf).find(Boolean);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') return undefined;
  if (/^\s*application\/(json|[\w.+-]+\+json)\s*$/.test(type)) return 'json';
  return type.trim() === 'application/x-www-form-urlencoded' ? 'form' : undefined;
}

/** Returns the value of `charset = "utf-8"`, or undefined for another parameter. */
function charsetOf(parameter: string): string | undefined {
  const [name = '', ...rest] = parameter.split('=');
  return name.trim() === 'charset' ? rest.join('=').trim().replace(/^"|"$/g, '') : undefined;
}

function parseForm(bytes: Buffer): Record<string, unknown> {
  try {
    return parseQueryString(bytes.toString('latin1'));
  } catch (error) {
    throw error instanceof TooManyParameters ? apiError('rest_body_too_large') : error;
  }
}

/** Largest decompressed body of an anonymous request, in bytes. */
const MAX_ANONYMOUS_BYTES = 64 * 1024;

/** Decompresses bodies after authentication, because a small body can expand a thousandfold (contract ERR-03). */
@Injectable()
export class DecompressionStage implements Stage {
  private readonly maxBytes: number;

  constructor({ MAX_BODY_BYTES }: Environment) {
    this.maxBytes = MAX_BODY_BYTES;
  }

  handle(request: KalendsRequest): boolean {
    const { compressedBody: compressed, context } = request;
    if (compressed === undefined) return false;
    const maxBytes = isAnonymous(context.caller) ? Math.min(MAX_ANONYMOUS_BYTES, this.maxBytes) : this.maxBytes;
    const bytes = decompress(compressed, maxBytes);
    request.body = bytes;
    request.bodyValues = compressed.parse(bytes);
    return false;
  }
}
