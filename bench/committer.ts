import { setTimeout as sleep } from 'node:timers/promises';
import { commit, lastEventId } from './commit.js';
import { openDriver } from './database.js';

/**
 * A process that commits at a fixed rate until it is stopped: DATABASE_URL, and COMMITS a second. A process of its own,
 * because a commit to a file would stop the clock of the load generator.
 */
const driver = openDriver(process.env.DATABASE_URL ?? '');
const pauseMs = 1000 / Number(process.env.COMMITS);
const last = await lastEventId(driver);
let isStopped = false;
process.once('SIGTERM', () => (isStopped = true));
const began = performance.now();
for (let n = 1; !isStopped; n += 1) {
  await commit(driver, n, last);
  await sleep(Math.max(0, began + n * pauseMs - performance.now()));
}
await driver.close();
