import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Semaphore } from '../../database/connection/semaphore.js';
import { RecentKeys } from '../limits/recent-keys.js';
import { verifyPassword } from './hashing.js';

/** A comparison takes a thread and 16 MB for about 40 ms. More would block threads that files and DNS need. */
const MAX_CONCURRENT = 2;
/** Timeout to wait for a slot, in milliseconds. */
export const SLOT_TIMEOUT_MS = 2_000;
/** Size and lifetime (seconds) of the cache of right passwords. */
const CACHE_BOUNDS = { maxKeys: 1_000, seconds: 60 };

/** Compares passwords with their stored form. */
@Injectable()
export class PasswordVerifier {
  private readonly key = randomBytes(32);
  private readonly cache = new RecentKeys(CACHE_BOUNDS);
  private readonly semaphore = new Semaphore(MAX_CONCURRENT);

  /** Whether the password is right. Throws TooManyWaiting or OutOfTime if too many comparisons wait. */
  async isRight(password: string, stored: string): Promise<boolean> {
    // The stored form contains a salt, so a new password of the event makes another digest.
    const digest = createHmac('sha256', this.key).update(`${stored} ${password}`).digest('base64');
    if (this.cache.has(digest)) return true;
    const isRight = await this.semaphore.run(SLOT_TIMEOUT_MS, () => verifyPassword(password, stored));
    if (isRight) this.cache.add(digest);
    return isRight;
  }
}
