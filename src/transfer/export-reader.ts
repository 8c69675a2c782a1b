import { parseJsonBody } from '../platform/http/json-body.js';
import type { Line } from './importer.js';

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
