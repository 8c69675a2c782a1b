import { availableParallelism } from 'node:os';
import { type Environment, InvalidEnvironment } from './environment.js';

/** How many processes serve. A database in memory belongs to one of them. */
export function workersWanted({ WORKERS, DATABASE_URL }: Environment): number {
  const isInMemory = DATABASE_URL === 'sqlite::memory:';
  if (WORKERS === 'auto') return isInMemory ? 1 : availableParallelism();
  if (isInMemory && WORKERS !== '1') {
    throw new InvalidEnvironment('The configuration is wrong.\nWORKERS: a database in memory is served by one process');
  }
  return Number(WORKERS);
}
