import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import type { Extension } from '../create-app.js';
import { configuredEnvironment, type Environment } from '../config/environment.js';
import { OperatorError } from '../errors/operator-error.js';
import { loadSettings } from './settings-file.js';

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
    const { warnings } = await loadSettings();
    for (const warning of warnings) process.stderr.write(`${warning}\n`);
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
  return error instanceof OperatorError ? error.message : (error.stack ?? error.message);
}

function workersWanted({ WORKERS }: Environment): number {
  return WORKERS === 'auto' ? availableParallelism() : Number(WORKERS);
}
