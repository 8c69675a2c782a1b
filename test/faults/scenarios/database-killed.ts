import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../support/random.js';
import { Ledger } from '../ledger.js';
import { until } from '../processes.js';
import { brokenByLedger, type Scenario } from '../scenario.js';
import { Topology } from '../topology.js';
import { Writers } from '../writers.js';

/** From the database taking connections to the first acknowledgement, in milliseconds (goal A1). */
const MOST_RECOVERY = 1_000;

/** A single server is killed at random moments, and comes back. */
export const DATABASE_KILLED: Scenario = {
  name: 'database-killed',
  goal: 'A1',
  about: 'MariaDB killed -9 under load and started again',
  async run({ seed, isShort, tell }) {
    const random = new Random(seed);
    const kills = isShort ? 2 : 20;
    const topology = await Topology.start(1);
    const { server, instances } = topology;
    const ledger = new Ledger();
    const writers = new Writers(ledger, instances, seed, 8);
    const recoveries: number[] = [];
    for (let kill = 1; kill <= kills; kill += 1) {
      await sleep(random.between(1_000, isShort ? 2_000 : 12_000));
      await server.kill();
      await sleep(random.between(0, 500));
      server.launch();
      await server.answering();
      const before = ledger.acknowledged;
      recoveries.push(await until('a write succeeds again', () => Promise.resolve(ledger.acknowledged > before)));
      tell(`killed ${kill} times, ${ledger.acknowledged} writes acknowledged`);
    }
    await writers.stop();
    const audit = await topology.audit(ledger);
    await topology.stop();
    const slowest = Math.max(...recoveries);
    return {
      faults: `${kills} × kill -9`,
      ledger,
      audit,
      figures: [`first acknowledgement ${Math.round(slowest)} ms at most after the server took connections`],
      broken: [
        ...brokenByLedger(ledger, audit),
        ...(slowest > MOST_RECOVERY && !isShort ? [`recovery took ${Math.round(slowest)} ms`] : []),
      ],
    };
  },
};
