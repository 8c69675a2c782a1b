// The thread of parse-thread.ts.
import 'reflect-metadata';
import { parentPort, workerData } from 'node:worker_threads';
import { ApiError } from '../../errors/api-error.js';
import type { Line } from '../lines/line.js';
import { type ParsedLine, parseLine } from './parsed-line.js';

const maxBytes = workerData as number;

parentPort?.on('message', (lines: readonly Line[]) => parentPort?.postMessage(lines.map(parsed)));
parentPort?.postMessage('ready');

/** Returns undefined for a line that cannot be parsed: the main thread finds the same error, which cannot be copied. */
function parsed(line: Line): ParsedLine | undefined {
  try {
    // Copied to this thread, a Buffer has become a Uint8Array.
    const { buffer, byteOffset, length } = line.bytes;
    return parseLine({ ...line, bytes: Buffer.from(buffer, byteOffset, length) }, maxBytes);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
