import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../../../config/environment.js';
import { type ApiError, apiError } from '../../../errors/api-error.js';
import { isAnonymous } from '../../../kernel/caller.js';
import { isSafe } from '../../server/http-method.js';
import { BodiesInFlight } from '../bodies/bodies-in-flight.js';
import { closeIfUnread, hasBody, isBodyEmpty, drainBody, hasLongRest } from '../bodies/drain-body.js';
import { bodyFormOf, isParsedType, parseBody } from '../bodies/parsed-body.js';
import { limitUnreadBody } from '../bodies/unread-body.js';
import { encodingOf, decompress } from '../bodies/compressed-body.js';
import { receiveBody } from '../bodies/received-body.js';
import { sendError } from '../responses/send.js';
import type { KalendsRequest } from '../request.js';
import { RouteTable } from '../routing/route-table.js';
import type { Stage } from './stage.js';

/** Reads JSON and form bodies (contract 2.1). Discards bodies of reads. Other bodies are left to ordinary routes. */
@Injectable()
export class BodyStage implements Stage {
  private readonly maxBytes: number;

  constructor(
    { MAX_BODY_BYTES }: Environment,
    private readonly bodies: BodiesInFlight,
    private readonly routes: RouteTable,
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
    if (this.isLeftToModules(request)) return this.leaveUnread(request, response);
    const form = bodyFormOf(request.headers['content-type']);
    const encoding = encodingOf(request.headers['content-encoding']);
    if (form === undefined || encoding === undefined) {
      if (await isBodyEmpty(request, () => sendContinue(request, response))) return false;
      throw apiError('rest_unsupported_media_type');
    }
    const reservation = this.bodies.reserveFor(request, response);
    const receiving = receiveBody(request, this.maxBytes, reservation);
    sendContinue(request, response);
    const bytes = await receiving;
    const accept = (content: Buffer) => parseBody(request, form, content);
    if (encoding === 'identity') accept(bytes);
    else request.compressedBody = { bytes, encoding, reservation, accept };
    return false;
  }

  /**
   * Whether a module reads the body: middleware on a path without a route, and the handler of an ordinary route if it is
   * neither JSON nor a form, whatever their charset.
   */
  private isLeftToModules({ match, headers }: KalendsRequest): boolean {
    if (match === undefined) return this.routes.hasMiddleware;
    return match.route.isOrdinary && !isParsedType(headers['content-type']);
  }

  /** Leaves a body that the service does not parse to a handler or middleware of a module. */
  private leaveUnread(request: KalendsRequest, response: Response): false {
    const reservation = this.bodies.reserveFor(request, response);
    limitUnreadBody(request, { maxBytes: this.maxBytes, reservation }, (error) => closeWith(error, request, response));
    response.once('finish', () => closeIfUnread(request));
    sendContinue(request, response);
    return false;
  }
}

/** Responds, unless the handler has begun to, and closes the connection, on which the rest of the body would follow. */
function closeWith(error: ApiError, request: KalendsRequest, response: Response): void {
  if (response.headersSent) {
    request.destroy();
    return;
  }
  response.setHeader('Connection', 'close');
  response.once('finish', () => request.destroy());
  void sendError(response, error);
}

/** Sends 100 Continue if the client waits for it, just before the body is read (contract GEN-39). */
function sendContinue(request: KalendsRequest, response: Response): void {
  if (request.awaitsContinue !== true) return;
  request.awaitsContinue = false;
  response.writeContinue();
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
    compressed.accept(bytes);
    return false;
  }
}
