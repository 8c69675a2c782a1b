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
  const read = async () => AggregatorRegistry.aggregate(await fetchWorkerMetrics()).metrics();
  const server = await explainListenError(
    'METRICS_PORT',
    port,
    openMetricsServer({ port, host }, AggregatorRegistry.PROMETHEUS_CONTENT_TYPE, read),
  );
  log.info({ port: (server.address() as AddressInfo).port }, 'metrics');
}

/** A worker that does not reply within this time (ms) is left out. */
const WORKER_TIMEOUT_MS = 2_000;

let lastId = 0;

/** Returns the metrics of all workers that reply in time. */
async function fetchWorkerMetrics(): Promise<WorkerMetrics[]> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  return (await Promise.all(workers.map(metricsOf))).filter((metrics) => metrics !== undefined);
}

function metricsOf(worker: Worker): Promise<WorkerMetrics | undefined> {
  const id = (lastId += 1);
  return new Promise((done) => {
    const end = (metrics?: WorkerMetrics) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      done(metrics);
    };
    const onMessage = (message: WorkerMessage) => {
      if (message.type === 'metrics' && message.id === id) end(message.metrics);
    };
    const onExit = () => end();
    const timer = setTimeout(end, WORKER_TIMEOUT_MS);
    worker.on('message', onMessage).once('exit', onExit);
    const request: WorkerRequest = { type: 'metrics', id };
    worker.send(request, (error) => error && end());
  });
}
