import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import type { Extension } from '../create-app.js';
import { configuredEnvironment, type Environment, InvalidEnvironment } from '../config/environment.js';
import { OperatorError } from '../errors/operator-error.js';

/**
 * Serves until a signal: the whole of a main file. With `WORKERS` the process supervises workers, which run the same file.
 * Ends the process with code 1 and a message if the service cannot start.
 */
export async function runService(extension: Extension = {}): Promise<void> {
  // TypeORM converts times with the time zone of the process.
  process.env.TZ = 'UTC';

  // A closed pipe must not end the process.
  process.stderr.on('error', () => undefined);

  try {
    const count = cluster.isPrimary ? workersWanted(configuredEnvironment()) : 1;
    // Dynamic imports, so that the primary process does not load the application.
    if (count > 1) await (await import('./supervisor.js')).keepWorkers(count);
    else await (await import('./serve.js')).serve(extension);
  } catch (error) {
    process.stderr.write(`${explain(error as Error)}\n`);
    process.exit(1);
  }
}

function explain(error: Error): string {
  const isExpected = error instanceof InvalidEnvironment || error instanceof OperatorError;
  return isExpected ? error.message : (error.stack ?? error.message);
}

/** Returns the number of workers. Several cannot share a database in memory. */
function workersWanted({ WORKERS, DATABASE_URL }: Environment): number {
  const isInMemory = DATABASE_URL === 'sqlite::memory:';
  if (WORKERS === 'auto') return isInMemory ? 1 : availableParallelism();
  if (isInMemory && WORKERS !== '1') {
    throw new InvalidEnvironment('The configuration is wrong.\nWORKERS: a database in memory is served by one process');
  }
  return Number(WORKERS);
}
