import { setTimeout as sleep } from 'node:timers/promises';
import { exchange, tryOnce } from '../exchange.js';
import type { Instance } from '../instance.js';
import { Ledger } from '../ledger.js';
import { Probes } from '../probes.js';
import type { Scenario } from '../scenario.js';
import { SingleServer } from '../topology.js';

const PATH = '/calendar/events/v1/events';
/** More than there are connections to the database. */
const CLIENTS = 40;
/** How long a read by id may take meanwhile, in milliseconds (goal B4). */
const MOST_P99 = 200;
/** The time of a read, and for what is not the database, in milliseconds. */
const MOST_ANSWER = 3_000 + 1_500;

/** Lists wait for the database until their time is over; reads by id do not wait behind them. */
export const SLOW_QUERIES: Scenario = {
  name: 'slow-queries',
  goal: 'B4',
  about: 'lists of a table that somebody has locked, beside reads by id',
  async run({ tell }) {
    const topology = await SingleServer.start(1);
    const [instance] = topology.instances as [Instance];
    const body = { title: 'Read by id', start_date: '2027-03-10 20:00', end_date: '2027-03-10 23:00' };
    const { body: made } = await exchange(instance, { method: 'POST', path: '/events', body });
    const operator = await topology.connect();
    await operator.query('LOCK TABLES venues WRITE');
    const lists = new Ledger();
    let isStopping = false;
    const client = async () => {
      while (!isStopping) {
        await tryOnce(lists, instance, { path: '/venues' });
        // Who is refused at once comes again, but not at once.
        await sleep(100);
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    tell('the lists hang');
    const probe = new Probes(instance, `${PATH}/${made.id as number}`, 20);
    // Of so many reads the one that finds out that the table is locked is less than one in a hundred.
    await sleep(30_000);
    const { count, failed, p50, p99 } = await probe.stop();
    isStopping = true;
    await Promise.all(clients);
    await operator.query('UNLOCK TABLES');
    const { status: afterwards } = await exchange(instance, { path: '/venues' });
    await operator.end();
    await topology.stop();
    const refused = lists.failures.get('503') ?? 0;
    const slowest = Math.round(lists.slowest);
    return {
      faults: `${CLIENTS} clients of lists that hang`,
      figures: [
        `${refused} lists refused, after ${slowest} ms at most`,
        `reads by id p50 ${p50} ms, p99 ${p99} ms, ${failed} of ${count} failed`,
      ],
      broken: [
        ...(failed > 0 ? [`${failed} reads by id failed`] : []),
        ...(p99 > MOST_P99 ? [`reads by id took ${p99} ms`] : []),
        ...(slowest > MOST_ANSWER ? [`a list was answered after ${slowest} ms`] : []),
        ...(refused < lists.requests ? [`${lists.requests - refused} lists had another end than 503`] : []),
        ...(lists.withoutRetryAfter > 0 ? [`${lists.withoutRetryAfter} without Retry-After`] : []),
        ...(afterwards === 200 ? [] : [`the list is answered ${afterwards} afterwards`]),
      ],
    };
  },
};
