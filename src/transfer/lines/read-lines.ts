import { createReadStream } from 'node:fs';
import { OperatorError } from '../../errors/operator-error.js';
import { parseJsonBody } from '../../platform/http/bodies/json-body.js';
import { ValueSplitter } from './json-values.js';
import type { Line } from './line.js';

const MAX_LINES_PER_BATCH = 200;
/** Limits memory. A batch of long lines has fewer lines. */
const MAX_BYTES_PER_BATCH = 8 * 1024 * 1024;

/** Consecutive lines, and the number of bytes read from the file so far. */
export interface LinesRead {
  readonly lines: Line[];
  readonly bytesRead: number;
}

/**
 * Yields the values of a file (`-`: standard input) in batches: the lines of JSON lines, without blank ones, the items of a JSON
 * array, and pretty-printed objects. They are bytes, because they may not be UTF-8. Truncates longer ones to `maxBytes` + 1,
 * which shows the importer that they are too long.
 */
export async function* batchesOf(path: string, maxBytes: number): AsyncGenerator<LinesRead> {
  let lines: Line[] = [];
  let batchBytes = 0;
  let bytesRead = 0;
  for await (const chunk of valuesOf(path, maxBytes)) {
    bytesRead = chunk.bytesRead;
    for (const line of chunk.values) {
      lines.push(line);
      batchBytes += line.bytes.length;
      if (lines.length < MAX_LINES_PER_BATCH && batchBytes < MAX_BYTES_PER_BATCH) continue;
      yield { lines, bytesRead };
      lines = [];
      batchBytes = 0;
    }
  }
  if (lines.length > 0) yield { lines, bytesRead };
}

async function* valuesOf(path: string, maxBytes: number) {
  const splitter = new ValueSplitter(maxBytes);
  let bytesRead = 0;
  for await (const chunk of chunksOf(path)) {
    bytesRead += chunk.length;
    yield { values: splitter.push(chunk), bytesRead };
  }
  yield { values: splitter.end(), bytesRead };
}

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  const stream: AsyncIterable<Buffer> = path === '-' ? process.stdin : createReadStream(path);
  try {
    yield* stream;
  } catch (error) {
    throw new OperatorError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** The start of a text in UTF-16: its byte order mark. */
const UTF_16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];
/** The start of a JSON object or array, after a byte order mark. */
const JSON_START = /^(\u00ef\u00bb\u00bf)?[\s,]*[[{]/;
const MAX_SHOWN = 60;

/** Throws if no line looks like JSON: the whole file has another format, and one error tells more than one for each line. */
export function mustLookLikeJson(path: string, lines: readonly Line[]): void {
  const [first] = lines;
  if (first === undefined || lines.some(isLikeJson)) return;
  if (UTF_16_MARKS.some((mark) => mark.equals(first.bytes.subarray(0, mark.length))))
    throw new OperatorError(`${path} is in UTF-16. Convert it to UTF-8: iconv -f UTF-16 -t UTF-8 ${path}`);
  const text = first.bytes.subarray(0, MAX_SHOWN).toString().trim();
  throw new OperatorError(
    `${path} is not JSON: it begins with ${JSON.stringify(text)}. ` +
      'Expected JSON lines, each a body of POST /events, or a JSON array of them. See `kalends import --help`.',
  );
}

function isLikeJson({ bytes, column, fault }: Line): boolean {
  const isOfArray = column !== undefined || fault !== undefined;
  return isOfArray || JSON_START.test(bytes.subarray(0, MAX_SHOWN).toString('latin1'));
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
