import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import { type Attributes, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Response } from 'express';
import type { StatementObserver } from '../../database/database.js';
import { callingSpan } from './trace-context.js';
import type { OpenTracer } from './tracer.js';

/** Characters of a statement that are told: it may have hundreds of places for values. */
const MOST_CHARACTERS = 2_000;

/** The spans of requests, and within them those of transactions and statements. No values, no secrets. */
export class Spans implements StatementObserver {
  private readonly current = new AsyncLocalStorage<Span>();

  constructor(
    private readonly open: OpenTracer,
    private readonly databaseSystem: () => string,
  ) {}

  /** The span of a request ends with its answer; it continues the trace of a valid `traceparent`. */
  request(request: TracedRequest, response: Response, answer: () => void): void {
    const calling = callingSpan(request.headers.traceparent);
    const parent = calling === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, calling);
    const span = this.open.tracer.startSpan(spanName(request), { kind: SpanKind.SERVER }, parent);
    response.once('close', () => {
      // Only now it is known which route it was.
      span.updateName(spanName(request));
      span.setAttributes({ ...requestAttributes(request), ...responseAttributes(response) });
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    this.current.run(span, answer);
  }

  ids(): { traceId?: string; spanId?: string } {
    const context = this.current.getStore()?.spanContext();
    return context === undefined ? {} : { traceId: context.traceId, spanId: context.spanId };
  }

  statement<Result>(sql: string, run: () => Promise<Result>): Promise<Result> {
    const [operation = ''] = sql.trimStart().split(/\s/, 1);
    return this.child(operation.toUpperCase(), SpanKind.CLIENT, run, {
      'db.operation.name': operation.toUpperCase(),
      'db.query.text': sql.slice(0, MOST_CHARACTERS),
    });
  }

  transaction<Result>(run: () => Promise<Result>): Promise<Result> {
    return this.child('transaction', SpanKind.INTERNAL, run, {});
  }

  shutdown(): Promise<void> {
    return this.open.shutdown();
  }

  /** What belongs to no request is not told. */
  private async child<Result>(
    name: string,
    kind: SpanKind,
    run: () => Promise<Result>,
    attributes: Attributes,
  ): Promise<Result> {
    const parent = this.current.getStore();
    if (parent === undefined) return run();
    const all = { 'db.system.name': this.databaseSystem(), ...attributes };
    const span = this.open.tracer.startSpan(name, { kind, attributes: all }, trace.setSpan(ROOT_CONTEXT, parent));
    try {
      return await this.current.run(span, run);
    } catch (error) {
      // Messages of the engines quote values.
      span.setAttribute('error.type', codeOf(error)).setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }
}

function codeOf(error: unknown): string {
  const { code, name } = error instanceof Error ? (error as Error & { code?: unknown }) : { code: 0, name: 'error' };
  return typeof code === 'string' ? code : name;
}

/** Those that the semantic conventions for HTTP know; others are without number. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'];

/** What a span tells of a request. A request that ends before the stages see it lacks the optional members. */
export interface TracedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly originalUrl?: string;
  readonly apiBaseUrl?: { readonly origin: string };
  readonly matched?: { readonly template: string };
  readonly sentMethod?: string;
}

/** Method and template of the route, which only the stages find. */
function spanName(request: TracedRequest): string {
  const route = routeOf(request);
  const method = methodOf(request);
  const named = METHODS.includes(method) ? method : 'HTTP';
  return route === undefined ? named : `${named} ${route}`;
}

/** What a request is, by the semantic conventions for HTTP: never its query, in which there may be secrets. */
function requestAttributes(request: TracedRequest): Attributes {
  const method = methodOf(request);
  const route = routeOf(request);
  return {
    'http.request.method': METHODS.includes(method) ? method : '_OTHER',
    ...(route === undefined ? {} : { 'http.route': route }),
    'url.path': (request.originalUrl ?? request.url).split('?', 1)[0] ?? '',
    ...(request.apiBaseUrl === undefined ? {} : { 'url.scheme': request.apiBaseUrl.origin.split(':', 1)[0] }),
  };
}

function responseAttributes(response: Response): Attributes {
  const requestId = response.getHeader('X-Request-Id');
  return {
    ...(typeof requestId === 'string' ? { 'http.response.header.x-request-id': [requestId] } : {}),
    ...(response.writableFinished
      ? { 'http.response.status_code': response.statusCode }
      : // The client went away, or the connection was cut.
        { 'error.type': 'aborted' }),
    ...(response.statusCode >= 500 ? { 'error.type': String(response.statusCode) } : {}),
  };
}

/** Updates are one method for the router. */
function methodOf({ sentMethod, method }: TracedRequest): string {
  return sentMethod ?? method;
}

function routeOf({ matched }: TracedRequest): string | undefined {
  return matched?.template;
}
