import type { SqlValue } from './dialect.js';
import type { Row } from './row-batches.js';

/** A table that holds, by a key, how many events there are of some kind. */
export interface Counter {
  readonly table: string;
  /** The columns of its primary key. */
  readonly key: readonly string[];
}

/** In every table of a counter. */
export const COUNT_COLUMN = 'event_count';

/** What one transaction adds to counters: collected while it runs, written at its end. */
export class CounterChanges {
  private readonly sums = new Map<Counter, Map<string, { row: Row; by: number }>>();

  /** `key`: a value for each column of the counter's key. */
  add(counter: Counter, key: readonly SqlValue[], by: number): void {
    const sums = this.sums.get(counter) ?? new Map<string, { row: Row; by: number }>();
    this.sums.set(counter, sums);
    const row = Object.fromEntries(counter.key.map((column, index) => [column, key[index] ?? null]));
    const text = JSON.stringify(key);
    sums.set(text, { row, by: (sums.get(text)?.by ?? 0) + by });
  }

  /** What was added to one count so far. */
  of(counter: Counter, key: readonly SqlValue[]): number {
    return this.sums.get(counter)?.get(JSON.stringify(key))?.by ?? 0;
  }

  /** The rows to be added, in one order for all transactions; what cancels out is none. */
  changed(): (readonly [Counter, Row[]])[] {
    return [...this.sums]
      .map(([counter, sums]) => [counter, rowsOf(sums)] as const)
      .filter(([, rows]) => rows.length > 0);
  }
}

function rowsOf(sums: ReadonlyMap<string, { readonly row: Row; readonly by: number }>): Row[] {
  return [...sums]
    .filter(([, { by }]) => by !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { row, by }]) => ({ ...row, [COUNT_COLUMN]: by }));
}
