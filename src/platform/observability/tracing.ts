import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Response } from 'express';
import { Database } from '../../database/database.js';
import { Environment } from '../../config/environment.js';
import { isProbePath } from '../../config/mounts.js';
import { loggedError } from '../../errors/logged-error.js';
import { Log } from './log.js';
import { within } from '../../config/timeout.js';
import type { OutgoingResult, Spans, TracedRequest } from './spans.js';

/** Timeout to send the last spans at a shutdown, in milliseconds, unless SHUTDOWN_TIMEOUT is shorter. */
const FLUSH_TIMEOUT_MS = 2_000;

/** Sends traces of requests to an OpenTelemetry collector, if one is configured. Requests never wait for it. */
@Injectable()
export class Tracing implements OnApplicationShutdown {
  private spans: Spans | undefined;
  private isSending = true;

  constructor(
    private readonly environment: Environment,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Starts tracing, if it is configured. Only servers call it, because commands have no requests. */
  async start(): Promise<void> {
    const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_SDK_DISABLED } = this.environment;
    const isWanted = (OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined;
    if (!isWanted || OTEL_SDK_DISABLED) return;
    const [{ Spans }, { openTracer }] = await Promise.all([import('./spans.js'), import('./tracer.js')]);
    this.spans = new Spans(await openTracer((error) => this.setSending(error)), () => this.database.dialect.name);
    this.database.observer = this.spans;
  }

  /** Whether requests have spans. */
  get isOn(): boolean {
    return this.spans !== undefined;
  }

  /** Runs the handling of a request, in a span if tracing is on. */
  serve(request: TracedRequest, response: Response, work: () => void): void {
    if (this.spans === undefined || isProbePath(request.url)) work();
    else this.spans.request(request, response, work);
  }

  /** Sends a request to another host with headers that name its span; without tracing there are none. */
  outgoing<Result extends OutgoingResult>(
    name: string,
    send: (headers: Readonly<Record<string, string>>) => Promise<Result>,
  ): Promise<Result> {
    return this.spans?.outgoing(name, (traceparent) => send({ traceparent })) ?? send({});
  }

  /** Returns the trace and span id of the current request; {} without tracing. */
  ids(): { traceId?: string; spanId?: string } {
    return this.spans?.ids() ?? {};
  }

  async onApplicationShutdown(): Promise<void> {
    const timeoutMs = Math.min(this.environment.SHUTDOWN_TIMEOUT * 1000, FLUSH_TIMEOUT_MS);
    await within(timeoutMs, this.spans?.shutdown() ?? Promise.resolve()).catch((error: unknown) =>
      this.setSending(error),
    );
  }

  private setSending(error?: unknown): void {
    const isSending = error === undefined;
    if (isSending === this.isSending) return;
    this.isSending = isSending;
    if (isSending) this.log.info({}, 'traces are sent again');
    else this.log.warn({ msg: 'traces cannot be sent', error: loggedError(error) });
  }
}
