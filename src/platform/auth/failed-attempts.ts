import { Injectable } from '@nestjs/common';
import { clientNetwork } from '../limits/client-network.js';
import { Environment } from '../../config/environment.js';
import { type RateLimiter, RateLimiters } from '../limits/rate-limiter.js';

/** Counts wrong credentials per minute and client (contract 5.6). */
@Injectable()
export class FailedAttempts {
  private readonly credentials: RateLimiter;

  constructor({ FAILED_ATTEMPTS: max }: Environment, limits: RateLimiters) {
    this.credentials = limits.limiter('credentials', { max, seconds: 60 });
  }

  /** Counts wrong credentials. Throws 429 above the limit. */
  async fail(clientAddress: string): Promise<void> {
    const quota = await this.credentials.take(clientNetwork(clientAddress));
    if (quota.isExcess) throw this.credentials.tooManyRequests(quota);
  }
}
