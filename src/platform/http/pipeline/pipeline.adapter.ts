import { createServer, IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { ErrorRequestHandler, Express, RequestHandler, Response } from 'express';
import type { Reply } from '../reply.js';
import type { KalendsRequest } from '../request.js';
import { sendReply } from '../responses/send.js';

/** The pipeline that runs before the handlers (pipeline.ts). */
interface RequestStages {
  /** Wraps the whole processing of a request. */
  around(request: KalendsRequest, response: Response, work: () => Promise<void>): void;
  /** Returns whether it has sent the response. */
  run(request: KalendsRequest, response: Response): Promise<boolean>;
}

/**
 * Bypasses the router of Express: the stages know the route of a request, so its handler is called directly.
 * Express handles only paths outside the mounts. Responses are sent as bytes with our own validators, because Express
 * would serialise and hash them a second time.
 */
export class PipelineAdapter extends ExpressAdapter {
  /** By method and path template: `GET /calendar/events/v1/events/:id`. */
  private readonly handlers = new Map<string, RequestHandler>();
  private stages: RequestStages | undefined;
  private onError: ErrorRequestHandler | undefined;

  constructor(private readonly limits: ServerOptions) {
    super();
  }

  /** Registers the stages for all later requests. */
  useStages(stages: RequestStages): void {
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

  override reply(response: Response, reply: Reply): Promise<void> {
    return sendReply(response, reply);
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
      this.stages?.around(request, response, () => this.handle(request, response));
    });
  }

  private register(method: string, path: unknown, handler: unknown, inExpress: Register): unknown {
    this.handlers.set(`${method} ${String(path)}`, handler as RequestHandler);
    return inExpress(path, handler);
  }

  private async handle(request: KalendsRequest, response: Response): Promise<void> {
    const express = this.getInstance<Express>();
    try {
      if ((await this.stages?.run(request, response)) === true) return;
    } catch (error) {
      void this.onError?.(error, request, response, NO_NEXT);
      return;
    }
    const handler = this.handlerOf(request);
    if (handler === undefined) express(request, response);
    else void handler(request, response, NO_NEXT);
  }

  private handlerOf({ method, matched }: KalendsRequest): RequestHandler | undefined {
    if (matched === undefined) return undefined;
    return this.handlers.get(`${method === 'HEAD' ? 'GET' : method} ${matched.template}`);
  }
}

type Register = (path: unknown, handler: unknown) => unknown;

/** `next` of Express: handlers of Nest always respond, so they never call it. */
const NO_NEXT = () => undefined;

/**
 * Gives requests and responses the prototype of Express beforehand. Express would otherwise change the prototype of
 * each object, which slows down every access to it.
 */
function withPrototype<Class extends new (...args: never[]) => object>(type: Class, prototype: object): Class {
  Object.setPrototypeOf(type.prototype, prototype);
  return type;
}
