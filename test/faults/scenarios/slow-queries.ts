import { setTimeout as sleep } from 'node:timers/promises';
import { NO_SERVER } from '../engines.js';
import { exchange, tryOnce } from '../exchange.js';
import type { Instance } from '../instance.js';
import { Ledger } from '../ledger.js';
import { Probes } from '../probes.js';
import type { Scenario } from '../scenario.js';
import { SingleServer } from '../topology.js';

const PATH = '/calendar/events/v1/events';
/** More clients than connections in the database pool. */
const CLIENTS = 40;
/** Limit for the p99 of reads by id meanwhile, in milliseconds (goal B4). */
const MOST_P99 = 200;
/** The read timeout plus the time spent outside the database, in milliseconds. */
const MOST_ANSWER = 3_000 + 1_500;

/** Lists wait for a locked table until their timeout. Reads by id do not wait behind them. */
export const SLOW_QUERIES: Scenario = {
  name: 'slow-queries',
  goal: 'B4',
  about: 'lists of a table that somebody has locked, beside reads by id',
  leftOut: NO_SERVER,
  async run({ engine, tell }) {
    const topology = await SingleServer.start(engine, 1);
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
        // The pause limits the rate of retries, because a rejection may come at once.
        await sleep(100);
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    tell('the lists hang');
    const probe = new Probes(instance, `${PATH}/${made.id as number}`, 20);
    // Long enough that the one read that waits for the lock is below 1 % and does not change the p99.
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
