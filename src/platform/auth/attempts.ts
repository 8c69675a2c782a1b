import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Environment } from '../config/environment.js';
import { apiError } from '../errors/api-error.js';

/** Counts failures per minute and key: wrong credentials of an address, wrong passwords for an event (contract 5.6). */
@Injectable()
export class Attempts {
  private readonly limiter: RateLimiterMemory;

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

  /** Throws 429 if the key has used its failures up. */
  async check(key: string): Promise<void> {
    const state = await this.limiter.get(key);
    if (state !== null && state.consumedPoints >= this.environment.FAILED_ATTEMPTS && state.msBeforeNext > 0)
      throw tooMany(state);
  }
}

function tooMany(state: RateLimiterRes) {
  const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  return apiError('rest_too_many_requests', { headers: { 'Retry-After': String(seconds) } });
}
