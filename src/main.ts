import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { configuredEnvironment, type Environment, InvalidEnvironment } from './config/environment.js';
import { OperatorError } from './errors/operator-error.js';

// TypeORM converts times in the zone of the process.
process.env.TZ = 'UTC';

// Whoever reads it may go away: no reason to end.
process.stderr.on('error', () => undefined);

try {
  const count = cluster.isPrimary ? workersWanted(configuredEnvironment()) : 1;
  // Each loads its own part only: who keeps workers needs nothing of the application.
  if (count > 1) await (await import('./process/supervisor.js')).keepWorkers(count);
  else await (await import('./process/serve.js')).serve();
} catch (error) {
  process.stderr.write(`${explain(error as Error)}\n`);
  process.exit(1);
}

function explain(error: Error): string {
  const isTold = error instanceof InvalidEnvironment || error instanceof OperatorError;
  return isTold ? error.message : (error.stack ?? error.message);
}

/** How many processes serve. A database in memory belongs to one of them. */
export function workersWanted({ WORKERS, DATABASE_URL }: Environment): number {
  const isInMemory = DATABASE_URL === 'sqlite::memory:';
  if (WORKERS === 'auto') return isInMemory ? 1 : availableParallelism();
  if (isInMemory && WORKERS !== '1') {
    throw new InvalidEnvironment('The configuration is wrong.\nWORKERS: a database in memory is served by one process');
  }
  return Number(WORKERS);
}
