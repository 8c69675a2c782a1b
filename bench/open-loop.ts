import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from './processes.js';
import { ask, MOUNT } from './single-request.js';
import type { Workload } from './workloads.js';

/** Latencies in milliseconds, and the number of responses with 503. */
export interface Arrivals {
  readonly latencies: readonly number[];
  readonly unavailable: number;
}

/**
 * Sends requests at a fixed rate, also while earlier ones wait (open loop). A latency counts from the time at which the request
 * should have been sent, so that a pause of the service counts for all requests that came meanwhile.
 */
export async function arrive(
  workload: Workload,
  contender: Contender,
  rate: number,
  seconds: number,
): Promise<Arrivals> {
  const latencies: number[] = [];
  let unavailable = 0;
  const began = performance.now();
  const pending: Promise<void>[] = [];
  const send = async (n: number) => {
    const intended = began + (n * 1000) / rate;
    const path = MOUNT + (workload.paths[n % workload.paths.length] ?? '');
    const { status } = await ask(contender, path);
    if (status === 503) unavailable += 1;
    else if (status !== 200) throw new Error(`${contender.name} answers ${status} to ${path}`);
    latencies.push(performance.now() - intended);
  };
  for (let n = 0; n < rate * seconds; n += 1) {
    const early = began + (n * 1000) / rate - performance.now();
    if (early > 0) await sleep(early);
    pending.push(send(n));
  }
  await Promise.all(pending);
  return { latencies, unavailable };
}
