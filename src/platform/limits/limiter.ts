import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type ApiError, apiError } from '../errors/api-error.js';

/** How far the counting for one key has come. */
export interface Quota {
  /** Whether this was more than is allowed. */
  readonly isExcess: boolean;
  readonly remaining: number;
  /** When the counting begins anew, by `performance.now()`. */
  readonly endsAt: number;
}

/** How many times something may happen in a window of time, which begins with the first time. */
interface Bounds {
  readonly most: number;
  readonly seconds: number;
}

/** Counts by keys within fixed windows: after the end of one, everything is allowed again. */
export class Limiter {
  private readonly memory: RateLimiterMemory;

  constructor(bounds: Bounds) {
    this.memory = new RateLimiterMemory({ points: bounds.most, duration: bounds.seconds });
  }

  async take(key: string): Promise<Quota> {
    try {
      return quotaOf(await this.memory.consume(key), false);
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return quotaOf(refused, true);
      throw refused;
    }
  }

  /** Undoes the `take` that answered this quota, unless its window is over. */
  async giveBack(key: string, { endsAt }: Quota): Promise<void> {
    if (performance.now() < endsAt) await this.memory.reward(key);
  }
}

/** Whoever waits as long as Retry-After says is not refused. */
export function tooMany(quota: Quota): ApiError {
  return apiError('rest_too_many_requests', { headers: { 'Retry-After': String(secondsLeft(quota)) } });
}

/** Whole seconds after which the counting has begun anew. */
export function secondsLeft({ endsAt }: Quota): number {
  return Math.max(1, Math.ceil((endsAt - performance.now()) / 1000));
}

function quotaOf({ remainingPoints, msBeforeNext }: RateLimiterRes, isExcess: boolean): Quota {
  return { isExcess, remaining: remainingPoints, endsAt: performance.now() + msBeforeNext };
}
