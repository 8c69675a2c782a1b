import cluster from 'node:cluster';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** The figures of one process, as Prometheus' library hands them over. */
export type Figures = MetricObjectWithValues<MetricValue<string>>[];

/** What the process that keeps the workers asks of one of them. */
export type Ask = { readonly ask: 'figures'; readonly id: number };

/** What a worker tells that process. */
export type Told =
  { readonly told: 'ready' } | { readonly told: 'figures'; readonly id: number; readonly figures: Figures };

/** The first one prepares the database alone, further ones come when others serve. */
const KINDS = ['first-worker', 'further-worker'] as const;
export type WorkerKind = (typeof KINDS)[number];

/** What this process is among workers, by its first argument; undefined: none of ours, since others keep workers, too. */
export function workerKind(): WorkerKind | undefined {
  return cluster.isWorker ? KINDS.find((kind) => kind === process.argv[2]) : undefined;
}

/** In a worker: tells the process that keeps it. */
export function tell(message: Told): void {
  if (workerKind() !== undefined) process.send?.(message);
}

/** In a worker: does what is asked of it. */
export function onAsk(work: (ask: Ask) => void): void {
  if (workerKind() !== undefined) process.on('message', work);
}
