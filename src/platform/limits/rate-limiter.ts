import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Environment } from '../../config/environment.js';
import { type ApiError, apiError } from '../../errors/api-error.js';
import { Metrics } from '../observability/metrics.js';
import { RedisStore } from './redis-store.js';
import { SharedKeys } from './shared-keys.js';

/** The state of one key's window. */
export interface Quota {
  /** Whether the limit is exceeded. */
  readonly isExcess: boolean;
  readonly remaining: number;
  /** End of the window, as `performance.now()`. */
  readonly endsAt: number;
}

/** The allowed number of uses per window. A window begins with the first use. */
export interface RateLimit {
  readonly max: number;
  readonly seconds: number;
}

interface LimiterOptions {
  readonly store: RedisStore;
  /** Prefix of the limiter's keys in the store. */
  readonly prefix: string;
  /** Called for each limited request. */
  readonly onLimited: () => void;
}

/**
 * A fixed-window rate limiter by keys. Counts in Redis for all instances. Without Redis, or while it is unavailable,
 * counts in the memory of this process.
 */
export class RateLimiter {
  private readonly counter: RateLimiterMemory | RateLimiterRedis;

  constructor(
    { max, seconds }: RateLimit,
    private readonly options: LimiterOptions,
  ) {
    const { prefix, store } = options;
    const memory = new RateLimiterMemory({ points: max, duration: seconds });
    this.counter = store.isConfigured
      ? new RateLimiterRedis({
          storeClient: store,
          useRedisPackage: true,
          insuranceLimiter: memory,
          keyPrefix: prefix,
          points: max,
          duration: seconds,
        })
      : memory;
  }

  async take(key: string): Promise<Quota> {
    try {
      return quotaOf(await this.counter.consume(key), false);
    } catch (limited) {
      if (limited instanceof RateLimiterRes) return quotaOf(limited, true);
      throw limited;
    }
  }

  /** Undoes the `take` that returned this quota, unless its window is over. */
  async refund(key: string, { endsAt }: Quota): Promise<void> {
    if (performance.now() < endsAt) await this.counter.reward(key);
  }

  /** Returns the 429 error. A client that waits for Retry-After is not limited again. */
  tooManyRequests(quota: Quota): ApiError {
    this.options.onLimited();
    return apiError('rest_too_many_requests', { headers: { 'Retry-After': String(secondsLeft(quota)) } });
  }
}

/** Returns the whole seconds until the window ends, at least 1. */
export function secondsLeft({ endsAt }: Quota): number {
  return Math.max(1, Math.ceil((endsAt - performance.now()) / 1000));
}

function quotaOf({ remainingPoints, msBeforeNext }: RateLimiterRes, isExcess: boolean): Quota {
  return { isExcess, remaining: remainingPoints, endsAt: performance.now() + msBeforeNext };
}

/** What is limited, by its name in the metrics. */
type Limited = 'requests' | 'credentials' | 'passwords';

/** Creates the limiters of this process. */
@Injectable()
export class RateLimiters {
  constructor(
    private readonly environment: Environment,
    private readonly store: RedisStore,
    private readonly metrics: Metrics,
  ) {}

  /** `name`: prefix of the keys in the store. The part before `-` is the label in the metrics. */
  limiter(name: Limited | `${Limited}-${string}`, bounds: RateLimit): RateLimiter {
    const [limited = name] = name.split('-');
    return new RateLimiter(bounds, {
      prefix: this.prefix(name),
      store: this.store,
      onLimited: () => this.metrics.countLimited(limited),
    });
  }

  /** Returns a set of keys that expire after this many seconds. */
  keys(name: string, seconds: number): SharedKeys {
    return new SharedKeys(seconds, { prefix: this.prefix(name), store: this.store });
  }

  private prefix(name: string): string {
    return `${this.environment.REDIS_PREFIX}${name}`;
  }
}
