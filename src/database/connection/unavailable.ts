/** The time that a request may use the database for ran out. */
export class OutOfTime extends Error {
  constructor() {
    super('The time for the database ran out.');
  }
}

/** So many wait already that one more is rejected at once. */
export class TooManyWaiting extends Error {
  constructor() {
    super('Too many are waiting.');
  }
}

/** The database was not reached since the start. */
export class NotOpen extends Error {
  constructor() {
    super('The database was not reached yet.');
  }
}

/** The connection was lost, or the time ran out, during the commit: it may or may not have happened. */
export class OutcomeUnknown extends Error {}

const OVERLOADS = [NotOpen, TooManyWaiting, OutOfTime, OutcomeUnknown];

/** Whether there was no room or no time at the database: nothing is broken. */
export function isOverloaded(error: unknown): error is Error {
  return OVERLOADS.some((overload) => error instanceof overload);
}
