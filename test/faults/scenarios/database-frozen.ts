import { setTimeout as sleep } from 'node:timers/promises';
import { NO_SERVER } from '../engines.js';
import type { Instance } from '../instance.js';
import { Probes } from '../probes.js';
import { until } from '../processes.js';
import type { Scenario } from '../scenario.js';
import { SingleServer } from '../topology.js';
import { underWriters } from '../under-writers.js';

/** Deadline of a write (goal B3: 5 s) and 1.5 s for work outside the database, in milliseconds. */
const MOST_ANSWER = 5_000 + 1_500;
const MOST_READINESS = 4_000;

/** The server is frozen, as on a hanging disk: connections stay open, but queries get no response. */
export const DATABASE_FROZEN: Scenario = {
  name: 'database-frozen',
  goal: 'B3',
  about: 'the database server stopped by SIGSTOP under load and continued',
  leftOut: NO_SERVER,
  async run({ engine, seed, isShort, tell }) {
    const freezes = isShort ? 1 : 3;
    const length = isShort ? 10_000 : 30_000;
    const topology = await SingleServer.start(engine, 1);
    const { server, instances } = topology;
    const [instance] = instances as [Instance];
    return underWriters(topology, seed, async (ledger) => {
      const [downs, ups]: [number[], number[]] = [[], []];
      const live = new Probes(instance, '/health/live', 20);
      for (let freeze = 1; freeze <= freezes; freeze += 1) {
        await sleep(3_000);
        const end = performance.now() + length;
        server.freeze();
        downs.push(await until('the instance is not ready', async () => (await instance.health('ready')) === 503));
        await sleep(end - performance.now());
        server.thaw();
        ups.push(await instance.ready());
        tell(`frozen ${freeze} times, ${ledger.acknowledged} writes acknowledged`);
      }
      await sleep(2_000);
      const lives = await live.stop();
      const [down, up] = [Math.max(...downs), Math.max(...ups)];
      const unexpected = [...ledger.failures.keys()].filter((outcome) => !['503', '409'].includes(outcome));
      return {
        faults: `${freezes} × SIGSTOP for ${length / 1000} s`,
        figures: [
          `not ready after ${Math.round(down)} ms, ready again after ${Math.round(up)} ms at most`,
          `liveness p99 ${lives.p99} ms of ${lives.count}`,
        ],
        broken: [
          ...(ledger.slowest > MOST_ANSWER ? [`an answer took ${Math.round(ledger.slowest)} ms`] : []),
          ...(Math.max(down, up) > MOST_READINESS ? ['readiness was late'] : []),
          ...(lives.failed > 0 ? [`liveness failed ${lives.failed} times`] : []),
          ...(unexpected.length > 0 ? [`answers other than 503 and 409: ${unexpected.join(', ')}`] : []),
        ],
      };
    });
  },
};
