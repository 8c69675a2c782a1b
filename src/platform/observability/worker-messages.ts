import cluster from 'node:cluster';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** The metrics of one process in the format of prom-client. */
export type WorkerMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** A message from the primary process to a worker. */
export type WorkerRequest = { readonly type: 'metrics'; readonly id: number };

/** A message from a worker to the primary process. */
export type WorkerMessage =
  { readonly type: 'ready' } | { readonly type: 'metrics'; readonly id: number; readonly metrics: WorkerMetrics };

/** The first worker migrates the database. The others start when it is ready. */
const KINDS = ['first-worker', 'further-worker'] as const;
export type WorkerKind = (typeof KINDS)[number];

/** The variable by which a worker learns its kind. Not an argument, because workers have those of the primary process. */
const KIND_VARIABLE = 'KALENDS_WORKER';

/** Returns the variables of a new worker of this kind. */
export function workerVariables(kind: WorkerKind): Record<string, string> {
  return { [KIND_VARIABLE]: kind };
}

/** Returns the kind of this worker; undefined outside our own cluster. */
export function workerKind(): WorkerKind | undefined {
  return cluster.isWorker ? KINDS.find((kind) => kind === process.env[KIND_VARIABLE]) : undefined;
}

/** Sends a message from a worker to the primary process. */
export function sendToPrimary(message: WorkerMessage): void {
  if (workerKind() !== undefined) process.send?.(message);
}

/** Handles messages from the primary process in a worker. */
export function onRequest(work: (request: WorkerRequest) => void): void {
  if (workerKind() !== undefined) process.on('message', work);
}
