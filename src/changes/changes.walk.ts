import type { FoundRecord } from '../platform/http/responses/record-reply.js';
import type { ShownRecords } from '../platform/http/shown-records.js';
import type { WalkPlace } from '../database/cache/change-token.js';
import type { ChangeType } from '../database/cache/change-types.js';

/** The records that the caller's lists show, by type. */
export type Sources = Readonly<Record<ChangeType, ShownRecords>>;

/** A record of a first fill. */
interface WalkedRecord {
  readonly type: ChangeType;
  readonly record: FoundRecord;
}

/** The records of one answer. */
interface WalkStep {
  readonly records: readonly WalkedRecord[];
  /** Where the next answer begins. undefined: the first fill is complete. */
  readonly next: WalkPlace | undefined;
}

/** Returns the next `count` records of a first fill: type by type, each by id (changes rule 1). */
export async function walk(
  sources: Sources,
  types: readonly ChangeType[],
  place: WalkPlace | undefined,
  count: number,
): Promise<WalkStep> {
  const records: WalkedRecord[] = [];
  const first = place === undefined ? 0 : types.indexOf(place.type);
  for (const type of types.slice(first)) {
    const afterId = type === place?.type ? place.afterId : 0;
    const run = await sources[type].after(afterId, count - records.length);
    records.push(...run.records.map((record) => ({ type, record })));
    if (run.next !== undefined) return { records, next: { type, afterId: run.next } };
  }
  return { records, next: undefined };
}
