import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../support/random.js';
import { exchange, type Target } from '../exchange.js';
import { indexFaults } from '../index-check.js';
import type { Instance } from '../instance.js';
import type { Scenario } from '../scenario.js';
import { startTopology } from '../topology.js';

const EVENT = { start_date: '2027-03-10 20:00', end_date: '2027-03-10 23:00', tags: ['Keyed'] };

/** Time limit on a slow machine, in milliseconds. */
const LONGEST = 12 * 60_000;

interface Tally {
  /** Number of keys whose responses named more than one record. */
  several: number;
  outcomes: Map<string, number>;
}

/** Sends each write in many concurrent requests with one key to instances that are killed meanwhile. */
export const SAME_KEY: Scenario = {
  name: 'same-key',
  goal: 'A6',
  about: 'every write sent many times at once with one key to instances, of which one after the other is killed',
  async run({ engine, seed, isShort, tell }) {
    const [keys, copies, kills] = isShort ? [20, 10, 2] : [1_000, 100, 200];
    const topology = await startTopology(engine, 2);
    const random = new Random(seed);
    const tally: Tally = { several: 0, outcomes: new Map() };
    let isDone = false;
    const killing = kill(topology.instances, random, kills, () => isDone);
    const end = performance.now() + LONGEST;
    // Each client sends one key at a time, in many concurrent requests.
    let used = 0;
    const client = async () => {
      while (used < keys && performance.now() < end) {
        used += 1;
        if (used % 50 === 0) tell(`${used} keys`);
        await sendOne(topology.instances, random, `key-${used}`, copies, tally);
      }
    };
    await Promise.all(Array.from({ length: 12 }, client));
    isDone = true;
    const killed = await killing;
    const other = await exchange(topology.instances[0] as Target, asked('key-1', { ...EVENT, title: 'another body' }));
    const operator = await topology.connect();
    const rows = await operator.query<{ times: number }>('SELECT title, count(*) AS times FROM events GROUP BY title');
    await operator.end();
    const differences = await indexFaults(topology);
    await topology.stop();
    const twice = rows.filter(({ times }) => Number(times) > 1).length;
    const told = [...tally.outcomes].map(([outcome, count]) => `${count} × ${outcome}`).join(', ');
    return {
      faults: `${killed} × kill -9`,
      figures: [
        `${used} keys, ${copies} requests at once with each: ${rows.length} records, ${twice} twice; ${told}`,
        `another body: ${other.status}`,
      ],
      broken: [
        ...(rows.length === used && twice === 0 ? [] : [`${rows.length} records, ${twice} twice, of ${used} keys`]),
        ...(tally.several === 0 ? [] : [`${tally.several} keys were answered with several records`]),
        ...differences,
        ...(other.status === 422 ? [] : [`another body was answered ${other.status}`]),
      ],
    };
  },
};

function asked(key: string, body: object) {
  return { method: 'POST', path: '/events', body, headers: { 'idempotency-key': key } };
}

/** Sends all copies concurrently, and retries each until its response is 201. */
async function sendOne(targets: readonly Target[], random: Random, key: string, copies: number, tally: Tally) {
  const ids = new Set<number>();
  const copy = async () => {
    for (;;) {
      const sent = asked(key, { ...EVENT, title: key });
      const result = await exchange(random.pick(targets), sent).catch((error: { code?: string }) => error);
      const outcome = String('status' in result ? result.status : (result.code ?? 'error'));
      tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1);
      if ('status' in result && result.status === 201) return void ids.add(result.body.id as number);
      await sleep(outcome === '409' ? 1_000 : random.between(50, 300));
    }
  };
  await Promise.all(Array.from({ length: copies }, copy));
  if (ids.size !== 1) tally.several += 1;
}

async function kill(instances: readonly Instance[], random: Random, most: number, isDone: () => boolean) {
  let killed = 0;
  while (!isDone() && killed < most) {
    await sleep(random.between(100, 500));
    const victim = random.pick(instances);
    await victim.kill();
    killed += 1;
    victim.launch();
    await victim.ready();
  }
  return killed;
}
