import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Environment } from '../../config/environment.js';
import { onRequest, sendToPrimary, workerKind } from './worker-messages.js';
import { Log } from './log.js';
import { openMetricsServer } from './metrics-server.js';

/** Seconds. */
const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A gauge that is read at every scrape. */
export interface GaugeSource {
  readonly name: string;
  readonly help: string;
  /** The label, if there are several values. */
  readonly label?: string;
  /** How the values of several workers are combined. Default: sum. */
  readonly aggregator?: 'max' | 'min';
  /** Returns the value, or with a label one value per label value. */
  readonly read: () => number | Readonly<Record<string, number>>;
}

/** Stops the timer of a request. `route`: the route's template, because there are too many paths for a label. */
export type EndTimer = (route: string | undefined, status: number) => void;

const NO_TIMER: EndTimer = () => undefined;

interface Instruments {
  readonly registry: Registry;
  readonly durations: Histogram;
  readonly inFlight: Gauge;
  readonly limited: Counter;
  readonly truncatedFeeds: Counter;
  readonly webhookAttempts: Counter;
}

/** Metrics for Prometheus on METRICS_PORT. Without it nothing is counted. */
@Injectable()
export class Metrics implements OnApplicationShutdown {
  private readonly gauges: GaugeSource[] = [];
  private instruments?: Instruments;
  private server?: Server;

  constructor(
    private readonly environment: Environment,
    private readonly log: Log,
  ) {}

  /** Registers a gauge of another module. Call before `listen`. */
  gauge(source: GaugeSource): void {
    this.gauges.push(source);
  }

  /**
   * Starts counting and returns the port, or undefined without METRICS_PORT. Only servers call it, because commands
   * have no metrics. With several workers, the primary process has the port and collects the metrics of each worker.
   */
  async listen(): Promise<number | undefined> {
    const { METRICS_PORT: port, HOST: host } = this.environment;
    if (port === undefined) return undefined;
    const { registry } = (this.instruments = await this.makeInstruments());
    if (workerKind() !== undefined) {
      onRequest(({ id }) => {
        void registry.getMetricsAsJSON().then((metrics) => sendToPrimary({ type: 'metrics', id, metrics }));
      });
      return undefined;
    }
    this.server = await openMetricsServer({ port, host }, registry.contentType, () => registry.metrics());
    const { port: found } = this.server.address() as AddressInfo;
    this.log.info({ port: found }, 'metrics');
    return found;
  }

  /** Starts the timer of a request. */
  begin(sentMethod: string): EndTimer {
    if (this.instruments === undefined) return NO_TIMER;
    const { durations, inFlight } = this.instruments;
    const end = durations.startTimer();
    inFlight.inc();
    const method = KNOWN_METHODS.includes(sentMethod) ? sentMethod : 'other';
    return (route = 'none', status) => {
      inFlight.dec();
      end({ method, route, status });
    };
  }

  /** Counts a 429 response. `limit`: what was limited. */
  countLimited(limit: string): void {
    this.instruments?.limited.inc({ limit });
  }

  /** Counts a feed that does not contain all events of its filter. */
  countTruncatedFeed(): void {
    this.instruments?.truncatedFeeds.inc();
  }

  /** Counts an attempt to send a message to a webhook. `outcome`: `delivered`, or why it failed. */
  countWebhookAttempt(outcome: string): void {
    this.instruments?.webhookAttempts.inc({ outcome });
  }

  async onApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }

  /** Imports the library only here, so that processes without METRICS_PORT do not load it. */
  private async makeInstruments(): Promise<Instruments> {
    const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = (await import('prom-client')).default;
    const registry = new Registry();
    const registers = [registry];
    collectDefaultMetrics({ register: registry });
    for (const { name, help, label, aggregator, read } of this.gauges) {
      new Gauge({
        name,
        help,
        registers,
        ...(label === undefined ? {} : { labelNames: [label] }),
        ...(aggregator === undefined ? {} : { aggregator }),
        collect() {
          const found = read();
          if (typeof found === 'number') this.set(found);
          else for (const [value, figure] of Object.entries(found)) this.set({ [label ?? '']: value }, figure);
        },
      });
    }
    return {
      registry,
      durations: new Histogram({
        name: 'kalends_http_request_duration_seconds',
        help: 'Time from a request to the end of its answer; status 499: the client went away',
        labelNames: ['method', 'route', 'status'],
        buckets: BUCKETS_SECONDS,
        registers,
      }),
      inFlight: new Gauge({
        name: 'kalends_http_requests_in_flight',
        help: 'Requests that are being answered',
        registers,
      }),
      limited: new Counter({
        name: 'kalends_refusals_total',
        help: 'Answers 429, by what was limited: requests, wrong credentials, wrong passwords of events',
        labelNames: ['limit'],
        registers,
      }),
      truncatedFeeds: new Counter({
        name: 'kalends_feed_truncated_total',
        help: 'iCalendar feeds that were made without the last events of their filter, because of ICAL_MOST',
        registers,
      }),
      webhookAttempts: new Counter({
        name: 'kalends_webhook_attempts_total',
        help: 'Attempts to send a message to a webhook, by what came of them: delivered, or the error',
        labelNames: ['outcome'],
        registers,
      }),
    };
  }
}
