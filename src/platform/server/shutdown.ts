import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { Log } from '../observability/log.js';
import { Health } from './health.js';

/**
 * Ends the serving without cutting anything off: first the instance says that it is not ready and that connections are
 * not to be kept, and goes on answering, since gateways learn it late; then it takes no more connections and waits for
 * the requests that are under way; what is not answered by then is cut off.
 */
@Injectable()
export class Shutdown {
  constructor(
    private readonly environment: Environment,
    private readonly health: Health,
    private readonly log: Log,
  ) {}

  async drain(server: Server): Promise<void> {
    this.health.stop();
    this.log.info({}, 'stopping');
    await sleep(this.environment.SHUTDOWN_DELAY * 1000);
    const closed = new Promise((done) => server.close(done));
    // A connection whose last answer did not say so yet is idle from then on.
    const sweep = setInterval(() => server.closeIdleConnections(), 100);
    const cut = setTimeout(() => server.closeAllConnections(), this.environment.SHUTDOWN_TIMEOUT * 1000);
    await closed;
    clearInterval(sweep);
    clearTimeout(cut);
  }
}

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
