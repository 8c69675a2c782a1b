import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../support/random.js';
import { type Answer, exchange, type Sent, type Target } from '../exchange.js';
import { indexFaults } from '../index-check.js';
import type { Scenario } from '../scenario.js';
import { startTopology } from '../topology.js';

const EVENT = { title: 'Edited', start_date: '2027-03-10 20:00', end_date: '2027-03-10 23:00' };
/** Each field belongs to one client of the edits without If-Match. */
const FIELDS = ['title', 'website', 'description', 'excerpt'] as const;

/** Many clients edit one event, through two instances except on SQLite. */
export const LOST_UPDATES: Scenario = {
  name: 'lost-updates',
  goal: 'A5',
  about: '50 clients edit one event with If-Match, then disjoint fields without',
  async run({ engine, seed, isShort }) {
    const edits = isShort ? 4 : 40;
    const topology = await startTopology(engine, 2);
    const random = new Random(seed);
    const target = () => random.pick(topology.instances);
    const made = await insist(target, { method: 'POST', path: '/events', body: EVENT });
    const path = `/events/${made.body.id as number}`;
    const outcomes = await conditional(path, target, 50, edits);
    const counted = await insist(target, { path });
    const sum = Number(/\d+$/.exec(counted.body.title as string)?.[0] ?? 0);
    const wrong = await disjoint(path, target, edits);
    const differences = await indexFaults(topology);
    await topology.stop();
    const applied = outcomes.get(200) ?? 0;
    const told = [...outcomes].map(([status, count]) => `${count} × ${status}`).join(', ');
    // An edit with 503 may have been applied or not.
    const unknown = outcomes.get(503) ?? 0;
    const others = [...outcomes.keys()].filter((status) => ![200, 412, 503].includes(status));
    return {
      faults: 'none',
      figures: [
        `${50 * edits} edits with If-Match: ${told}; ${sum} applied`,
        `${FIELDS.length * edits} edits of disjoint fields: ${wrong} lost`,
      ],
      broken: [
        ...(sum >= applied && sum <= applied + unknown ? [] : [`${applied} edits were acknowledged, ${sum} applied`]),
        ...(wrong === 0 ? [] : [`${wrong} edits of disjoint fields were lost`]),
        ...differences,
        ...(others.length === 0 ? [] : [`answers ${others.join(', ')}`]),
      ],
    };
  },
};

/** Every client reads the number in the title and writes the next one with If-Match. Counts the statuses. */
async function conditional(path: string, target: () => Target, clients: number, edits: number) {
  const outcomes = new Map<number, number>();
  const edit = async () => {
    const { body, headers } = await insist(target, { path });
    const next = Number(/\d+$/.exec(body.title as string)?.[0] ?? 0) + 1;
    const { status } = await exchange(target(), {
      method: 'PATCH',
      path,
      body: { title: `Edited ${next}` },
      headers: { 'if-match': headers.etag ?? '' },
    });
    outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
  };
  const client = async () => {
    for (let count = 0; count < edits; count += 1) await edit();
  };
  await Promise.all(Array.from({ length: clients }, client));
  return outcomes;
}

/** Each client writes and then reads its own field. Returns the number of lost edits. */
async function disjoint(path: string, target: () => Target, edits: number): Promise<number> {
  let wrong = 0;
  const client = async (field: (typeof FIELDS)[number]) => {
    for (let count = 1; count <= edits; count += 1) {
      const value = field === 'website' ? `https://example.com/${count}` : `value ${count}`;
      const { status } = await insist(target, { method: 'PATCH', path, body: { [field]: value } });
      if (status !== 200) throw new Error(`PATCH of ${field} was answered ${status}`);
      const { body } = await insist(target, { path });
      if (!String(body[field]).includes(value)) wrong += 1;
    }
  };
  await Promise.all(FIELDS.map(client));
  return wrong;
}

/** Retries while the status is 503. */
async function insist(target: () => Target, sent: Sent): Promise<Answer> {
  for (;;) {
    const answer = await exchange(target(), sent);
    if (answer.status !== 503) return answer;
    await sleep(100);
  }
}
