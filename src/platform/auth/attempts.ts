import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Environment } from '../config/environment.js';
import { apiError } from '../errors/api-error.js';

/** Counts failures per minute and key: wrong credentials of an address, wrong passwords for an event (contract 5.6). */
@Injectable()
export class Attempts {
  private readonly limiter: RateLimiterMemory;
  private readonly comparing = new Map<string, Promise<void>>();

  constructor(private readonly environment: Environment) {
    this.limiter = new RateLimiterMemory({ points: environment.FAILED_ATTEMPTS, duration: 60 });
  }

  /** Notes a failure; throws 429 when it is one too many. */
  async fail(key: string): Promise<void> {
    try {
      await this.limiter.consume(key);
    } catch (refused) {
      throw refused instanceof RateLimiterRes ? tooMany(refused) : refused;
    }
  }

  /**
   * Makes a comparison whose failure counts; throws 429 without making it when the failures are used up. One at a time
   * for each key: guesses that come at once must not all be compared before the first of them has failed.
   */
  async compare(key: string, isRight: () => Promise<boolean>): Promise<boolean> {
    const turn = (this.comparing.get(key) ?? Promise.resolve()).then(() => this.compareNow(key, isRight));
    const ended = turn.then(
      () => undefined,
      () => undefined,
    );
    this.comparing.set(key, ended);
    void ended.then(() => this.comparing.get(key) === ended && this.comparing.delete(key));
    return turn;
  }

  private async compareNow(key: string, isRight: () => Promise<boolean>): Promise<boolean> {
    const state = await this.limiter.get(key);
    const isUsedUp =
      state !== null && state.consumedPoints >= this.environment.FAILED_ATTEMPTS && state.msBeforeNext > 0;
    if (isUsedUp) throw tooMany(state);
    if (await isRight()) return true;
    await this.fail(key);
    return false;
  }
}

function tooMany(state: RateLimiterRes) {
  const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  return apiError('rest_too_many_requests', { headers: { 'Retry-After': String(seconds) } });
}
