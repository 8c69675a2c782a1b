import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../../../config/environment.js';
import { apiError } from '../../../errors/api-error.js';
import { isAnonymous } from '../../../kernel/caller.js';
import { isSafe } from '../../server/http-method.js';
import { BodiesInFlight } from '../bodies/bodies-in-flight.js';
import { announcesBody, comesEmpty, drainBody, outlastsAnswer } from '../bodies/drain-body.js';
import { parseJsonBody } from '../bodies/json-body.js';
import { packingOf, unpack } from '../bodies/packed-body.js';
import { receiveBody } from '../bodies/received-body.js';
import { parseQueryString, TooManyParameters } from '../query-string.js';
import type { KalendsRequest } from '../request.js';
import type { Stage } from './stage.js';

const READERS = { json: parseJsonBody, form: parseForm };

/** Reads JSON and form bodies (contract 2.1); bodies of reads count for nothing. */
@Injectable()
export class BodyStage implements Stage {
  private readonly mostBytes: number;

  constructor(
    { MAX_BODY_BYTES }: Environment,
    private readonly bodies: BodiesInFlight,
  ) {
    this.mostBytes = MAX_BODY_BYTES;
  }

  async handle(request: KalendsRequest, response: Response): Promise<boolean> {
    request.bodyValues = {};
    if (isSafe(request.method) || !announcesBody(request)) {
      // Who waits to be asked for it sends nothing.
      if (request.awaitsContinue !== true) await drainBody(request);
      // What is left of it stands where the next request would.
      if (announcesBody(request) && outlastsAnswer(request)) response.setHeader('Connection', 'close');
      return false;
    }
    const form = formOf(request.headers['content-type']);
    const packing = packingOf(request.headers['content-encoding']);
    if (form === undefined || packing === undefined) {
      if (await comesEmpty(request, () => letSend(request, response))) return false;
      throw apiError('rest_unsupported_media_type');
    }
    const room = this.bodies.roomFor(request, response);
    const receiving = receiveBody(request, this.mostBytes, room);
    letSend(request, response);
    const bytes = await receiving;
    const read = (unpacked: Buffer) => (unpacked.length === 0 ? {} : READERS[form](unpacked));
    if (packing === 'identity') {
      request.body = bytes;
      request.bodyValues = read(bytes);
    } else {
      request.packedBody = { bytes, packing, room, read };
    }
    return false;
  }
}

/** Asks for the body, where the client waits for that: only when it is going to be read (contract GEN-39). */
function letSend(request: KalendsRequest, response: Response): void {
  if (request.awaitsContinue !== true) return;
  request.awaitsContinue = false;
  response.writeContinue();
}

function formOf(contentType: string | undefined): keyof typeof READERS | undefined {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map(charsetOf).find(Boolean);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') return undefined;
  if (/^\s*application\/(json|[\w.+-]+\+json)\s*$/.test(type)) return 'json';
  return type.trim() === 'application/x-www-form-urlencoded' ? 'form' : undefined;
}

/** The value of `charset = "utf-8"`; undefined: another parameter. */
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

/** What strangers may have unpacked, in bytes. */
const MOST_OF_STRANGERS = 64 * 1024;

/** Unpacks compressed bodies when it is known who sent them: a thousandth of them is all that strangers need send (ERR-03). */
@Injectable()
export class UnpackStage implements Stage {
  private readonly mostBytes: number;

  constructor({ MAX_BODY_BYTES }: Environment) {
    this.mostBytes = MAX_BODY_BYTES;
  }

  handle(request: KalendsRequest): boolean {
    const { packedBody: packed, context } = request;
    if (packed === undefined) return false;
    const most = isAnonymous(context.caller) ? Math.min(MOST_OF_STRANGERS, this.mostBytes) : this.mostBytes;
    const bytes = unpack(packed, most);
    request.body = bytes;
    request.bodyValues = packed.read(bytes);
    return false;
  }
}
