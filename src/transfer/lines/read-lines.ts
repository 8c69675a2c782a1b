import { createReadStream } from 'node:fs';
import { OperatorError } from '../../errors/operator-error.js';
import { parseJsonBody } from '../../platform/http/bodies/json-body.js';

const MAX_LINES_PER_BATCH = 200;
/** Limits memory. A batch of long lines has fewer lines. */
const MAX_BYTES_PER_BATCH = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/** One line of a file: its number, from 1, and its bytes. */
export interface Line {
  readonly number: number;
  readonly bytes: Buffer;
  /** The key of the line, unless it is made of the content. */
  readonly key?: string;
}

/** Consecutive lines, and the number of bytes read from the file so far. */
export interface LinesRead {
  readonly lines: Line[];
  readonly bytesRead: number;
}

/**
 * Yields the lines of a file (`-`: standard input) in batches, without blank ones. Lines are bytes, because they may not be
 * UTF-8. Truncates longer lines to `maxBytes` + 1, which shows the importer that they are too long.
 */
export async function* batchesOf(path: string, maxBytes: number): AsyncGenerator<LinesRead> {
  let lines: Line[] = [];
  let batchBytes = 0;
  let bytesRead = 0;
  for await (const line of linesOf(path, maxBytes)) {
    bytesRead = line.bytesRead;
    if (isBlank(line.bytes)) continue;
    lines.push({ number: line.number, bytes: line.bytes });
    batchBytes += line.bytes.length;
    if (lines.length < MAX_LINES_PER_BATCH && batchBytes < MAX_BYTES_PER_BATCH) continue;
    yield { lines, bytesRead };
    lines = [];
    batchBytes = 0;
  }
  if (lines.length > 0) yield { lines, bytesRead };
}

async function* linesOf(path: string, maxBytes: number) {
  let number = 1;
  let bytesRead = 0;
  let parts: Buffer[] = [];
  let length = 0;
  const append = (part: Buffer) => {
    if (length <= maxBytes && part.length > 0) parts.push(part.subarray(0, maxBytes + 1 - length));
    length += part.length;
  };
  for await (const chunk of chunksOf(path)) {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      append(chunk.subarray(from, to));
      yield { number, bytes: Buffer.concat(parts), bytesRead: bytesRead + to };
      number += 1;
      parts = [];
      length = 0;
      from = to + 1;
    }
    append(chunk.subarray(from));
    bytesRead += chunk.length;
  }
  yield { number, bytes: Buffer.concat(parts), bytesRead };
}

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  const stream: AsyncIterable<Buffer> = path === '-' ? process.stdin : createReadStream(path);
  try {
    yield* stream;
  } catch (error) {
    throw new OperatorError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.toString('latin1').trim() === '';
}

/** A line of an export, with its kind of record. */
export interface RecordLine {
  readonly line: Line;
  readonly record: string;
  readonly values: Record<string, unknown>;
}

/** Whether the line may come from an export. Avoids parsing it. */
export function mayBeRecordLine({ bytes }: Line): boolean {
  return bytes.includes('"record"');
}

/** Parses a line of an export. undefined: not JSON, or without `record`. EventImporter then imports or rejects it. */
export function readRecordLine(line: Line, maxBytes: number): RecordLine | undefined {
  // Avoids parsing other lines twice.
  if (!mayBeRecordLine(line) || line.bytes.length > maxBytes) return undefined;
  try {
    const values = parseJsonBody(line.bytes);
    return typeof values.record === 'string' ? { line, record: values.record, values } : undefined;
  } catch {
    return undefined;
  }
}
