import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { isAnonymous } from '../../../kernel/caller.js';
import { clientNetwork } from '../../limits/client-network.js';
import { Environment } from '../../../config/environment.js';
import { type RateLimiter, type Quota, secondsLeft, RateLimiters } from '../../limits/rate-limiter.js';
import { isProbe } from './health.stage.js';
import type { KalendsRequest } from '../request.js';
import type { Stage } from './stage.js';

/** Limits the requests of each caller to RATE_LIMIT, if it is set (contract 5.6). */
@Injectable()
export class RateLimitStage implements Stage {
  private readonly limiter: RateLimiter | undefined;
  private readonly policy: string;

  constructor({ RATE_LIMIT: rate }: Environment, limits: RateLimiters) {
    const [max = 0, seconds = 0] = (rate ?? '').split('/').map(Number);
    this.limiter = rate === undefined ? undefined : limits.limiter('requests', { max: max, seconds });
    this.policy = `"default";q=${max};w=${seconds}`;
  }

  get isOn(): boolean {
    return this.limiter !== undefined;
  }

  async handle(request: KalendsRequest, response: Response): Promise<boolean> {
    if (this.limiter === undefined) return false;
    // The fast path has counted the request already.
    const quota = request.quota ?? (await this.count(this.limiter, request, response, callerKey(request)));
    if (quota.isExcess) throw this.limiter.tooManyRequests(quota);
    return false;
  }

  /** Counts an anonymous request before the other stages (fast-path.ts). Returns whether it is within the limit. */
  async admits(request: KalendsRequest, response: Response): Promise<boolean> {
    if (this.limiter === undefined) return true;
    const quota = await this.count(this.limiter, request, response, addressKey(request));
    return !quota.isExcess;
  }

  /** Counts a request that an earlier stage rejected. Its error stays the same, even beyond the limit. */
  async countRejected(request: KalendsRequest, response: Response): Promise<void> {
    if (this.limiter === undefined || request.refundRateLimit !== undefined || isProbe(request)) return;
    await this.count(this.limiter, request, response, callerKey(request));
  }

  /** Counts a request and sets the RateLimit headers of the IETF draft. */
  private async count(limiter: RateLimiter, request: KalendsRequest, response: Response, key: string): Promise<Quota> {
    const quota = (request.quota = await limiter.take(key));
    const setHeaders = (remaining: number) =>
      response.set({ 'RateLimit-Policy': this.policy, RateLimit: `"default";r=${remaining};t=${secondsLeft(quota)}` });
    setHeaders(quota.remaining);
    request.refundRateLimit = () => {
      setHeaders(quota.remaining + 1);
      void limiter.refund(key, quota);
    };
    return quota;
  }
}

/** Returns the key to count by: the user, whatever the token, or the client's network without valid credentials. */
function callerKey(request: KalendsRequest): string {
  const { caller } = request.context;
  return isAnonymous(caller) ? addressKey(request) : `user ${caller.userId}`;
}

function addressKey({ clientAddress }: KalendsRequest): string {
  return `address ${clientNetwork(clientAddress)}`;
}
