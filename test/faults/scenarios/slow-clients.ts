import { setTimeout as sleep } from 'node:timers/promises';
import type { Instance } from '../instance.js';
import { Probes } from '../probes.js';
import { until } from '../processes.js';
import type { Scenario } from '../scenario.js';
import { StallingClients } from '../stalling-clients.js';
import { startTopology } from '../topology.js';

/** Longest lifetime of a slow connection (goal B5), in milliseconds. The server checks once a second. */
const MOST_BORNE = 15_000 + 2_000;
/** Factor by which the p99 of other requests may grow. */
const MOST_SLOWER = 2;
const PATH = '/calendar/events/v1/venues';

/** Opens connections whose requests never end. The server closes them, and other requests stay fast. */
export const SLOW_CLIENTS: Scenario = {
  name: 'slow-clients',
  goal: 'B5',
  about: 'connections that send headers or a body character by character, beside normal requests',
  async run({ engine, isShort, tell }) {
    const count = isShort ? 100 : 1_000;
    const topology = await startTopology(engine, 1);
    const [instance] = topology.instances as [Instance];
    const probe = () => new Probes(instance, PATH, 100);
    const warm = probe();
    await sleep(2_000);
    await warm.stop();
    const earlier = probe();
    await sleep(isShort ? 5_000 : 20_000);
    const before = await earlier.stop();
    const clients = [new StallingClients(instance.port, 'headers'), new StallingClients(instance.port, 'body')];
    await Promise.all(clients.map((one) => one.start(count)));
    tell(`${2 * count} connections stall`);
    const meanwhile = probe();
    await until('all are closed', () => clients.every((one) => one.count === 0)).catch(() => undefined);
    const during = await meanwhile.stop();
    const left = clients.reduce((sum, one) => sum + one.count, 0);
    clients.forEach((one) => one.stop());
    await topology.stop();
    const longest = clients.map(({ lived }) => Math.max(0, ...lived));
    const told = longest.map((milliseconds) => (milliseconds / 1_000).toFixed(1)).join(' and ');
    return {
      faults: `${count} slow headers, ${count} slow bodies`,
      figures: [
        `closed after ${told} s at most`,
        `other requests: p50 ${before.p50} ms, p99 ${before.p99} ms before, ${during.p50} and ${during.p99} ms meanwhile`,
        `${during.failed} of ${during.count} failed`,
      ],
      broken: [
        ...(left > 0 ? [`${left} connections stayed`] : []),
        ...(Math.max(...longest) > MOST_BORNE ? ['slow clients were borne for too long'] : []),
        ...(during.p99 > MOST_SLOWER * before.p99 ? ['others became slower'] : []),
        ...(during.failed > 0 ? [`${during.failed} other requests failed`] : []),
      ],
    };
  },
};
