import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { isAnonymous } from '../../../kernel/caller.js';
import { clientNetwork } from '../../limits/client-network.js';
import { Environment } from '../../../config/environment.js';
import { type RateLimiter, type Quota, secondsLeft } from '../../limits/rate-limiter.js';
import { RateLimiters } from '../../limits/rate-limiter.js';
import { isProbe } from './health.stage.js';
import type { KalendsRequest } from '../request.js';
import type { Stage } from './stage.js';

/** Limits the requests of each caller to RATE_LIMIT, where the operator sets it (contract 5.6). */
@Injectable()
export class RateLimitStage implements Stage {
  private readonly limiter: RateLimiter | undefined;
  private readonly policy: string;

  constructor({ RATE_LIMIT: rate }: Environment, limits: RateLimiters) {
    const [most = 0, seconds = 0] = (rate ?? '').split('/').map(Number);
    this.limiter = rate === undefined ? undefined : limits.limiter('requests', { most, seconds });
    this.policy = `"default";q=${most};w=${seconds}`;
  }

  async handle(request: KalendsRequest, response: Response): Promise<boolean> {
    if (this.limiter === undefined) return false;
    const quota = await this.count(this.limiter, request, response);
    if (quota.isExcess) throw this.limiter.refusal(quota);
    return false;
  }

  /** What was refused before it was known who asks counts for the address; it stays what it is. */
  async countRefused(request: KalendsRequest, response: Response): Promise<void> {
    if (this.limiter === undefined || request.uncount !== undefined || isProbe(request)) return;
    await this.count(this.limiter, request, response);
  }

  /** Counts a request, and tells how many are left in the fields of the IETF draft. */
  private async count(limiter: RateLimiter, request: KalendsRequest, response: Response): Promise<Quota> {
    const key = callerKey(request);
    const quota = await limiter.take(key);
    const tell = (remaining: number) =>
      response.set({ 'RateLimit-Policy': this.policy, RateLimit: `"default";r=${remaining};t=${secondsLeft(quota)}` });
    tell(quota.remaining);
    request.uncount = () => {
      tell(quota.remaining + 1);
      void limiter.giveBack(key, quota);
    };
    return quota;
  }
}

/** A user with all tokens; who has none, and who sent wrong ones, is an address. */
function callerKey({ context, clientAddress }: KalendsRequest): string {
  const { caller } = context;
  return isAnonymous(caller) ? `address ${clientNetwork(clientAddress)}` : `user ${caller.userId}`;
}
