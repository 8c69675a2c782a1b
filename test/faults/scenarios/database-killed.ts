import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../support/random.js';
import { NO_SERVER } from '../engines.js';
import { until } from '../processes.js';
import type { Scenario } from '../scenario.js';
import { SingleServer } from '../topology.js';
import { underWriters } from '../under-writers.js';

/** Longest time from the first database connection to the first acknowledged write, in milliseconds (goal A1). */
const MOST_RECOVERY = 1_000;
/** Writes that the goal requires, and the time limit for them on a slow machine, in milliseconds. */
const ENOUGH_WRITES = 100_000;
const LONGEST = 12 * 60_000;

/** Kills a single database server at random moments and restarts it. */
export const DATABASE_KILLED: Scenario = {
  name: 'database-killed',
  goal: 'A1',
  about: 'the database server killed -9 under load and started again',
  leftOut: NO_SERVER,
  async run({ engine, seed, isShort, tell }) {
    const random = new Random(seed);
    const kills = isShort ? 2 : 20;
    const topology = await SingleServer.start(engine, 1);
    const { server } = topology;
    return underWriters(
      topology,
      seed,
      async (ledger) => {
        const recoveries: number[] = [];
        const end = performance.now() + LONGEST;
        for (let kill = 1; kill <= kills; kill += 1) {
          await sleep(random.between(1_000, isShort ? 2_000 : (2 * LONGEST) / kills - 5_000));
          await server.kill();
          await sleep(random.between(0, 500));
          server.launch();
          await server.answering();
          const before = ledger.acknowledged;
          recoveries.push(await until('a write succeeds again', () => ledger.acknowledged > before));
          tell(`killed ${kill} times, ${ledger.acknowledged} writes acknowledged`);
        }
        while (!isShort && ledger.acknowledged < ENOUGH_WRITES && performance.now() < end) await sleep(100);
        const slowest = Math.max(...recoveries);
        return {
          faults: `${kills} × kill -9`,
          figures: [`first acknowledgement ${Math.round(slowest)} ms at most after the server took connections`],
          broken: slowest > MOST_RECOVERY && !isShort ? [`recovery took ${Math.round(slowest)} ms`] : [],
        };
      },
      { updates: 0.7, looks: 0.25 },
    );
  },
};
