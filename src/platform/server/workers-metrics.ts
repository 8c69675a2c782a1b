import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Environment } from '../config/environment.js';
import { openMetricsServer } from '../observability/metrics-server.js';
import { workerFigures } from '../observability/worker-figures.js';
import { naming } from './naming.js';

/** With METRICS_PORT: the figures of all workers in one, added up where that makes sense. */
export async function openWorkersMetrics({ METRICS_PORT: port, HOST: host }: Environment, log: Logger): Promise<void> {
  if (port === undefined) return;
  const { AggregatorRegistry } = (await import('prom-client')).default;
  const read = async () => AggregatorRegistry.aggregate(await workerFigures()).metrics();
  const server = await naming(
    'METRICS_PORT',
    openMetricsServer({ port, host }, AggregatorRegistry.PROMETHEUS_CONTENT_TYPE, read),
  );
  log.info({ port: (server.address() as AddressInfo).port }, 'metrics');
}
