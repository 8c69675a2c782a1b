import { NotOpen } from './opening.js';
import { OutcomeUnknown } from './outcome-unknown.js';
import { OutOfTime } from './time-budget.js';
import { TooManyWaiting } from './turns.js';

const SHORTAGES = [NotOpen, TooManyWaiting, OutOfTime, OutcomeUnknown];

/** Whether there was no room or no time at the database: nothing is broken. */
export function isShortage(error: unknown): error is Error {
  return SHORTAGES.some((shortage) => error instanceof shortage);
}
