import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { within } from '../../config/timeout.js';
import { loggedError } from '../../errors/logged-error.js';
import { Log } from '../observability/log.js';
import { Metrics } from '../observability/metrics.js';

/** Timeout of a Redis command within a request, in milliseconds. */
const COMMAND_TIMEOUT_MS = 250;
/** Interval of health checks, and the timeout to connect and to answer them, in milliseconds. */
const CHECK_INTERVAL_MS = 500;
const CHECK_TIMEOUT_MS = 2_000;

/**
 * The Redis server through which instances share their rate limits, if REDIS_URL is set. After a timeout every command
 * fails immediately until a health check succeeds, so that requests do not wait.
 */
@Injectable()
export class RedisStore implements OnApplicationShutdown {
  readonly isConfigured: boolean;
  /** Undefined before the first health check. */
  private isAvailable: boolean | undefined;
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
      // 0 if any worker counts by itself.
      aggregator: 'min',
      help: 'Whether limits are counted in Redis, for all instances: 1; or in the memory of each process, since it is away: 0',
      read: () => (this.isUnavailable ? 0 : 1),
    });
  }

  /** Whether Redis is configured but unavailable. */
  get isUnavailable(): boolean {
    return this.isConfigured && this.isAvailable !== true;
  }

  /** Starts the health checks, which run until the shutdown. */
  open(): void {
    if (this.isConfigured) void this.watch();
  }

  /** Runs a Lua script. The rate limiter library calls this. */
  async eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown> {
    const { redis } = this;
    if (redis === undefined || this.isAvailable !== true) throw new Error('Redis is not there.');
    try {
      return await within(COMMAND_TIMEOUT_MS, redis.eval(script, options));
    } catch (error) {
      // Another request may have replaced the connection already.
      if (redis === this.redis) this.disconnect(error);
      throw error;
    }
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    this.drop();
  }

  private async watch(): Promise<void> {
    while (!this.isClosed) {
      await this.check().then(
        () => this.setAvailable(true),
        (error: unknown) => this.disconnect(error),
      );
      await sleep(CHECK_INTERVAL_MS, undefined, { ref: false });
    }
  }

  /** Writes a key, because a read-only server is of no use for limits. */
  private async check(): Promise<void> {
    this.redis ??= await connectRedis(this.environment.REDIS_URL as string, CHECK_TIMEOUT_MS);
    if (this.isClosed) this.drop();
    else await within(CHECK_TIMEOUT_MS, this.redis.set(`${this.environment.REDIS_PREFIX}watch`, '1', { EX: 60 }));
  }

  /** Drops the connection, because late replies could arrive on it. */
  private disconnect(error: unknown): void {
    this.drop();
    this.setAvailable(false, error);
  }

  private setAvailable(isAvailable: boolean, error?: unknown): void {
    if (this.isClosed || isAvailable === this.isAvailable) return;
    this.isAvailable = isAvailable;
    if (isAvailable) this.log.info({}, 'limits are shared through Redis');
    else this.log.warn({ msg: 'limits are not shared: Redis is away', error: loggedError(error) });
  }

  private drop(): void {
    this.redis?.destroy();
    this.redis = undefined;
  }
}

/** The used part of a Redis client. */
export interface Redis {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  set(key: string, value: string, options: { EX: number }): Promise<unknown>;
  destroy(): void;
}

/**
 * Connects or fails within the timeout. Does not reconnect by itself. Imports the client library only here, so that
 * processes without Redis do not load it.
 */
async function connectRedis(url: string, timeoutMs: number): Promise<Redis> {
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    // Protocol version 2, because all versions of Redis and compatible servers support it.
    RESP: 2,
    disableClientInfo: true,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: false, connectTimeout: timeoutMs },
  });
  // Callers get the error from their command. Without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await within(timeoutMs, client.connect());
    return client;
  } catch (error) {
    if (client.isOpen) client.destroy();
    throw error;
  }
}
