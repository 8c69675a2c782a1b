import type { RecordCache } from '../../database/cache/record-cache.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';

/** A record that a fragment was made of. null: there is none with this id. */
export interface Source {
  /** The name of its cache (record-cache.ts). */
  readonly table: string;
  readonly id: number;
  readonly record: object | null;
}

/** The terms of an event at their place in its JSON. */
export interface TermsHole {
  readonly termIds: readonly number[];
}

/** The JSON of an event, without its terms, whose counts change with other events. */
export interface Fragment {
  /** The row of the event. */
  readonly row: object;
  readonly sources: readonly Source[];
  /** From this time, and until the other one, the same records are public. */
  readonly from: UtcTime;
  readonly until: UtcTime;
  readonly parts: readonly (string | TermsHole)[];
  /** The time of the latest change of the event or of a record linked to it. */
  readonly modifiedUtc: UtcTime;
  /** The JSON with terms as they were last. */
  text: string;
  /** Differs between all texts of the process. */
  serial: number;
  /** Their numbers of public events, in the order of `parts`. */
  counts: readonly number[];
}

/** Whether a fragment is what would be made now: of the same records, at a time at which the same are public. */
export function isCurrent({ from, until, sources }: Fragment, records: RecordCache, nowUtc: UtcTime): boolean {
  if (nowUtc < from || nowUtc >= until) return false;
  for (const { table, id, record } of sources) if (records.get(table, id) !== record) return false;
  return true;
}

/** Sorts before and after every stored time. */
const [ALWAYS_BEFORE, ALWAYS_AFTER] = ['', '~'];

/** Returns the span around `nowUtc` in which none of the records becomes public. */
export function spanWithoutMoment(
  moments: readonly (UtcTime | null)[],
  nowUtc: UtcTime,
): { readonly from: UtcTime; readonly until: UtcTime } {
  let [from, until] = [ALWAYS_BEFORE, ALWAYS_AFTER];
  for (const moment of moments) {
    if (moment === null) continue;
    if (moment <= nowUtc) from = moment > from ? moment : from;
    else until = moment < until ? moment : until;
  }
  return { from, until };
}

/** Returns the JSON of an object in parts: text, and a hole for each member of these names. */
export function partsOf(body: object, holes: Readonly<Record<string, TermsHole>>): readonly (string | TermsHole)[] {
  const parts: (string | TermsHole)[] = [];
  let text = '{';
  for (const [name, value] of Object.entries(body) as [string, unknown][]) {
    if (value === undefined) continue;
    text += `${text.endsWith('{') && parts.length === 0 ? '' : ','}${JSON.stringify(name)}:`;
    const hole = holes[name];
    if (hole === undefined) text += JSON.stringify(value);
    else {
      parts.push(text, hole);
      text = '';
    }
  }
  return [...parts, `${text}}`];
}

/** Fills the holes of parts with the JSON of their terms. */
export function filledText(parts: Fragment['parts'], textOf: (termId: number) => string): string {
  return parts.map((part) => (typeof part === 'string' ? part : `[${part.termIds.map(textOf).join(',')}]`)).join('');
}
