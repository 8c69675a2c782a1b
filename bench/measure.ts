import { createRequire } from 'node:module';
import { join } from 'node:path';
import type Autocannon from 'autocannon';
import { etagOf } from './equality.js';
import { ADMIN_TOKEN, type Contender, cpuMicroseconds, residentMegabytes, ROOT } from './processes.js';
import type { Workload, Written } from './workloads.js';

const autocannon = createRequire(join(ROOT, 'tools', 'package.json'))('autocannon') as typeof Autocannon;

/** The result of one run of a workload against one contender. Latencies are in milliseconds. */
export interface Run {
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the server process per request, in microseconds. */
  readonly cpu: number;
  /** The same of the database server, or 0 if its process is unknown. */
  readonly databaseCpu: number;
  /** Resident memory at the end, in megabytes. */
  readonly memory: number;
  /** The share of requests answered 503 because they exceeded their deadline. They do not count as slow, but as failed. */
  readonly unavailable: number;
}

export interface Plan {
  /** The approximate duration of a run. It has a fixed number of requests, so that a busy machine only makes it longer. */
  readonly seconds: number;
  /** The minimum seconds of warm-up for each contender and workload: at least one run. */
  readonly warmUp: number;
  readonly rounds: number;
  readonly connections: number;
  /** The process of a database server that only the bench uses. 0: unknown. */
  readonly databasePid: number;
}

/** Workloads with slower requests use two connections only. */
const SLOW_REQUEST_SECONDS = 0.25;

/**
 * Measures contenders and returns the medians by name. Alternates their runs, so that disturbances of the machine affect
 * all. Warms each up with thousands of requests, because a service runs for days with compiled code. The first requests
 * give the rate, from which the number of requests per run follows.
 */
export function measure(workload: Workload, contenders: readonly Contender[], plan: Plan): Promise<Map<string, Run>> {
  return measureEach(
    contenders.map((contender) => ({ name: contender.name, contender, workload })),
    plan,
  );
}

/** A workload of a contender. Names are unique in a measurement. */
interface Runner {
  readonly name: string;
  readonly contender: Contender;
  readonly workload: Workload;
}

/** Measures as `measure` does, where workloads differ. */
export async function measureEach(runners: readonly Runner[], plan: Plan): Promise<Map<string, Run>> {
  const rates = new Map<string, number>();
  for (const { name, workload, contender } of runners) {
    rates.set(name, (await drive(workload, contender, 2, { ...plan, connections: 1 })).requestsPerSecond);
  }
  const connections = Math.min(...rates.values()) < 1 / SLOW_REQUEST_SECONDS ? 2 : plan.connections;
  const runs = new Map<string, Run[]>(runners.map(({ name }) => [name, []]));
  const run = ({ name, workload, contender }: Runner) => {
    const amount = Math.max(connections, Math.round((rates.get(name) ?? 0) * plan.seconds));
    return drive(workload, contender, amount, { ...plan, connections });
  };
  for (const runner of runners) {
    const end = performance.now() + plan.warmUp * 1000;
    do rates.set(runner.name, (await run(runner)).requestsPerSecond);
    while (performance.now() < end);
  }
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const runner of round % 2 === 0 ? runners : runners.toReversed()) {
      runs.get(runner.name)?.push(await run(runner));
    }
  }
  return new Map([...runs].map(([name, all]) => [name, medians(all)]));
}

async function drive(workload: Workload, contender: Contender, amount: number, plan: Plan): Promise<Run> {
  const requests = await requestsOf(workload, contender);
  const database = { pid: plan.databasePid };
  const [before, databaseBefore] = [cpuMicroseconds(contender), cpuMicroseconds(database)];
  const result = await autocannon({
    url: `http://127.0.0.1:${contender.port}`,
    connections: plan.connections,
    amount,
    // autocannon ends and measures the duration at sample intervals, in milliseconds. The default of 1000 is too coarse.
    sampleInt: 20,
    timeout: 120,
    requests,
    headers: { host: 'localhost:3000' },
  });
  const cpu = (cpuMicroseconds(contender) - before) / result.requests.total;
  const databaseCpu = (cpuMicroseconds(database) - databaseBefore) / result.requests.total;
  const expected = workload.conditional ? result['3xx'] : result['2xx'];
  const unavailable = statusCount(result, 503);
  if (expected + unavailable !== result.requests.total || result.errors > 0) {
    throw new Error(`${contender.name} failed in ${workload.name}: ${result.non2xx} refused, ${result.errors} errors`);
  }
  const { p50, p99 } = result.latency;
  const requestsPerSecond = result.requests.total / result.duration;
  const share = unavailable / result.requests.total;
  return { requestsPerSecond, p50, p99, cpu, databaseCpu, memory: residentMegabytes(contender), unavailable: share };
}

function statusCount(result: Autocannon.Result, status: number): number {
  const counts = result.statusCodeStats as Readonly<Record<string, { readonly count: number }>> | undefined;
  return Number(counts?.[status]?.count ?? 0);
}

async function requestsOf(workload: Workload, contender: Contender): Promise<Autocannon.Request[]> {
  const reads = await Promise.all(workload.paths.map((path) => requestFor(workload, contender, path)));
  const { writes } = workload;
  if (writes === undefined) return reads;
  const write: Autocannon.Request = { setupRequest: (request) => ({ ...request, ...sent(writes.request()) }) };
  if (reads.length === 0) return [write];
  return reads.flatMap((read, index) => (index % (writes.oneIn - 1) === 0 ? [read, write] : [read]));
}

function sent({ method, path, body }: Written): Autocannon.Request {
  const headers = {
    authorization: `Bearer ${ADMIN_TOKEN}`,
    'content-type': 'application/json',
    host: 'localhost:3000',
  };
  return { method, path: `/calendar/events/v1${path}`, headers, body: JSON.stringify(body) };
}

async function requestFor(workload: Workload, contender: Contender, path: string): Promise<Autocannon.Request> {
  const request = { method: 'GET' as const, path: (workload.mount ?? '/calendar/events/v1') + path };
  if (!workload.conditional) return request;
  return { ...request, headers: { 'if-none-match': await etagOf(contender, path) } };
}

function medians(runs: readonly Run[]): Run {
  const median = (key: keyof Run) => {
    const sorted = runs.map((run) => run[key]).toSorted((a, b) => a - b);
    return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2;
  };
  return {
    requestsPerSecond: median('requestsPerSecond'),
    p50: median('p50'),
    p99: median('p99'),
    cpu: median('cpu'),
    databaseCpu: median('databaseCpu'),
    memory: median('memory'),
    unavailable: median('unavailable'),
  };
}
