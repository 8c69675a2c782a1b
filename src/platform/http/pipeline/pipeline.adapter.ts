import { createServer, IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import { type RequestMethod, StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { ErrorRequestHandler, Express, RequestHandler, Response } from 'express';
import { withParticipant } from '../../../database/connection/participant.js';
import { apiError } from '../../../errors/api-error.js';
import { operationOf } from '../operation.js';
import { isReply } from '../reply.js';
import type { KalendsRequest } from '../request.js';
import { OrdinaryRoutes } from '../routing/ordinary-routes.js';
import { SITE_TEMPLATE } from '../routing/site-paths.js';
import { sendObject } from '../responses/send-object.js';
import { sendReply } from '../responses/send.js';
import { shownAs } from '../responses/shown-reply.js';
import { rejectIfUnreadable } from '../responses/unreadable-file.js';
import '../responses/guarded-filters.js';

/** The methods of Express by which Nest registers handlers. */
const VERBS = [
  ...(['get', 'post', 'put', 'patch', 'delete', 'options', 'head', 'all', 'search', 'query'] as const),
  ...(['propfind', 'proppatch', 'mkcol', 'copy', 'move', 'lock', 'unlock'] as const),
];

/** The pipeline that runs before the handlers (pipeline.ts). */
interface RequestStages {
  /** Wraps the whole processing of a request. */
  around(request: KalendsRequest, response: Response, work: () => Promise<void>): void;
  /** Returns whether it has sent the response. */
  run(request: KalendsRequest, response: Response): Promise<boolean>;
}

/**
 * Runs the stages before Express. They know the route of a request, so a handler of ours is called directly, unless a
 * module has registered middleware. Express finds the handlers of ordinary routes. Responses are sent as bytes with our own
 * validators, because Express would serialise and hash them a second time.
 */
export class PipelineAdapter extends ExpressAdapter {
  readonly ordinaryRoutes = new OrdinaryRoutes();
  /** Our handlers by method and path template: `GET /calendar/events/v1/events/:id`. */
  private readonly handlers = new Map<string, RequestHandler>();
  private stages: RequestStages | undefined;
  private onError: ErrorRequestHandler | undefined;

  constructor(private readonly limits: ServerOptions) {
    super();
    for (const verb of VERBS) this.noteRoutes(verb);
  }

  /** Registers the stages for all later requests. */
  useStages(stages: RequestStages): void {
    this.stages = stages;
  }

  /** Middleware of Express for all paths, such as `app.use(helmet())`. */
  override use(...args: unknown[]): unknown {
    this.ordinaryRoutes.hasMiddleware = true;
    return super.use(...(args as [RequestHandler]));
  }

  /** Middleware of modules: `configure(consumer)`. */
  override createMiddlewareFactory(requestMethod: RequestMethod) {
    this.ordinaryRoutes.hasMiddleware = true;
    return super.createMiddlewareFactory(requestMethod);
  }

  override setErrorHandler(handler: ErrorRequestHandler): unknown {
    this.onError = handler;
    return this.getInstance<Express>().use(handler);
  }

  /** Replaces Nest's handler, so that a module's NotFoundException is no unknown route. */
  override setNotFoundHandler(): unknown {
    return this.getInstance<Express>().use(() => {
      throw apiError('rest_no_route');
    });
  }

  /**
   * Sends what a handler returns: our `Reply`, an object as JSON with an ETag, all else as Express does. `status`: given
   * for errors of filters and for streams.
   */
  override reply(response: Response, body: unknown, status?: number): unknown {
    if (status !== undefined) return this.send(response, body, status);
    const { shownReply, keyedWrite } = response.req as KalendsRequest;
    const result = shownReply === undefined ? body : shownAs(shownReply, body);
    if (keyedWrite === undefined) return this.send(response, result);
    return keyedWrite.keep(result).then(() => this.send(response, result));
  }

  private send(response: Response, body: unknown, status?: number): unknown {
    if (isReply(body)) return sendReply(response, body);
    if (status !== undefined) response.status(status);
    if (body instanceof StreamableFile) {
      rejectIfUnreadable(body, response, (error) => void this.onError?.(error, response.req, response, NO_NEXT));
    }
    return isPlain(body) ? sendObject(response, body) : (super.reply(response, body, status) as unknown);
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
      // As Express does, which does not see every request. Its `response.json()` needs them, in filters of modules.
      request.res = response;
      response.locals = {};
      this.stages?.around(request, response, () => this.handle(request, response));
    });
  }

  /** Notes the routes that Nest registers by a method of Express, such as `get`. */
  private noteRoutes(verb: (typeof VERBS)[number]): void {
    const register = (this[verb] as Register).bind(this);
    const noting: Register = (path, handler) => {
      const method = verb.toUpperCase();
      const template = String(path);
      const operation = operationOf(handler as object);
      if (template === SITE_TEMPLATE) {
        this.handlers.set(`${method} ${template}`, handler as RequestHandler);
        return register(path, onlyIfMatched(handler as RequestHandler, template));
      }
      if (operation === undefined) {
        this.ordinaryRoutes.add(method, template);
        return register(path, onlyIfMatched(handler as RequestHandler, undefined));
      }
      this.handlers.set(`${method} ${template}`, handler as RequestHandler);
      const guarded = onlyIfMatched(handler as RequestHandler, template);
      // Middleware must see the method that the client sent: POST and PUT of an update are registered as PATCH.
      if (operation.kind === 'update') this.getInstance<Express>().post(template, guarded).put(template, guarded);
      return register(path, guarded);
    };
    Object.assign(this, { [verb]: noting });
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
    if (handler === undefined) withParticipant(request.keyedWrite, () => void express(request, response));
    else void handler(request, response, NO_NEXT);
  }

  /** Returns the handler to call without Express. */
  private handlerOf({ method, matched }: KalendsRequest): RequestHandler | undefined {
    if (matched === undefined || this.ordinaryRoutes.hasMiddleware) return undefined;
    return this.handlers.get(`${method === 'HEAD' ? 'GET' : method} ${matched.template}`);
  }
}

type Register = (path: unknown, handler: unknown) => unknown;

/**
 * Makes Express call a handler only for a request whose route the stages have found, because Express ignores case and
 * further slashes. `template`: of our routes; undefined for ordinary ones.
 */
function onlyIfMatched(handler: RequestHandler, template: string | undefined): RequestHandler {
  return (request, response, next) => {
    const { matched } = request as KalendsRequest;
    const isMatch = template === undefined ? matched?.isOrdinary === true : matched?.template === template;
    return isMatch ? handler(request, response, next) : next();
  };
}

/** Whether a result is sent as JSON: an object that is neither a stream nor an error. */
function isPlain(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !(body instanceof StreamableFile) && !(body instanceof Error);
}

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
