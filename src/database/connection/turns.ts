import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { currentDeadline } from './deadline.js';
import { OutOfTime } from './unavailable.js';

/** Limits the time for which long work keeps other requests from running. */
const TURN_MS = 4;

/** Divides long work in memory into turns of the event loop. Other requests run in between. */
export class Turns {
  private readonly deadline = currentDeadline();
  private endsAt = performance.now() + TURN_MS;

  /** Lets other requests run if the turn is over. Throws after the deadline of the current work. */
  async next(): Promise<void> {
    if (performance.now() >= this.endsAt) await this.end();
  }

  /** Lets other requests run. Throws after the deadline of the current work. */
  async end(): Promise<void> {
    await yieldToRequests();
    if (this.deadline.remaining <= 0) throw new OutOfTime();
    this.endsAt = performance.now() + TURN_MS;
  }
}
