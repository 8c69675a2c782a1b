import { createServer, IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { ErrorRequestHandler, Express, RequestHandler, Response } from 'express';
import type { Reply } from '../reply.js';
import type { KalendsRequest } from '../request.js';
import { sendAnswer } from '../responses/send.js';

/** What goes before the handlers (pipeline.ts). */
interface BeforeHandlers {
  /** Does all the work of a request. */
  around(request: KalendsRequest, response: Response, work: () => Promise<void>): void;
  /** Answers whether it has sent the answer itself. */
  run(request: KalendsRequest, response: Response): Promise<boolean>;
}

/**
 * Express without the way through its router: the stages know the route of a request, so its handler is called at once.
 * Express itself sees only what lies outside the mounts. Answers leave as bytes with our own validators: its way would
 * hash and serialise them a second time.
 */
export class PipelineAdapter extends ExpressAdapter {
  /** By method and path template: `GET /calendar/events/v1/events/:id`. */
  private readonly handlers = new Map<string, RequestHandler>();
  private stages: BeforeHandlers | undefined;
  private onError: ErrorRequestHandler | undefined;

  constructor(private readonly limits: ServerOptions) {
    super();
  }

  /** From here on requests pass these stages first. */
  useStages(stages: BeforeHandlers): void {
    this.stages = stages;
  }

  override get(path: unknown, handler?: unknown): unknown {
    return this.register('GET', path, handler, (super.get as Register).bind(this));
  }

  override post(path: unknown, handler?: unknown): unknown {
    return this.register('POST', path, handler, (super.post as Register).bind(this));
  }

  override patch(path: unknown, handler?: unknown): unknown {
    return this.register('PATCH', path, handler, (super.patch as Register).bind(this));
  }

  override delete(path: unknown, handler?: unknown): unknown {
    return this.register('DELETE', path, handler, (super.delete as Register).bind(this));
  }

  override setErrorHandler(handler: ErrorRequestHandler, prefix?: string): unknown {
    this.onError = handler;
    return super.setErrorHandler(handler, prefix) as unknown;
  }

  override reply(response: Response, answer: Reply): Promise<void> {
    return sendAnswer(response, answer);
  }

  override initHttpServer(): void {
    const { request, response } = this.getInstance<Express>();
    const options = {
      ...this.limits,
      IncomingMessage: withPrototype(class extends IncomingMessage {}, request),
      ServerResponse: withPrototype(class extends ServerResponse {}, response),
    };
    this.httpServer = createServer(options, (incoming, outgoing) => {
      const request = incoming as unknown as KalendsRequest;
      const response = outgoing as unknown as Response;
      this.stages?.around(request, response, () => this.answer(request, response));
    });
  }

  private register(method: string, path: unknown, handler: unknown, inExpress: Register): unknown {
    this.handlers.set(`${method} ${String(path)}`, handler as RequestHandler);
    return inExpress(path, handler);
  }

  private async answer(request: KalendsRequest, response: Response): Promise<void> {
    const express = this.getInstance<Express>();
    try {
      if ((await this.stages?.run(request, response)) === true) return;
    } catch (error) {
      void this.onError?.(error, request, response, NOTHING_LEFT);
      return;
    }
    const handler = this.handlerOf(request);
    if (handler === undefined) express(request, response);
    else void handler(request, response, NOTHING_LEFT);
  }

  private handlerOf({ method, matched }: KalendsRequest): RequestHandler | undefined {
    if (matched === undefined) return undefined;
    return this.handlers.get(`${method === 'HEAD' ? 'GET' : method} ${matched.template}`);
  }
}

type Register = (path: unknown, handler: unknown) => unknown;

/** Handlers of the framework answer in any case, and leave nothing to others. */
const NOTHING_LEFT = () => undefined;

/**
 * Requests and responses that Express need not change: it would give each of them another prototype, after which all that
 * is asked of them is slow.
 */
function withPrototype<Class extends new (...args: never[]) => object>(type: Class, prototype: object): Class {
  Object.setPrototypeOf(type.prototype, prototype);
  return type;
}
