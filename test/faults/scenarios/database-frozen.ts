import { setTimeout as sleep } from 'node:timers/promises';
import type { Instance } from '../instance.js';
import { Ledger } from '../ledger.js';
import { until } from '../processes.js';
import { brokenByLedger, type Scenario } from '../scenario.js';
import { Topology } from '../topology.js';
import { Writers } from '../writers.js';

/** The time of a write, and for what is not the database, in milliseconds (goal B3: 5 s). */
const MOST_ANSWER = 5_000 + 1_500;
const MOST_READINESS = 4_000;

/** The server is there and does nothing, as under a disk that hangs: connections stay, and no answer comes. */
export const DATABASE_FROZEN: Scenario = {
  name: 'database-frozen',
  goal: 'B3',
  about: 'MariaDB stopped by SIGSTOP under load and continued',
  async run({ seed, isShort, tell }) {
    const freezes = isShort ? 1 : 3;
    const topology = await Topology.start(1);
    const { server, instances } = topology;
    const [instance] = instances as [Instance];
    const ledger = new Ledger();
    const writers = new Writers(ledger, instances, seed, 8);
    const [downs, ups, lives]: [number[], number[], number[]] = [[], [], []];
    for (let freeze = 1; freeze <= freezes; freeze += 1) {
      await sleep(3_000);
      const end = performance.now() + (isShort ? 10_000 : 30_000);
      server.freeze();
      downs.push(await until('the instance is not ready', async () => (await instance.health('ready')) === 503));
      while (performance.now() < end) {
        const start = performance.now();
        if ((await instance.health('live')) === 200) lives.push(performance.now() - start);
        else lives.push(Infinity);
        await sleep(50);
      }
      server.thaw();
      ups.push(await instance.ready());
      tell(`frozen ${freeze} times, ${ledger.acknowledged} writes acknowledged`);
    }
    await sleep(2_000);
    await writers.stop();
    const audit = await topology.audit(ledger);
    await topology.stop();
    const [down, up] = [Math.max(...downs), Math.max(...ups)];
    lives.sort((one, other) => one - other);
    const live = lives[Math.floor(lives.length * 0.99)] ?? Infinity;
    const unexpected = [...ledger.failures.keys()].filter((outcome) => !['503', '409'].includes(outcome));
    return {
      faults: `${freezes} × SIGSTOP for ${isShort ? 10 : 30} s`,
      ledger,
      audit,
      figures: [
        `not ready after ${Math.round(down)} ms, ready again after ${Math.round(up)} ms at most`,
        `liveness p99 ${Math.round(live)} ms of ${lives.length}`,
      ],
      broken: [
        ...brokenByLedger(ledger, audit),
        ...(ledger.slowest > MOST_ANSWER ? [`an answer took ${Math.round(ledger.slowest)} ms`] : []),
        ...(Math.max(down, up) > MOST_READINESS ? ['readiness was late'] : []),
        ...(live === Infinity ? ['liveness failed'] : []),
        ...(unexpected.length > 0 ? [`answers other than 503 and 409: ${unexpected.join(', ')}`] : []),
      ],
    };
  },
};
