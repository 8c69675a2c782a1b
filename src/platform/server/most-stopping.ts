import type { Environment } from '../config/environment.js';

/** Beyond the time for draining, for closing the database, in milliseconds. */
const MOST_CLOSING = 5_000;

/** The longest that a process takes to end when it is told to, in milliseconds. */
export function mostStopping(environment: Environment): number {
  return mostDraining(environment) + MOST_CLOSING;
}

/** Of that, the time for requests that are under way, and for a migration. */
export function mostDraining({ SHUTDOWN_DELAY, SHUTDOWN_TIMEOUT }: Environment): number {
  return (SHUTDOWN_DELAY + SHUTDOWN_TIMEOUT) * 1000;
}
