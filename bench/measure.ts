import autocannon from 'autocannon';
import { etagOf } from './equality.js';
import { type Contender, cpuMicroseconds, residentMegabytes } from './processes.js';
import type { Workload } from './workloads.js';

/** One run of a workload against one contender. */
export interface Run {
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the server process for one request, in microseconds. */
  readonly cpu: number;
  /** That of the database server, if it has one of its own. */
  readonly databaseCpu: number;
  /** Resident memory at the end, in megabytes. */
  readonly memory: number;
}

export interface Plan {
  /** About how long a run takes. It is counted in requests, so that a busy machine makes it longer, not emptier. */
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  /** Process of a database server that nobody else uses; 0: unknown. */
  readonly databasePid: number;
}

/**
 * Warms all up, then runs them in turns: what disturbs the machine disturbs all. Answers the medians, by name.
 * The first few requests tell how many make up the wanted seconds.
 */
export async function measure(
  workload: Workload,
  contenders: readonly Contender[],
  plan: Plan,
): Promise<Map<string, Run>> {
  const few = plan.connections * 2;
  const runs = new Map<string, Run[]>(contenders.map(({ name }) => [name, []]));
  const amounts = new Map<string, number>();
  for (const contender of contenders) {
    const { requestsPerSecond } = await drive(workload, contender, few, plan);
    const amount = Math.max(few, Math.round(requestsPerSecond * plan.seconds));
    amounts.set(contender.name, amount);
    await drive(workload, contender, amount, plan);
  }
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      runs.get(contender.name)?.push(await drive(workload, contender, amounts.get(contender.name) ?? few, plan));
    }
  }
  return new Map([...runs].map(([name, all]) => [name, medians(all)]));
}

async function drive(workload: Workload, contender: Contender, amount: number, plan: Plan): Promise<Run> {
  const requests = await Promise.all(workload.paths.map((path) => requestFor(workload, contender, path)));
  const database = { pid: plan.databasePid };
  const [before, databaseBefore] = [cpuMicroseconds(contender), cpuMicroseconds(database)];
  const result = await autocannon({
    url: `http://127.0.0.1:${contender.port}`,
    connections: plan.connections,
    amount,
    // It ends, and takes the time, at the beat of its samples: once a second by default.
    sampleInt: 20,
    timeout: 60,
    requests,
    headers: { host: 'localhost:3000' },
  });
  const cpu = (cpuMicroseconds(contender) - before) / result.requests.total;
  const databaseCpu = (cpuMicroseconds(database) - databaseBefore) / result.requests.total;
  const expected = workload.conditional ? result['3xx'] : result['2xx'];
  if (expected !== result.requests.total || result.errors > 0) {
    throw new Error(`${contender.name} failed in ${workload.name}: ${result.non2xx} refused, ${result.errors} errors`);
  }
  const { p50, p99 } = result.latency;
  const requestsPerSecond = result.requests.total / result.duration;
  return { requestsPerSecond, p50, p99, cpu, databaseCpu, memory: residentMegabytes(contender) };
}

async function requestFor(workload: Workload, contender: Contender, path: string): Promise<autocannon.Request> {
  const request = { method: 'GET' as const, path: `/calendar/events/v1${path}` };
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
  };
}
