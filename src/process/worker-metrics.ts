import cluster, { type Worker } from 'node:cluster';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Environment } from '../config/environment.js';
import { openMetricsServer } from '../platform/observability/metrics-server.js';
import type { Ask, Figures, Told } from '../platform/observability/worker-messages.js';
import { explainListenError } from './listen-error.js';

/** With METRICS_PORT: the figures of all workers in one, added up where that makes sense. */
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

/** A worker that is too busy to answer must not keep the figures of the others, in milliseconds. */
const PATIENCE = 2_000;

let asked = 0;

/** The figures of all workers that answer. */
async function workerFigures(): Promise<Figures[]> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  return (await Promise.all(workers.map(figuresOf))).filter((figures) => figures !== undefined);
}

function figuresOf(worker: Worker): Promise<Figures | undefined> {
  const id = (asked += 1);
  return new Promise((done) => {
    const end = (figures?: Figures) => {
      clearTimeout(timer);
      worker.off('message', onTold).off('exit', onExit);
      done(figures);
    };
    const onTold = (message: Told) => {
      if (message.told === 'figures' && message.id === id) end(message.figures);
    };
    const onExit = () => end();
    const timer = setTimeout(end, PATIENCE);
    worker.on('message', onTold).once('exit', onExit);
    const ask: Ask = { ask: 'figures', id };
    worker.send(ask, (error) => error && end());
  });
}
