import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { within } from '../../config/timeout.js';
import { loggedError } from '../../errors/logged-error.js';
import { Log } from '../observability/log.js';
import { Metrics } from '../observability/metrics.js';

/** How long a request may wait for an answer of Redis, in milliseconds. */
const MOST_MILLISECONDS = 250;
/** Between looks at it, in milliseconds, and how long it may take to connect and to answer them. */
const WATCH_MILLISECONDS = 500;
const MOST_LOOKING = 2_000;

/**
 * The Redis server through which instances share their limits, if REDIS_URL names one. Nobody waits for it: what it does
 * not answer in time fails, and from then on everything fails at once, until it is seen to answer again.
 */
@Injectable()
export class RedisStore implements OnApplicationShutdown {
  readonly isConfigured: boolean;
  /** Undefined: not known yet. */
  private isThere: boolean | undefined;
  private redis: Redis | undefined;
  private isClosed = false;

  constructor(
    private readonly environment: Environment,
    private readonly log: Log,
    metrics: Metrics,
  ) {
    this.isConfigured = environment.REDIS_URL !== undefined;
    if (!this.isConfigured) return;
    metrics.gauge({
      name: 'kalends_limits_shared',
      // One worker that counts by itself is one too many.
      aggregator: 'min',
      help: 'Whether limits are counted in Redis, for all instances: 1; or in the memory of each process, since it is away: 0',
      read: () => (this.isAway ? 0 : 1),
    });
  }

  /** Whether limits should be shared and are not. */
  get isAway(): boolean {
    return this.isConfigured && this.isThere !== true;
  }

  /** Begins to look for the server, and goes on until the shutdown. */
  open(): void {
    if (this.isConfigured) void this.watch();
  }

  /** Runs a script: what the limiter needs of a client of Redis. */
  async eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown> {
    const { redis } = this;
    if (redis === undefined || this.isThere !== true) throw new Error('Redis is not there.');
    try {
      return await within(MOST_MILLISECONDS, redis.eval(script, options));
    } catch (error) {
      // Another request may have seen it before, and a new connection be there already.
      if (redis === this.redis) this.lose(error);
      throw error;
    }
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    this.drop();
  }

  private async watch(): Promise<void> {
    while (!this.isClosed) {
      await this.look().then(
        () => this.note(true),
        (error: unknown) => this.lose(error),
      );
      await sleep(WATCH_MILLISECONDS, undefined, { ref: false });
    }
  }

  /** A write, since limits are written: a server that only reads is of no use. */
  private async look(): Promise<void> {
    this.redis ??= await connectRedis(this.environment.REDIS_URL as string, MOST_LOOKING);
    if (this.isClosed) this.drop();
    else await within(MOST_LOOKING, this.redis.set(`${this.environment.REDIS_PREFIX}watch`, '1', { EX: 60 }));
  }

  /** Everything else begins with a new connection: of this one nobody knows what it still brings. */
  private lose(error: unknown): void {
    this.drop();
    this.note(false, error);
  }

  private note(isThere: boolean, error?: unknown): void {
    if (this.isClosed || isThere === this.isThere) return;
    this.isThere = isThere;
    if (isThere) this.log.info({}, 'limits are shared through Redis');
    else this.log.warn({ msg: 'limits are not shared: Redis is away', error: loggedError(error) });
  }

  private drop(): void {
    this.redis?.destroy();
    this.redis = undefined;
  }
}

/** The little that is asked of a client of Redis. */
export interface Redis {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  set(key: string, value: string, options: { EX: number }): Promise<unknown>;
  destroy(): void;
}

/**
 * Connects, or fails within some milliseconds. A connection that breaks stays broken. The client is loaded only now:
 * who has no Redis does not pay for it.
 */
async function connectRedis(url: string, mostMilliseconds: number): Promise<Redis> {
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    // What every version of Redis and its kin speaks.
    RESP: 2,
    disableClientInfo: true,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: false, connectTimeout: mostMilliseconds },
  });
  // Whoever uses the connection learns of it.
  client.on('error', () => undefined);
  try {
    await within(mostMilliseconds, client.connect());
    return client;
  } catch (error) {
    if (client.isOpen) client.destroy();
    throw error;
  }
}
