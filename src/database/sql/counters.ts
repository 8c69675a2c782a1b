import type { SqlValue } from './dialect.js';
import type { Row } from './row-batches.js';

/** A table of event counts by a key. */
export interface Counter {
  readonly table: string;
  /** The columns of its primary key. */
  readonly key: readonly string[];
}

/** The column of the count in every counter table. */
export const COUNT_COLUMN = 'event_count';

/** Changes of counters by one transaction. Collected while it runs, written at its end. */
export class CounterChanges {
  private readonly sums = new Map<Counter, Map<string, { row: Row; by: number }>>();

  /** Adds `by` to a count. `key` has a value for each column of the counter's key. */
  add(counter: Counter, key: readonly SqlValue[], by: number): void {
    const sums = this.sums.get(counter) ?? new Map<string, { row: Row; by: number }>();
    this.sums.set(counter, sums);
    const row = Object.fromEntries(counter.key.map((column, index) => [column, key[index] ?? null]));
    const text = JSON.stringify(key);
    sums.set(text, { row, by: (sums.get(text)?.by ?? 0) + by });
  }

  /** Returns the sum added to one count so far. */
  of(counter: Counter, key: readonly SqlValue[]): number {
    return this.sums.get(counter)?.get(JSON.stringify(key))?.by ?? 0;
  }

  /**
   * Returns the rows to add, without sums of 0. All transactions use the same order, so that they do not deadlock.
   */
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
