import cluster from 'node:cluster';
import { once } from 'node:events';
import { constants, fstatSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { workerKind } from '../server/worker-messages.js';

/** The most that is written at once, in bytes: a pipe takes it whole or not at all, so lines of workers do not mix. */
const PIECE = 4_096;
/** Lines are written together once they fill a piece, or have waited for so many milliseconds. */
const DELAY = 100;
/** What waits for a reader at most, in bytes; further lines are dropped. */
const MOST_WAITING = 8 * 1024 * 1024;
/** How long an exit waits for the reader, in milliseconds. */
const MOST_AT_EXIT = 1_000;

let standardOutput: number | undefined;

export interface OpenLog {
  readonly lines: Logger;
  /** Before an exit: done when what waits has been written, or nobody has read it in time. */
  readonly written: () => Promise<void>;
}

/** One JSON line an event, on standard output. Of several processes each says which worker it is. */
export function openLog(level: string): OpenLog {
  let givesUpAt: number | undefined;
  let isExiting = false;
  const output = pino.destination({
    dest: (standardOutput ??= unblockedOutput()),
    sync: false,
    minLength: PIECE - 1,
    maxWrite: PIECE,
    maxLength: MOST_WAITING,
    periodicFlush: DELAY,
    retryEAGAIN: () => !isExiting || Date.now() < (givesUpAt ??= Date.now() + MOST_AT_EXIT),
  });
  const flushSync = output.flushSync.bind(output);
  // Pino calls it at the exit.
  output.flushSync = () => {
    isExiting = true;
    try {
      flushSync();
    } catch {
      // Nobody has read it in time.
    }
  };
  const base = workerKind() === undefined ? null : { worker: cluster.worker?.id };
  return {
    lines: pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, output),
    written: async () => {
      givesUpAt = Date.now() + MOST_AT_EXIT;
      // No write is under way then; less than a piece may be left, which is written at the exit.
      const drained = once(output, 'drain').catch(() => undefined);
      output.flush();
      await Promise.race([drained, sleep(MOST_AT_EXIT, undefined, { ref: false })]);
    },
  };
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
