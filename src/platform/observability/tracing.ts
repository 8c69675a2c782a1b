import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Response } from 'express';
import { Database } from '../../database/database.js';
import { Environment } from '../../config/environment.js';
import { isProbePath } from '../../config/mounts.js';
import { loggedError } from '../../errors/logged-error.js';
import { Log } from './log.js';
import { within } from '../../config/timeout.js';
import type { Spans, TracedRequest } from './spans.js';

/** How long the end waits for the last spans to be sent, in milliseconds, if SHUTDOWN_TIMEOUT is not shorter. */
const MOST_FLUSHING = 2_000;

/** Traces of requests, sent to an OpenTelemetry collector where one is configured. Nothing ever waits for it. */
@Injectable()
export class Tracing implements OnApplicationShutdown {
  private spans: Spans | undefined;
  private isSending = true;

  constructor(
    private readonly environment: Environment,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Begins to trace, if it is configured. For servers: commands have no requests. What it takes is loaded only now. */
  async start(): Promise<void> {
    const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_SDK_DISABLED } = this.environment;
    const isWanted = (OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined;
    if (!isWanted || OTEL_SDK_DISABLED) return;
    const [{ Spans }, { openTracer }] = await Promise.all([import('./spans.js'), import('./tracer.js')]);
    this.spans = new Spans(await openTracer((error) => this.note(error)), () => this.database.dialect.name);
    this.database.observer = this.spans;
  }

  /** Runs the answering of a request, as a span where there are traces. */
  serve(request: TracedRequest, response: Response, answer: () => void): void {
    if (this.spans === undefined || isProbePath(request.url)) answer();
    else this.spans.request(request, response, answer);
  }

  /** The trace that the running request belongs to, and its own span in it; {} where there are no traces. */
  ids(): { traceId?: string; spanId?: string } {
    return this.spans?.ids() ?? {};
  }

  async onApplicationShutdown(): Promise<void> {
    const most = Math.min(this.environment.SHUTDOWN_TIMEOUT * 1000, MOST_FLUSHING);
    await within(most, this.spans?.shutdown() ?? Promise.resolve()).catch((error: unknown) => this.note(error));
  }

  private note(error?: unknown): void {
    const isSending = error === undefined;
    if (isSending === this.isSending) return;
    this.isSending = isSending;
    if (isSending) this.log.info({}, 'traces are sent again');
    else this.log.warn({ msg: 'traces cannot be sent', error: loggedError(error) });
  }
}
