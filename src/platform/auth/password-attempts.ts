import { Injectable } from '@nestjs/common';
import { Semaphore } from '../../database/connection/semaphore.js';
import { customerNetwork } from '../limits/client-network.js';
import { Environment } from '../../config/environment.js';
import { type RateLimiter, RateLimiters } from '../limits/rate-limiter.js';
import type { SharedKeys } from '../limits/shared-keys.js';
import { SLOT_TIMEOUT_MS, PasswordVerifier } from './password-verifier.js';

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 24 * 60 * MINUTE_SECONDS;

/** Factor of the limits for all networks together, and for a network that has opened the event recently. */
const SHARED_FACTOR = 10;

/** A password that a client sent for an event. */
interface Attempt {
  readonly eventId: number;
  readonly clientAddress: string;
  readonly password: string;
  /** The stored form of the right password (hashing.ts). */
  readonly stored: string;
}

/** The limiters that count an attempt, each with its key. */
type Limits = readonly (readonly [RateLimiter, string])[];

/**
 * Limits wrong passwords per event (contract 5.6). Networks that have opened the event within a day have separate
 * limits, so that an attacker cannot lock them out.
 */
@Injectable()
export class PasswordAttempts {
  private readonly unknownNetworks: RateLimiter;
  private readonly allUnknownNetworks: RateLimiter;
  private readonly knownNetworks: RateLimiter;
  private readonly opened: SharedKeys;
  private readonly semaphores = new Map<string, Semaphore>();

  constructor(
    { FAILED_ATTEMPTS: max }: Environment,
    limits: RateLimiters,
    private readonly verifier: PasswordVerifier,
  ) {
    this.unknownNetworks = limits.limiter('passwords', { max, seconds: MINUTE_SECONDS });
    this.allUnknownNetworks = limits.limiter('passwords-together', {
      max: max * SHARED_FACTOR,
      seconds: MINUTE_SECONDS,
    });
    this.knownNetworks = limits.limiter('passwords-opened', { max: max * SHARED_FACTOR, seconds: MINUTE_SECONDS });
    this.opened = limits.keys('opened', DAY_SECONDS);
  }

  /**
   * Whether the password is right. Throws 429 without a comparison above the limit, and TooManyWaiting or OutOfTime if
   * too many attempts wait.
   */
  async isRight(attempt: Attempt): Promise<boolean> {
    const { eventId, clientAddress } = attempt;
    const network = `${eventId} ${customerNetwork(clientAddress)}`;
    const isKnown = await this.opened.has(network);
    const limits: Limits = isKnown
      ? [[this.knownNetworks, network]]
      : [
          [this.unknownNetworks, network],
          [this.allUnknownNetworks, String(eventId)],
        ];
    const isRight = await this.oneByOne(isKnown ? network : String(eventId), () =>
      limited(limits, () => this.verifier.isRight(attempt.password, attempt.stored)),
    );
    if (isRight) await this.opened.add(network);
    return isRight;
  }

  /** Runs attempts of one key one by one, because each counts as a failure while it runs. */
  private async oneByOne(key: string, work: () => Promise<boolean>): Promise<boolean> {
    const semaphore = this.semaphores.get(key) ?? new Semaphore(1);
    this.semaphores.set(key, semaphore);
    try {
      return await semaphore.run(SLOT_TIMEOUT_MS, work);
    } finally {
      if (semaphore.isIdle) this.semaphores.delete(key);
    }
  }
}

/**
 * Counts an attempt as a failure before the comparison and refunds a right password. Otherwise many parallel guesses
 * could be compared before the first one counts. Attempts without a comparison are refunded, too.
 */
async function limited(limits: Limits, isRight: () => Promise<boolean>): Promise<boolean> {
  const [first, ...others] = limits;
  if (first === undefined) return isRight();
  const [limiter, key] = first;
  const quota = await limiter.take(key);
  if (quota.isExcess) throw limiter.tooManyRequests(quota);
  let hasFailed = false;
  try {
    hasFailed = !(await limited(others, isRight));
    return !hasFailed;
  } finally {
    if (!hasFailed) await limiter.refund(key, quota);
  }
}
