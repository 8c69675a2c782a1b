import cluster from 'node:cluster';
import { type Logger, pino } from 'pino';
import { workerKind } from '../server/worker-messages.js';

/** One JSON line an event, on standard output. Of several processes each says which worker it is. */
export function openLog(level: string): Logger {
  const base = workerKind() === undefined ? null : { worker: cluster.worker?.id };
  return pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime });
}
