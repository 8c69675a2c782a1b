import type { FoundRecord } from './responses/record-reply.js';

/** The records of one collection that its list shows to a caller, in the form of the list: for programs that keep a copy. */
export interface ShownRecords {
  /** Returns those of these records that the list shows. */
  among(ids: readonly number[]): Promise<readonly FoundRecord[]>;
  /** Returns the first `count` records with higher ids than `id`, by id. */
  after(id: number, count: number): Promise<RecordRun>;
}

/** Records by id, without a gap. */
export interface RecordRun {
  readonly records: readonly FoundRecord[];
  /** The id up to which nothing is missing. undefined: there are no further records. */
  readonly next: number | undefined;
}

/** Returns `count` of the records found behind an id. One more of them tells that there are further ones. */
export function runOf(found: readonly FoundRecord[], id: number, count: number): RecordRun {
  const records = found.slice(0, count);
  return { records, next: found.length > count ? (records.at(-1)?.body.id ?? id) : undefined };
}
