import type { AfterCommit } from './after-commit.js';
import type { BesideRuns } from './beside.js';
import type { Run } from './measure.js';
import type { Workload } from './workloads.js';

/** The results of one workload, from alternating runs of all contenders. */
export interface Comparison {
  readonly workload: Workload;
  readonly kalends: Run;
  /** Kalends with CACHE_ENTRIES=0, because the ceiling has no cache either. */
  readonly uncached: Run;
  readonly ceiling: Run;
}

export function rateRatio(one: Run, ceiling: Run): number {
  return one.requestsPerSecond / ceiling.requestsPerSecond;
}

const GROUP = 'requests/s | of ceiling | p50 | p99 | CPU | DB | MB';
const COLUMNS = ['requests/s', 'CPU', 'DB', 'MB', ...GROUP.split(' | '), ...GROUP.split(' | ')];

/** Returns a Markdown table: ceiling, Kalends without caches, Kalends. Latencies in ms, CPU and DB in µs per request. */
export function table(comparisons: readonly Comparison[]): string {
  const legend =
    'Columns: ceiling, then Kalends without caches, then Kalends. p50 and p99 in ms, CPU and DB in µs a request, resident MB.\n';
  const head = `| Workload | ${COLUMNS.join(' | ')} |`;
  return [legend, head, `| --- |${' --: |'.repeat(COLUMNS.length)}`, ...comparisons.map(line)].join('\n');
}

function line({ workload, kalends, uncached, ceiling }: Comparison): string {
  const own = [ceiling.requestsPerSecond, ceiling.cpu, ceiling.databaseCpu, ceiling.memory].map(whole);
  return `| ${[workload.about, ...own, ...cells(uncached, ceiling), ...cells(kalends, ceiling)].join(' | ')} |`;
}

function cells(run: Run, ceiling: Run): string[] {
  const times = [run.p50, run.p99, run.cpu, run.databaseCpu, run.memory].map(whole);
  const rate =
    whole(run.requestsPerSecond) + (run.unavailable > 0 ? ` (${Math.ceil(run.unavailable * 100)} % 503)` : '');
  return [rate, `**${rateRatio(run, ceiling).toFixed(2)}**`, ...times];
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** The results for one number of events. */
export interface SizeFigures {
  readonly events: number;
  readonly comparisons: readonly Comparison[];
  /** Single requests of which each is the first after a commit. */
  readonly afterCommit: readonly AfterCommit[];
  readonly besides: readonly BesideRuns[];
  /** Processor time until the first response by contender, in microseconds. */
  readonly startCpu: readonly (readonly [string, number])[];
}

/** Returns a table of the growth of each workload's median latency, from the first size to the last. */
export function growthTable(sizes: readonly SizeFigures[]): string {
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (first === undefined || last === undefined || first === last) return '';
  const head = `| Workload | no caches: p50, ms | growth | Kalends: p50, ms | growth |\n| --- | --: | --: | --: | --: |`;
  const lines = last.comparisons.map(({ workload, uncached, kalends }) => {
    const before = first.comparisons.find((one) => one.workload.name === workload.name);
    const cells = ([run, old]: readonly [Run, Run | undefined]) =>
      `${old?.p50 ?? ''} → ${run.p50} | **${(run.p50 / Math.max(old?.p50 ?? 0, 1)).toFixed(1)}**`;
    return `| ${workload.about} | ${cells([uncached, before?.uncached])} | ${cells([kalends, before?.kalends])} |`;
  });
  return [head, ...lines].join('\n');
}
