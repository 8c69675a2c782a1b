// The thread of parse-thread.ts.
import 'reflect-metadata';
import { parentPort, workerData } from 'node:worker_threads';
import { ApiError } from '../../errors/api-error.js';
import type { Line } from '../lines/line.js';
import type { SentLine, SentLines } from './parse-thread.js';
import { parseLine } from './parsed-line.js';

const maxBytes = workerData as number;

parentPort?.on('message', (lines: readonly Line[]) => {
  parentPort?.postMessage(lines.map(sentLine) satisfies SentLines);
});
parentPort?.postMessage('ready');

function sentLine(line: Line): SentLine | undefined {
  try {
    // Copied to this thread, a Buffer has become a Uint8Array.
    const { buffer, byteOffset, length } = line.bytes;
    const { problems, ...parsed } = parseLine({ ...line, bytes: Buffer.from(buffer, byteOffset, length) }, maxBytes);
    return problems.isEmpty ? parsed : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
