import cluster, { type Worker } from 'node:cluster';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Environment } from '../config/environment.js';
import { openMetricsServer } from '../platform/observability/metrics-server.js';
import type { WorkerRequest, WorkerMetrics, WorkerMessage } from '../platform/observability/worker-messages.js';
import { explainListenError } from './listen-error.js';

/** Serves the aggregated metrics of all workers on METRICS_PORT. */
export async function openWorkersMetrics({ METRICS_PORT: port, HOST: host }: Environment, log: Logger): Promise<void> {
  if (port === undefined) return;
  const { AggregatorRegistry } = (await import('prom-client')).default;
  const read = async () => AggregatorRegistry.aggregate(await workerFigures()).metrics();
  const server = await explainListenError(
    'METRICS_PORT',
    openMetricsServer({ port, host }, AggregatorRegistry.PROMETHEUS_CONTENT_TYPE, read),
  );
  log.info({ port: (server.address() as AddressInfo).port }, 'metrics');
}

/** A worker that does not reply within this time (ms) is left out. */
const WORKER_TIMEOUT_MS = 2_000;

let asked = 0;

/** Returns the metrics of all workers that reply in time. */
async function workerFigures(): Promise<WorkerMetrics[]> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  return (await Promise.all(workers.map(figuresOf))).filter((figures) => figures !== undefined);
}

function figuresOf(worker: Worker): Promise<WorkerMetrics | undefined> {
  const id = (asked += 1);
  return new Promise((done) => {
    const end = (figures?: WorkerMetrics) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      done(figures);
    };
    const onMessage = (message: WorkerMessage) => {
      if (message.told === 'figures' && message.id === id) end(message.figures);
    };
    const onExit = () => end();
    const timer = setTimeout(end, WORKER_TIMEOUT_MS);
    worker.on('message', onMessage).once('exit', onExit);
    const ask: WorkerRequest = { ask: 'figures', id };
    worker.send(ask, (error) => error && end());
  });
}
