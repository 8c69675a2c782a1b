import cluster from 'node:cluster';
import { type Logger, pino } from 'pino';
import { workerKind } from '../server/worker-messages.js';

/** Lines are written together once they have so many bytes, or have waited for so many milliseconds; the last at the exit. */
const [TOGETHER, DELAY] = [4_096, 100];

/** One JSON line an event, on standard output. Of several processes each says which worker it is. */
export function openLog(level: string): Logger {
  const base = workerKind() === undefined ? null : { worker: cluster.worker?.id };
  const output = pino.destination({ sync: false, minLength: TOGETHER, periodicFlush: DELAY });
  return pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, output);
}
