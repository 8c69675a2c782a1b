import type { AudienceChange, ChangePosition } from '../database/cache/recent-changes.js';
import { type ChangeType, typeOfChange } from '../database/cache/change-types.js';

/** A change to report: of the last row of its record up to the end of the page. */
export interface ReportedChange {
  readonly type: ChangeType;
  readonly id: number;
  readonly changedUtc: string;
}

/** The changes of one answer. */
export interface ChangePage {
  readonly changes: readonly ReportedChange[];
  /** Behind the last change. undefined: there was none. */
  readonly end: ChangePosition | undefined;
  readonly hasMore: boolean;
  /** When the first change behind the end was made, if that is known. */
  readonly nextMadeUtc?: string;
}

/** Rows of the change record in its order, and whether there are no further ones. */
interface FoundRows {
  readonly rows: readonly AudienceChange[];
  readonly isComplete: boolean;
}

/**
 * Returns the first `count` changed records of these types, each once, at the place of its last change (changes rule 2).
 * A commit is cut only if it has more than `count`. Rows of other types move the end only if there is nothing else.
 */
export function pageOfChanges(
  { rows, isComplete }: FoundRows,
  types: readonly ChangeType[],
  count: number,
): ChangePage {
  const relevant = rows.filter((row) => types.includes(typeOfChange(row)!));
  const last = rows.at(-1);
  if (relevant.length === 0) {
    if (isComplete || last === undefined) return { changes: [], end: undefined, hasMore: false };
    return { changes: [], end: positionOf(last), hasMore: true, nextMadeUtc: last.made_utc };
  }
  const taken = lengthOfPage(relevant, isComplete, count);
  const changes = new Map<string, ReportedChange>();
  for (const row of relevant.slice(0, taken)) {
    const key = keyOf(row);
    // Deleting moves the record to the place of this row.
    changes.delete(key);
    changes.set(key, { type: typeOfChange(row)!, id: row.record_id, changedUtc: row.made_utc });
  }
  return {
    changes: [...changes.values()],
    end: positionOf(relevant[taken - 1]!),
    hasMore: taken < relevant.length || !isComplete,
    nextMadeUtc: (relevant[taken] ?? last)?.made_utc,
  };
}

/** Returns how many rows make a page: whole commits, or a part of the first one. */
function lengthOfPage(rows: readonly AudienceChange[], isComplete: boolean, count: number): number {
  const keys = new Set<string>();
  let wholeCommits = 0;
  for (const [index, row] of rows.entries()) {
    if (index > 0 && row.seq !== rows[index - 1]!.seq) wholeCommits = index;
    keys.add(keyOf(row));
    if (keys.size > count) return wholeCommits || index;
  }
  // The last commit may have further rows.
  return isComplete ? rows.length : wholeCommits || rows.length;
}

function keyOf({ kind, record_id }: AudienceChange): string {
  return `${kind.split('.', 1)[0]} ${record_id}`;
}

function positionOf({ seq, id }: AudienceChange): ChangePosition {
  return { seq, id };
}
