import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Response } from 'express';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Database } from '../../database/database.js';
import { Environment } from '../../config/environment.js';
import { BodiesInFlight } from '../http/bodies/bodies-in-flight.js';
import { ResponsesInFlight } from '../http/responses/responses-in-flight.js';
import type { KalendsRequest } from '../http/request.js';
import { RedisStore } from '../limits/redis-store.js';
import { onAsk, tell, workerKind } from './worker-messages.js';
import { Log } from './log.js';
import { openMetricsServer } from './metrics-server.js';

/** Seconds. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

interface Instruments {
  readonly registry: Registry;
  readonly durations: Histogram;
  readonly inFlight: Gauge;
  readonly refusals: Counter;
}

/** Figures for Prometheus on a port of the operator's own, which clients do not reach; without one nothing is counted. */
@Injectable()
export class Metrics implements OnApplicationShutdown {
  /** What the database keeps less than this service promises, by the names of its settings. */
  doubts: readonly string[] = [];
  private instruments?: Instruments;
  private server?: Server;

  constructor(
    private readonly environment: Environment,
    private readonly database: Database,
    private readonly limits: RedisStore,
    private readonly bodies: BodiesInFlight,
    private readonly outlet: ResponsesInFlight,
    private readonly log: Log,
  ) {}

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

  /** Notes a request and how it ends. Its address is told by the template of its route: others would be without number. */
  follow(request: KalendsRequest, response: Response): void {
    if (this.instruments === undefined) return;
    const { durations, inFlight } = this.instruments;
    const end = durations.startTimer();
    inFlight.inc();
    const method = KNOWN_METHODS.includes(request.method) ? request.method : 'other';
    response.once('close', () => {
      inFlight.dec();
      const status = response.writableFinished ? response.statusCode : 499;
      end({ method, route: request.matched?.path ?? 'none', status });
    });
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
    const { database, limits, bodies, outlet } = this;
    new Gauge({
      name: 'kalends_database_connections',
      help: 'Connections to the database server, by whether they are in use',
      labelNames: ['state'],
      registers,
      collect() {
        const { open, idle } = database.load();
        this.set({ state: 'used' }, open - idle);
        this.set({ state: 'idle' }, idle);
      },
    });
    new Gauge({
      name: 'kalends_database_waiting',
      help: 'Callers that wait for a connection or, on SQLite, for their turn to write',
      registers,
      collect() {
        this.set(database.load().waiting);
      },
    });
    new Gauge({
      name: 'kalends_bodies_in_flight_bytes',
      help: 'Bytes of request bodies that are held; at MAX_BODIES_IN_FLIGHT_BYTES further ones are answered 503',
      registers,
      collect() {
        this.set(bodies.held);
      },
    });
    new Gauge({
      name: 'kalends_answers_in_flight_bytes',
      help: 'Bytes of large answers that wait for clients; at MAX_ANSWERS_IN_FLIGHT_BYTES further ones are answered 503',
      registers,
      collect() {
        this.set(outlet.held);
      },
    });
    const doubts = () => this.doubts;
    new Gauge({
      name: 'kalends_database_doubts',
      // Each worker asks, and all mean the same database.
      aggregator: 'max',
      help: 'Settings by which the database keeps less than this service promises: 1 each',
      labelNames: ['about'],
      registers,
      collect() {
        doubts().forEach((about) => this.set({ about }, 1));
      },
    });
    if (limits.isConfigured) {
      new Gauge({
        name: 'kalends_limits_shared',
        // One worker that counts by itself is one too many.
        aggregator: 'min',
        help: 'Whether limits are counted in Redis, for all instances: 1; or in the memory of each process, since it is away: 0',
        registers,
        collect() {
          this.set(limits.isAway ? 0 : 1);
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
