import { Injectable } from '@nestjs/common';
import { Semaphore } from '../../database/connection/semaphore.js';
import { customerNetwork } from '../limits/client-network.js';
import { Environment } from '../../config/environment.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import { RateLimiters } from '../limits/rate-limiter.js';
import type { SharedKeys } from '../limits/shared-keys.js';
import { LONGEST_WAIT, PasswordVerifier } from './password-verifier.js';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/** All networks together, and one that has opened the event lately, may fail so many times as often as a stranger. */
const OTHERS = 10;

/** A password that somebody sent for an event. */
interface Attempt {
  readonly eventId: number;
  readonly clientAddress: string;
  readonly password: string;
  /** The digest of the right one. */
  readonly stored: string;
}

/** What an attempt is counted as, by one key each. */
type Counts = readonly (readonly [RateLimiter, string])[];

/**
 * Bounds the wrong passwords of an event (contract 5.6). Whoever guesses locks out strangers at most: networks that have
 * opened the event within a day are counted apart.
 */
@Injectable()
export class PasswordAttempts {
  private readonly strangers: RateLimiter;
  private readonly allStrangers: RateLimiter;
  private readonly visitors: RateLimiter;
  private readonly opened: SharedKeys;
  private readonly turns = new Map<string, Semaphore>();

  constructor(
    { FAILED_ATTEMPTS: most }: Environment,
    limits: RateLimiters,
    private readonly verifier: PasswordVerifier,
  ) {
    this.strangers = limits.limiter('passwords', { most, seconds: MINUTE });
    this.allStrangers = limits.limiter('passwords-together', { most: most * OTHERS, seconds: MINUTE });
    this.visitors = limits.limiter('passwords-opened', { most: most * OTHERS, seconds: MINUTE });
    this.opened = limits.keys('opened', DAY);
  }

  /**
   * Whether the password is right; throws 429 without comparing it when the failures are used up, and TooManyWaiting or
   * OutOfTime where too many others wait for the same.
   */
  async isRight(attempt: Attempt): Promise<boolean> {
    const { eventId, clientAddress } = attempt;
    const visitor = `${eventId} ${customerNetwork(clientAddress)}`;
    const isKnown = await this.opened.has(visitor);
    const counts: Counts = isKnown
      ? [[this.visitors, visitor]]
      : [
          [this.strangers, visitor],
          [this.allStrangers, String(eventId)],
        ];
    const isRight = await this.inTurn(isKnown ? visitor : String(eventId), () =>
      counted(counts, () => this.verifier.isRight(attempt.password, attempt.stored)),
    );
    if (isRight) await this.opened.note(visitor);
    return isRight;
  }

  /** One at a time of those who are counted together, so that those who know the password do not use up each other's. */
  private async inTurn(key: string, work: () => Promise<boolean>): Promise<boolean> {
    const turns = this.turns.get(key) ?? new Semaphore(1);
    this.turns.set(key, turns);
    try {
      return await turns.run(LONGEST_WAIT, work);
    } finally {
      if (turns.isIdle) this.turns.delete(key);
    }
  }
}

/**
 * An attempt counts as a failure until it is known to be none: guesses that come at once, to several instances, must not
 * all be compared before the first of them has failed. What is refused without being compared is none either.
 */
async function counted(counts: Counts, isRight: () => Promise<boolean>): Promise<boolean> {
  const [first, ...others] = counts;
  if (first === undefined) return isRight();
  const [limiter, key] = first;
  const quota = await limiter.take(key);
  if (quota.isExcess) throw limiter.refusal(quota);
  let hasFailed = false;
  try {
    hasFailed = !(await counted(others, isRight));
    return !hasFailed;
  } finally {
    if (!hasFailed) await limiter.giveBack(key, quota);
  }
}
