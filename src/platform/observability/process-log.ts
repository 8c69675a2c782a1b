import cluster from 'node:cluster';
import { constants, fstatSync, openSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { workerKind } from './worker-messages.js';
import { within } from '../../config/timeout.js';
import { LineOutput } from './line-output.js';

/** How long an exit waits for the reader, in milliseconds. */
const MOST_AT_EXIT = 1_000;

let standardOutput: LineOutput | undefined;

export interface ProcessLog {
  readonly lines: Logger;
  /** Before an exit: done when what waits has been written, or nobody has read it in time. */
  readonly written: () => Promise<void>;
}

/** One JSON line an event, on standard output. Of several processes each says which worker it is. */
export function openProcessLog(level: string): ProcessLog {
  const output = (standardOutput ??= openOutput());
  const base = workerKind() === undefined ? null : { worker: cluster.worker?.id };
  return {
    lines: pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, output),
    // Its timer keeps the process until then: nothing else may.
    written: () => within(MOST_AT_EXIT, output.written()).catch(() => undefined),
  };
}

function openOutput(): LineOutput {
  const output = new LineOutput(unblockedOutput());
  process.on('exit', () => output.flushSync(MOST_AT_EXIT));
  return output;
}

/** Standard output such that a write never waits for a reader: one that did could not be ended, nor could the process. */
function unblockedOutput(): number {
  try {
    // Opened once more, as other processes that hold the pipe block it or not as they like.
    if (fstatSync(1).isFIFO()) return openSync('/dev/fd/1', constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // It belongs to somebody else, or nobody reads it any more.
  }
  return process.stdout.fd;
}
