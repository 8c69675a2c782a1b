import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import { type Attributes, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Response } from 'express';
import type { StatementObserver } from '../../database/statement-observer.js';
import { parentSpan } from './trace-context.js';
import type { OpenTracer } from './tracer.js';

/** Longest recorded SQL text. A statement may have hundreds of placeholders. */
const MAX_SQL_CHARACTERS = 2_000;

/** Creates spans of requests and, within them, of transactions and statements. Contains no values and no secrets. */
export class Spans implements StatementObserver {
  private readonly current = new AsyncLocalStorage<Span>();

  constructor(
    private readonly open: OpenTracer,
    private readonly databaseSystem: () => string,
  ) {}

  /** Runs a request in a span that ends with the response. Continues the trace of a valid `traceparent`. */
  request(request: TracedRequest, response: Response, work: () => void): void {
    const remote = parentSpan(request.headers.traceparent);
    const parent = remote === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote);
    const span = this.open.tracer.startSpan(spanName(request), { kind: SpanKind.SERVER }, parent);
    response.once('close', () => {
      // The route is known only after the pipeline.
      span.updateName(spanName(request));
      span.setAttributes({ ...requestAttributes(request), ...responseAttributes(response) });
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    this.current.run(span, work);
  }

  /** Sends a request in a span of its own. `send` gets the `traceparent` that names the span, and returns the status. */
  async outgoing<Result extends OutgoingResult>(name: string, send: (traceparent: string) => Promise<Result>) {
    const span = this.open.tracer.startSpan(name, { kind: SpanKind.CLIENT }, ROOT_CONTEXT);
    const { traceId, spanId, traceFlags } = span.spanContext();
    try {
      const result = await send(`00-${traceId}-${spanId}-0${traceFlags}`);
      const { status, error } = result;
      if (status > 0) span.setAttribute('http.response.status_code', status);
      if (error !== undefined) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
      return result;
    } finally {
      span.end();
    }
  }

  ids(): { traceId?: string; spanId?: string } {
    const context = this.current.getStore()?.spanContext();
    return context === undefined ? {} : { traceId: context.traceId, spanId: context.spanId };
  }

  /** Statements that go to the database together are one span, as in OpenTelemetry's semantic conventions for databases. */
  statements<Result>(texts: readonly string[], run: () => Promise<Result>): Promise<Result> {
    const name = texts.length === 1 ? verbOf(texts[0]!) : 'BATCH';
    return this.child(name, SpanKind.CLIENT, run, {
      'db.operation.name': name,
      ...(texts.length === 1 ? {} : { 'db.operation.batch.size': texts.length }),
      'db.query.text': texts.join('; ').slice(0, MAX_SQL_CHARACTERS),
    });
  }

  transaction<Result>(run: () => Promise<Result>): Promise<Result> {
    return this.child('transaction', SpanKind.INTERNAL, run, {});
  }

  shutdown(): Promise<void> {
    return this.open.shutdown();
  }

  /** Runs work in a child span. Without a request there is no span. */
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
      // Not the message, because database errors quote values.
      span.setAttribute('error.type', codeOf(error)).setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }
}

function verbOf(sql: string): string {
  const [verb = ''] = sql.trimStart().split(/\s/, 1);
  return verb.toUpperCase();
}

function codeOf(error: unknown): string {
  const { code, name } = error instanceof Error ? (error as Error & { code?: unknown }) : { code: 0, name: 'error' };
  return typeof code === 'string' ? code : name;
}

/** The methods of OpenTelemetry's semantic conventions for HTTP. Others would make too many span names. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'];

/** What came of a request to another host. */
export interface OutgoingResult {
  /** The status of the response. 0: there was none. */
  readonly status: number;
  readonly error?: string;
}

/** The recorded parts of a request. Optional members are missing if it ends before the pipeline. */
export interface TracedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly originalUrl?: string;
  readonly apiBaseUrl?: { readonly origin: string };
  readonly matched?: { readonly template: string };
  readonly sentMethod?: string;
}

/** Returns method and route template. */
function spanName(request: TracedRequest): string {
  const route = routeOf(request);
  const method = methodOf(request);
  const named = METHODS.includes(method) ? method : 'HTTP';
  return route === undefined ? named : `${named} ${route}`;
}

/** Returns attributes of the semantic conventions for HTTP. Never the query, because it may contain secrets. */
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
      : // The client disconnected, or the server closed the connection.
        { 'error.type': 'aborted' }),
    ...(response.statusCode >= 500 ? { 'error.type': String(response.statusCode) } : {}),
  };
}

/** Returns the method that the client sent, because the route stage changes that of updates. */
function methodOf({ sentMethod, method }: TracedRequest): string {
  return sentMethod ?? method;
}

function routeOf({ matched }: TracedRequest): string | undefined {
  return matched?.template;
}
