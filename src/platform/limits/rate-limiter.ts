import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Environment } from '../../config/environment.js';
import { type ApiError, apiError } from '../../errors/api-error.js';
import { Metrics } from '../observability/metrics.js';
import { RedisStore } from './redis-store.js';
import { SharedKeys } from './shared-keys.js';

/** How far the counting for one key has come. */
export interface Quota {
  /** Whether this was more than is allowed. */
  readonly isExcess: boolean;
  readonly remaining: number;
  /** When the counting begins anew, by `performance.now()`. */
  readonly endsAt: number;
}

/** How many times something may happen in a window of time, which begins with the first time. */
export interface RateLimit {
  readonly most: number;
  readonly seconds: number;
}

interface Surroundings {
  readonly store: RedisStore;
  /** What the keys of this limiter begin with in the store. */
  readonly prefix: string;
  /** Called for each refusal. */
  readonly refused: () => void;
}

/**
 * Counts by keys within fixed windows: after the end of one, everything is allowed again. Where there is a shared store
 * it counts for all instances; while that is away, and without one, in the memory of this process.
 */
export class RateLimiter {
  private readonly counter: RateLimiterMemory | RateLimiterRedis;

  constructor(
    { most, seconds }: RateLimit,
    private readonly surroundings: Surroundings,
  ) {
    const { prefix, store } = surroundings;
    const memory = new RateLimiterMemory({ points: most, duration: seconds });
    this.counter = store.isConfigured
      ? new RateLimiterRedis({
          storeClient: store,
          useRedisPackage: true,
          insuranceLimiter: memory,
          keyPrefix: prefix,
          points: most,
          duration: seconds,
        })
      : memory;
  }

  async take(key: string): Promise<Quota> {
    try {
      return quotaOf(await this.counter.consume(key), false);
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return quotaOf(refused, true);
      throw refused;
    }
  }

  /** Undoes the `take` that answered this quota, unless its window is over. */
  async giveBack(key: string, { endsAt }: Quota): Promise<void> {
    if (performance.now() < endsAt) await this.counter.reward(key);
  }

  /** Whoever waits as long as Retry-After says is not refused. */
  refusal(quota: Quota): ApiError {
    this.surroundings.refused();
    return apiError('rest_too_many_requests', { headers: { 'Retry-After': String(secondsLeft(quota)) } });
  }
}

/** Whole seconds after which the counting has begun anew. */
export function secondsLeft({ endsAt }: Quota): number {
  return Math.max(1, Math.ceil((endsAt - performance.now()) / 1000));
}

function quotaOf({ remainingPoints, msBeforeNext }: RateLimiterRes, isExcess: boolean): Quota {
  return { isExcess, remaining: remainingPoints, endsAt: performance.now() + msBeforeNext };
}

/** What is limited, by its name in the metrics. */
type Limited = 'requests' | 'credentials' | 'passwords';

/** Makes the limiters of this process. */
@Injectable()
export class RateLimiters {
  constructor(
    private readonly environment: Environment,
    private readonly store: RedisStore,
    private readonly metrics: Metrics,
  ) {}

  /** `name`: of the counts in the store; those of several limiters of one thing begin with what is limited. */
  limiter(name: Limited | `${Limited}-${string}`, bounds: RateLimit): RateLimiter {
    const [limited = name] = name.split('-');
    return new RateLimiter(bounds, {
      prefix: this.prefix(name),
      store: this.store,
      refused: () => this.metrics.refused(limited),
    });
  }

  /** Keys that are remembered for so many seconds. */
  keys(name: string, seconds: number): SharedKeys {
    return new SharedKeys(seconds, { prefix: this.prefix(name), store: this.store });
  }

  private prefix(name: string): string {
    return `${this.environment.REDIS_PREFIX}${name}`;
  }
}
