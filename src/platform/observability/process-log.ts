import cluster from 'node:cluster';
import { constants, fstatSync, openSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { workerKind } from './worker-messages.js';
import { within } from '../../config/timeout.js';
import type { Environment } from '../../config/environment.js';
import { LineOutput } from './line-output.js';
import { prettyLine } from './pretty-line.js';

/** Timeout to write all lines at an exit, in milliseconds. */
const EXIT_TIMEOUT_MS = 1_000;

let standardOutput: LineOutput | undefined;

export interface ProcessLog {
  readonly lines: Logger;
  /** Call before an exit. Resolves when all lines are written, or at a timeout. */
  readonly written: () => Promise<void>;
}

/**
 * Opens the log: one line per event on standard output, in JSON or as text for people, with the worker's id if there are
 * several.
 */
export function openProcessLog(settings: Pick<Environment, 'LOG_LEVEL' | 'LOG_FORMAT'>): ProcessLog {
  const output = (standardOutput ??= openOutput());
  const base = workerKind() === undefined ? null : { worker: cluster.worker?.id };
  const options = { level: settings.LOG_LEVEL, base, timestamp: pino.stdTimeFunctions.isoTime };
  const pretty = { write: (line: string) => output.write(prettyLine(line)), flush: () => output.flush() };
  return {
    lines: pino(options, isPretty(settings) ? pretty : output),
    // The timer of `within` keeps the process alive until then.
    written: () => within(EXIT_TIMEOUT_MS, output.written()).catch(() => undefined),
  };
}

/** Whether the log is text for people. Then the welcome replaces the lines about the start. */
export function isPretty({ LOG_FORMAT }: Pick<Environment, 'LOG_FORMAT'>): boolean {
  return LOG_FORMAT === 'pretty' || (LOG_FORMAT === 'auto' && process.stdout.isTTY);
}

function openOutput(): LineOutput {
  const output = new LineOutput(nonBlockingOutput());
  process.on('exit', () => output.flushSync(EXIT_TIMEOUT_MS));
  return output;
}

/** Returns a non-blocking descriptor of standard output, because a blocked write would also block the exit. */
function nonBlockingOutput(): number {
  try {
    // Opens the pipe again, because the blocking mode of descriptor 1 is shared with other processes.
    if (fstatSync(1).isFIFO()) return openSync('/dev/fd/1', constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // Another user owns the pipe, or its reader is gone.
  }
  return process.stdout.fd;
}
