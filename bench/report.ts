import type { Run } from './measure.js';
import type { Workload } from './workloads.js';

/** The figures of one workload: both contenders in the same alternating runs. */
export interface Comparison {
  readonly workload: Workload;
  readonly kalends: Run;
  readonly ceiling: Run;
}

export function rateRatio({ kalends, ceiling }: Comparison): number {
  return kalends.requestsPerSecond / ceiling.requestsPerSecond;
}

const HEAD = [
  '| Workload | requests/s | of ceiling | p50 ms | p99 ms | CPU µs | of ceiling | database µs | ceiling: requests/s | CPU µs | database µs | RSS MB (ceiling) |',
  '| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |',
];

/** A Markdown table; what stands before "ceiling:" is Kalends. */
export function table(comparisons: readonly Comparison[]): string {
  return [...HEAD, ...comparisons.map(line)].join('\n');
}

function line(comparison: Comparison): string {
  const { workload, kalends, ceiling } = comparison;
  const cells = [
    workload.about,
    whole(kalends.requestsPerSecond),
    `**${rateRatio(comparison).toFixed(2)}**`,
    whole(kalends.p50),
    whole(kalends.p99),
    whole(kalends.cpu),
    `${(kalends.cpu / ceiling.cpu).toFixed(2)}x`,
    whole(kalends.databaseCpu),
    whole(ceiling.requestsPerSecond),
    whole(ceiling.cpu),
    whole(ceiling.databaseCpu),
    `${whole(kalends.memory)} (${whole(ceiling.memory)})`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
