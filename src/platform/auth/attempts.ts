import { Injectable } from '@nestjs/common';
import { clientNetwork } from '../../kernel/client-network.js';
import { Environment } from '../config/environment.js';
import type { Limiter } from '../limits/limiter.js';
import { Limits } from '../limits/limits.js';

/** Counts failures per minute and client: wrong credentials, wrong passwords for an event (contract 5.6). */
@Injectable()
export class Attempts {
  private readonly credentials: Limiter;
  private readonly passwords: Limiter;
  private readonly comparing = new Map<string, Promise<void>>();

  constructor({ FAILED_ATTEMPTS: most }: Environment, limits: Limits) {
    this.credentials = limits.limiter('credentials', { most, seconds: 60 });
    this.passwords = limits.limiter('passwords', { most, seconds: 60 });
  }

  /** Notes wrong credentials; throws 429 when they are one too many. */
  async fail(clientAddress: string): Promise<void> {
    const quota = await this.credentials.take(clientNetwork(clientAddress));
    if (quota.isExcess) throw this.credentials.refusal(quota);
  }

  /**
   * Compares the password of an event; throws 429 without doing so when the failures are used up. It counts as
   * one until it is known to be none: guesses that come at once must not all be compared before the first of them has
   * failed. One at a time for each key, so that those who know the password do not use up each other's.
   */
  async compare(eventId: number, clientAddress: string, isRight: () => Promise<boolean>): Promise<boolean> {
    const key = `${eventId} ${clientNetwork(clientAddress)}`;
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
    const quota = await this.passwords.take(key);
    if (quota.isExcess) throw this.passwords.refusal(quota);
    if (!(await isRight())) return false;
    await this.passwords.giveBack(key, quota);
    return true;
  }
}
