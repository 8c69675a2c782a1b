import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Environment } from '../../config/environment.js';
import { onAsk, tell, workerKind } from './worker-messages.js';
import { Log } from './log.js';
import { openMetricsServer } from './metrics-server.js';

/** Seconds. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A figure that is read whenever metrics are asked for. */
export interface GaugeSource {
  readonly name: string;
  readonly help: string;
  /** The label by which there are several figures. */
  readonly label?: string;
  /** How the figures of several workers become one; otherwise they are added up. */
  readonly aggregator?: 'max' | 'min';
  /** The figure; with a label: the figures by its values. */
  readonly read: () => number | Readonly<Record<string, number>>;
}

/** Ends the measuring of one request. `route`: the template of its route; others would be without number. */
export type EndOfRequest = (route: string | undefined, status: number) => void;

const NOT_MEASURED: EndOfRequest = () => undefined;

interface Instruments {
  readonly registry: Registry;
  readonly durations: Histogram;
  readonly inFlight: Gauge;
  readonly refusals: Counter;
}

/** Figures for Prometheus on a port of the operator's own, which clients do not reach; without one nothing is counted. */
@Injectable()
export class Metrics implements OnApplicationShutdown {
  private readonly gauges: GaugeSource[] = [];
  private instruments?: Instruments;
  private server?: Server;

  constructor(
    private readonly environment: Environment,
    private readonly log: Log,
  ) {}

  /** Registers a figure of another part of the service; before `listen`. */
  gauge(source: GaugeSource): void {
    this.gauges.push(source);
  }

  /**
   * Begins to count and answers the port; undefined where none is configured. For servers: commands have no figures. Of
   * several workers the process that keeps them has the port, and asks each for its figures.
   */
  async listen(): Promise<number | undefined> {
    const { METRICS_PORT: port, HOST: host } = this.environment;
    if (port === undefined) return undefined;
    const { registry } = (this.instruments = await this.makeInstruments());
    if (workerKind() !== undefined) {
      onAsk(({ id }) => {
        void registry.getMetricsAsJSON().then((figures) => tell({ told: 'figures', id, figures }));
      });
      return undefined;
    }
    this.server = await openMetricsServer({ port, host }, registry.contentType, () => registry.metrics());
    const { port: found } = this.server.address() as AddressInfo;
    this.log.info({ port: found }, 'metrics');
    return found;
  }

  /** Begins to measure a request. */
  begin(sentMethod: string): EndOfRequest {
    if (this.instruments === undefined) return NOT_MEASURED;
    const { durations, inFlight } = this.instruments;
    const end = durations.startTimer();
    inFlight.inc();
    const method = KNOWN_METHODS.includes(sentMethod) ? sentMethod : 'other';
    return (route = 'none', status) => {
      inFlight.dec();
      end({ method, route, status });
    };
  }

  /** Notes a 429, by what was limited. */
  refused(limit: string): void {
    this.instruments?.refusals.inc({ limit });
  }

  async onApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }

  /** Loaded only now: who has no port for it does not pay for it. */
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
        buckets: BUCKETS,
        registers,
      }),
      inFlight: new Gauge({
        name: 'kalends_http_requests_in_flight',
        help: 'Requests that are being answered',
        registers,
      }),
      refusals: new Counter({
        name: 'kalends_refusals_total',
        help: 'Answers 429, by what was limited: requests, wrong credentials, wrong passwords of events',
        labelNames: ['limit'],
        registers,
      }),
    };
  }
}
