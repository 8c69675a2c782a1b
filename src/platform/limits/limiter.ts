import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { type ApiError, apiError } from '../errors/api-error.js';
import type { SharedStore } from './shared-store.js';

/** How far the counting for one key has come. */
export interface Quota {
  /** Whether this was more than is allowed. */
  readonly isExcess: boolean;
  readonly remaining: number;
  /** When the counting begins anew, by `performance.now()`. */
  readonly endsAt: number;
}

/** How many times something may happen in a window of time, which begins with the first time. */
export interface Bounds {
  readonly most: number;
  readonly seconds: number;
}

interface Surroundings {
  readonly store: SharedStore;
  /** What the keys of this limiter begin with in the store. */
  readonly prefix: string;
  /** Called for each refusal. */
  readonly refused: () => void;
}

/**
 * Counts by keys within fixed windows: after the end of one, everything is allowed again. Where there is a shared store
 * it counts for all instances; while that is away, and without one, in the memory of this process.
 */
export class Limiter {
  private readonly counter: RateLimiterMemory | RateLimiterRedis;

  constructor(
    { most, seconds }: Bounds,
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
