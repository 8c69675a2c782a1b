/** The deadline of a request's use of the database has passed. */
export class OutOfTime extends Error {
  constructor() {
    super('The time for the database ran out.');
  }
}

/** The queue is full or too slow, so the caller was rejected immediately. */
export class TooManyWaiting extends Error {
  constructor() {
    super('Too many are waiting.');
  }
}

/** The database has not been reached since the start of the process. */
export class NotOpen extends Error {
  constructor() {
    super('The database was not reached yet.');
  }
}

/** The connection was lost, or the deadline passed, during the commit. The commit may or may not have happened. */
export class OutcomeUnknown extends Error {}

const OVERLOADS = [NotOpen, TooManyWaiting, OutOfTime, OutcomeUnknown];

/** Whether an error means an overload or an unreachable database, not a bug. */
export function isOverloaded(error: unknown): error is Error {
  return OVERLOADS.some((overload) => error instanceof overload);
}
