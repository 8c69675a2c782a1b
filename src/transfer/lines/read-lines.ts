import { createReadStream } from 'node:fs';
import { OperatorError } from '../../errors/operator-error.js';
import { parseJsonBody } from '../../platform/http/bodies/json-body.js';

const LINES_A_BATCH = 200;
/** Of a file with long lines fewer make a batch. */
const BYTES_A_BATCH = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/** One line of a file: its number, from 1, and its bytes. */
export interface Line {
  readonly number: number;
  readonly bytes: Buffer;
  /** What it is known by, where that is not made of its content. */
  readonly key?: string;
}

/** Lines that follow each other, and how much of the file was read with them. */
export interface LinesRead {
  readonly lines: Line[];
  readonly bytesRead: number;
}

/**
 * The lines of a file (`-`: standard input) in batches; blank ones are left out. Bytes, since they may not be UTF-8. Of a
 * line that is longer than `mostBytes` a little more than these is kept: enough to tell that it is too long.
 */
export async function* batchesOf(path: string, mostBytes: number): AsyncGenerator<LinesRead> {
  let lines: Line[] = [];
  let bytesHeld = 0;
  let bytesRead = 0;
  for await (const line of linesOf(path, mostBytes)) {
    bytesRead = line.bytesRead;
    if (isBlank(line.bytes)) continue;
    lines.push({ number: line.number, bytes: line.bytes });
    bytesHeld += line.bytes.length;
    if (lines.length < LINES_A_BATCH && bytesHeld < BYTES_A_BATCH) continue;
    yield { lines, bytesRead };
    lines = [];
    bytesHeld = 0;
  }
  if (lines.length > 0) yield { lines, bytesRead };
}

async function* linesOf(path: string, mostBytes: number) {
  let number = 1;
  let bytesRead = 0;
  let parts: Buffer[] = [];
  let length = 0;
  const hold = (part: Buffer) => {
    if (length <= mostBytes && part.length > 0) parts.push(part.subarray(0, mostBytes + 1 - length));
    length += part.length;
  };
  for await (const chunk of chunksOf(path)) {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      hold(chunk.subarray(from, to));
      yield { number, bytes: Buffer.concat(parts), bytesRead: bytesRead + to };
      number += 1;
      parts = [];
      length = 0;
      from = to + 1;
    }
    hold(chunk.subarray(from));
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

/** A line that an export has written: it says what record it is. */
export interface RecordLine {
  readonly line: Line;
  readonly record: string;
  readonly values: Record<string, unknown>;
}

/** Whether the line may be an export's, as far as it can be told without reading it. */
export function maybeRecord({ bytes }: Line): boolean {
  return bytes.includes('"record"');
}

/** The line as an export's, or undefined: what is no JSON, or names no record, is refused or taken by the importer. */
export function readRecordLine(line: Line, mostBytes: number): RecordLine | undefined {
  // Most files are none of ours: their lines are not read twice.
  if (!maybeRecord(line) || line.bytes.length > mostBytes) return undefined;
  try {
    const values = parseJsonBody(line.bytes);
    return typeof values.record === 'string' ? { line, record: values.record, values } : undefined;
  } catch {
    return undefined;
  }
}
