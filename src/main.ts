import cluster from 'node:cluster';
import { configuredEnvironment, InvalidEnvironment } from './platform/config/environment.js';
import { workersWanted } from './platform/config/workers-wanted.js';
import { OperatorError } from './platform/operator-error.js';

// TypeORM converts times in the zone of the process.
process.env.TZ = 'UTC';

// Whoever reads it may go away: no reason to end.
process.stderr.on('error', () => undefined);

try {
  const count = cluster.isPrimary ? workersWanted(configuredEnvironment()) : 1;
  // Each loads its own part only: who keeps workers needs nothing of the application.
  if (count > 1) await (await import('./keep-workers.js')).keepWorkers(count);
  else await (await import('./serve.js')).serve();
} catch (error) {
  process.stderr.write(`${explain(error as Error)}\n`);
  process.exit(1);
}

function explain(error: Error): string {
  const isTold = error instanceof InvalidEnvironment || error instanceof OperatorError;
  return isTold ? error.message : (error.stack ?? error.message);
}
