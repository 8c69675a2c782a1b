import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Semaphore } from '../../database/connection/semaphore.js';
import { RecentKeys } from '../limits/recent-keys.js';
import { verifyPassword } from './hashing.js';

/** A comparison takes a thread and 16 MB for some 40 ms; more at once would take the threads that files and names need. */
const AT_ONCE = 2;
/** How long one may wait for its turn, in milliseconds. */
export const LONGEST_WAIT = 2_000;
/** How many right passwords are remembered, and for how long, in seconds. */
const REMEMBERED = { most: 1_000, seconds: 60 };

/** Compares passwords with what is stored of them. */
@Injectable()
export class PasswordVerifier {
  private readonly key = randomBytes(32);
  private readonly remembered = new RecentKeys(REMEMBERED);
  private readonly turns = new Semaphore(AT_ONCE);

  /** Throws TooManyWaiting or OutOfTime where too many wait already. */
  async isRight(password: string, stored: string): Promise<boolean> {
    // With the salt of what is stored in it: another password of the event makes another digest.
    const digest = createHmac('sha256', this.key).update(`${stored} ${password}`).digest('base64');
    if (this.remembered.has(digest)) return true;
    const isRight = await this.turns.run(LONGEST_WAIT, () => verifyPassword(password, stored));
    if (isRight) this.remembered.note(digest);
    return isRight;
  }
}
