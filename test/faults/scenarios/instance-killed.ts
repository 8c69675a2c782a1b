import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../support/random.js';
import type { Scenario } from '../scenario.js';
import { startTopology } from '../topology.js';
import { underWriters } from '../under-writers.js';

/** Kills an instance repeatedly with SIGKILL. Clients retry their writes on any instance. */
export const INSTANCE_KILLED: Scenario = {
  name: 'instance-killed',
  goal: 'A2',
  about: 'one of two instances (SQLite: the one) killed -9 under load and started again',
  async run({ engine, seed, isShort, tell }) {
    const random = new Random(seed);
    const kills = isShort ? 4 : 50;
    const topology = await startTopology(engine, 2);
    return underWriters(topology, seed, async (ledger) => {
      for (let kill = 1; kill <= kills; kill += 1) {
        await sleep(random.between(300, isShort ? 1_000 : 3_000));
        const victim = random.pick(topology.instances);
        await victim.kill();
        victim.launch();
        await victim.ready();
        if (kill % 5 === 0) tell(`killed ${kill} times, ${ledger.acknowledged} writes acknowledged`);
      }
      return { faults: `${kills} × kill -9`, figures: [], broken: [] };
    });
  },
};
