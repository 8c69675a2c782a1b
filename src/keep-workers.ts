import { configuredEnvironment } from './platform/config/environment.js';
import { loggedError } from './platform/errors/logged-error.js';
import { openLog } from './platform/observability/open-log.js';
import { Workers } from './platform/server/workers.js';
import { openWorkersMetrics } from './platform/server/workers-metrics.js';
import { mostStopping } from './platform/server/most-stopping.js';

/** Beyond the time that workers take to end by themselves, in milliseconds. */
const GRACE = 1_000;

/** The process that keeps the workers: it serves nothing itself. Does not come back. */
export async function keepWorkers(count: number): Promise<void> {
  const environment = configuredEnvironment();
  const { lines: log, written } = openLog(environment.LOG_LEVEL);
  const workers = new Workers(log);
  let isStopping = false;
  let failed = 0;
  const stop = () => {
    if (isStopping) endNow(workers);
    isStopping = true;
    log.info({}, 'stopping all workers');
    setTimeout(() => endNow(workers), mostStopping(environment) + GRACE).unref();
    workers.stop();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop);
  process.on('uncaughtException', (error) => {
    log.error({ error: loggedError(error) }, 'uncaughtException');
    failed = 1;
    if (!isStopping) stop();
  });
  await openWorkersMetrics(environment, log);
  const code = await workers.run(count);
  await written();
  process.exit(Math.max(failed, code));
}

function endNow(workers: Workers): void {
  workers.kill();
  process.exit(1);
}
