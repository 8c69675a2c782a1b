import { Injectable } from '@nestjs/common';
import { clientNetwork } from '../../kernel/client-network.js';
import { Environment } from '../config/environment.js';
import { Limiter, tooMany } from '../limits/limiter.js';

/** Counts failures per minute and client: wrong credentials, wrong passwords for an event (contract 5.6). */
@Injectable()
export class Attempts {
  private readonly limiter: Limiter;
  private readonly comparing = new Map<string, Promise<void>>();

  constructor(environment: Environment) {
    this.limiter = new Limiter({ most: environment.FAILED_ATTEMPTS, seconds: 60 });
  }

  /** Notes a failure; throws 429 when it is one too many. */
  async fail(what: string, clientAddress: string): Promise<void> {
    const quota = await this.limiter.take(keyOf(what, clientAddress));
    if (quota.isExcess) throw tooMany(quota);
  }

  /**
   * Makes a comparison whose failure counts; throws 429 without making it when the failures are used up. It counts as
   * one until it is known to be none: guesses that come at once must not all be compared before the first of them has
   * failed. One at a time for each key, so that those who know the password do not use up each other's.
   */
  async compare(what: string, clientAddress: string, isRight: () => Promise<boolean>): Promise<boolean> {
    const key = keyOf(what, clientAddress);
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
    const quota = await this.limiter.take(key);
    if (quota.isExcess) throw tooMany(quota);
    if (!(await isRight())) return false;
    await this.limiter.giveBack(key, quota);
    return true;
  }
}

function keyOf(what: string, clientAddress: string): string {
  return `${what} ${clientNetwork(clientAddress)}`;
}
