import { OutOfTime } from './deadline.js';
import { TooManyWaiting } from './semaphore.js';
import { NotOpen } from './startup-gate.js';

/** The connection was lost, or the time ran out, while the commit was under way: nobody knows whether it happened. */
export class OutcomeUnknown extends Error {}

const SHORTAGES = [NotOpen, TooManyWaiting, OutOfTime, OutcomeUnknown];

/** Whether there was no room or no time at the database: nothing is broken. */
export function isOverloaded(error: unknown): error is Error {
  return SHORTAGES.some((shortage) => error instanceof shortage);
}
