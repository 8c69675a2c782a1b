import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../support/random.js';
import { auditOf } from '../audit.js';
import { bodyOf, eventState } from '../event-states.js';
import { exchange } from '../exchange.js';
import { indexFaults } from '../index-check.js';
import type { Instance } from '../instance.js';
import { Ledger } from '../ledger.js';
import { Probes } from '../probes.js';
import { until } from '../processes.js';
import { brokenByLedger, type Scenario } from '../scenario.js';
import { startTopology } from '../topology.js';
import { Visitors } from '../visitors.js';

const MOUNT = '/calendar/events/v1';
/** Enough clients to keep the service busy, each with one request at a time. */
const BUSY = 16;
const TIMES = 5;
/** Minimum share of the peak throughput that is served under overload (goal B4). */
const LEAST_GOODPUT = 0.8;
/** Longest time from the end of the overload to normal responses, in milliseconds. */
const MOST_RECOVERY = 3_000;
/** The service is normal again after this number of successful writes in a row. */
const NORMAL = 10;

/** Under write overload the throughput stays, excess writes are rejected, and reads and health checks still work. */
export const OVERLOAD: Scenario = {
  name: 'overload',
  goal: 'B4',
  about: 'five times as many writes as can be done, at a steady rate, beside reads by id and health checks',
  async run({ engine, seed, isShort, tell }) {
    const topology = await startTopology(engine, 1);
    const [instance] = topology.instances as [Instance];
    const first = await exchange(instance, {
      method: 'POST',
      path: '/events',
      body: { title: 'First v0', start_date: '2027-03-10 20:00', end_date: '2027-03-10 23:00' },
    });
    const path = `/events/${first.body.id as number}`;
    const length = isShort ? 10_000 : 60_000;
    const random = new Random(seed);
    // Warms the process up before the measurement.
    await capacity(instance, random, 5_000);
    const peak = await capacity(instance, random, isShort ? 5_000 : 15_000);
    tell(`${Math.round(peak)} writes a second at the peak`);
    const ledger = new Ledger();
    const clients = process.cpuUsage();
    const probes = [
      new Probes(instance, `${MOUNT}${path}`, 20),
      new Probes(instance, '/health/live', 20),
      new Probes(instance, '/health/ready', 20),
    ];
    const visitors = new Visitors(ledger, instance, seed, { perSecond: TIMES * peak, writes: 1 });
    await sleep(length);
    const { user, system } = process.cpuUsage(clients);
    const goodput = ledger.acknowledged / (length / 1_000);
    const stopping = visitors.stop();
    const recovery = await until(`${NORMAL} writes in a row succeed`, () => isNormal(instance, path));
    await stopping;
    const [byId, live, ready] = await Promise.all(probes.map((probe) => probe.stop()));
    const found = await auditOf(topology, ledger);
    const differences = await indexFaults(topology);
    await topology.stop();
    const unexpected = [...ledger.failures.keys()].filter((outcome) => !['503', '429'].includes(outcome));
    const share = goodput / peak;
    return {
      faults: `${Math.round(TIMES * peak)} writes a second for ${length / 1_000} s`,
      ledger,
      audit: found,
      figures: [
        `${Math.round(peak)} writes a second at the peak, ${Math.round(goodput)} meanwhile (${Math.round(share * 100)} %)`,
        `the clients alone took ${((user + system) / 1_000 / length).toFixed(1)} of ${availableParallelism()} cores`,
        `normal again after ${Math.round(recovery)} ms`,
        ...Object.entries({ 'reads by id': byId, liveness: live, readiness: ready }).map(
          ([what, probed]) => `${what} p99 ${probed?.p99} ms, ${probed?.failed} of ${probed?.count} failed`,
        ),
      ],
      broken: [
        ...brokenByLedger(ledger, found),
        ...differences,
        ...(share < LEAST_GOODPUT ? [`${Math.round(share * 100)} % of the peak were served`] : []),
        ...(recovery > MOST_RECOVERY ? [`recovery took ${Math.round(recovery)} ms`] : []),
        ...(unexpected.length > 0 ? [`answers other than 503 and 429: ${unexpected.join(', ')}`] : []),
        ...([byId, live].some((probed) => probed?.failed !== 0) ? ['reads by id or liveness failed'] : []),
      ],
    };
  },
};

/** Returns the writes per second when every client waits for each response before its next request. */
async function capacity(instance: Instance, random: Random, milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds;
  let written = 0;
  const client = async () => {
    while (performance.now() < end) {
      const body = bodyOf(eventState(random, `c-${random.next()}`, 1));
      const { status } = await exchange(instance, { method: 'POST', path: '/events', body });
      if (status === 201) written += 1;
    }
  };
  await Promise.all(Array.from({ length: BUSY }, client));
  return written / (milliseconds / 1_000);
}

/** Returns whether NORMAL writes in a row succeed. */
async function isNormal(instance: Instance, path: string): Promise<boolean> {
  for (let count = 0; count < NORMAL; count += 1) {
    const answer = await exchange(instance, {
      method: 'PATCH',
      path,
      body: { website: `https://example.com/${count}` },
    });
    if (answer.status !== 200) return false;
  }
  return true;
}
