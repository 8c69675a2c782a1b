import type { Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { Log } from '../observability/log.js';
import { Health } from './health.js';

/**
 * Graceful shutdown. First the instance reports that it is not ready and announces closing connections, but still
 * responds for SHUTDOWN_DELAY, because proxies notice late. Then it accepts no connections and waits for running
 * requests. After SHUTDOWN_TIMEOUT it closes the rest.
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
    // Before the wait, because it would take time between the wait and the end of accepting.
    server.closeIdleConnections();
    await allAccepted(server);
    const closed = new Promise((done) => server.close(done));
    // Closes connections that became idle without `Connection: close`.
    const closeIdle = setInterval(() => server.closeIdleConnections(), 100);
    const closeAll = setTimeout(() => server.closeAllConnections(), this.environment.SHUTDOWN_TIMEOUT * 1000);
    await closed;
    clearInterval(closeIdle);
    clearTimeout(closeAll);
  }
}

const SHORT_TURN_MS = 0.05;
const MAX_WAIT_MS = 1000;

/**
 * Waits for a short turn of the event loop without a new connection. Connections that arrive during a long turn wait in the
 * kernel, and closing the server would reset them: a gateway could not tell whether the service has begun their requests.
 * Where they come without a pause, it gives up.
 */
async function allAccepted(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => (accepted += 1);
  server.on('connection', count);
  const deadline = performance.now() + MAX_WAIT_MS;
  let isQuiet = false;
  while (!isQuiet && performance.now() < deadline) {
    const [start, before] = [performance.now(), accepted];
    await nextTurn();
    isQuiet = accepted === before && performance.now() - start < SHORT_TURN_MS;
  }
  server.off('connection', count);
}

/** Additional time to close the database, in milliseconds. */
const CLOSING_MS = 5_000;

/** Returns how long a process may take to stop, in milliseconds. */
export function stopTimeoutMs(environment: Environment): number {
  return drainTimeoutMs(environment) + CLOSING_MS;
}

/** Returns the part of it for running requests and for a migration, in milliseconds. */
export function drainTimeoutMs({ SHUTDOWN_DELAY, SHUTDOWN_TIMEOUT }: Environment): number {
  return (SHUTDOWN_DELAY + SHUTDOWN_TIMEOUT) * 1000;
}
