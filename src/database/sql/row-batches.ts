import type { SqlValue } from './dialect.js';

/** A row to write: values by column. */
export type Row = Record<string, SqlValue>;

/** Engines limit the number of parameters of a statement. */
const MAX_ROWS_PER_STATEMENT = 500;
/** Servers limit the size of a statement. A single row may have more. */
const MAX_CHARACTERS_PER_STATEMENT = 1_000_000;

const PER_STATEMENT = { sizeOf: charactersOf, maxSize: MAX_CHARACTERS_PER_STATEMENT, maxItems: MAX_ROWS_PER_STATEMENT };

/** Splits rows into batches. One statement can write a batch. */
export function batchesOf<Some extends object>(rows: readonly Some[]): Some[][] {
  return splitIntoBatches(rows, PER_STATEMENT);
}

/** Returns the number of characters in the texts of a row. */
export function charactersOf(row: object): number {
  return Object.values(row).reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}

export interface BatchLimits<Item> {
  readonly sizeOf: (item: Item) => number;
  /** Maximum sum of the sizes in a batch. A larger item is a batch of its own. */
  readonly maxSize: number;
  /** Maximum number of items in a batch. */
  readonly maxItems?: number;
}

/** Splits items into batches, in order, each as large as the limits allow. */
export function splitIntoBatches<Item>(
  items: readonly Item[],
  { sizeOf, maxSize, maxItems = Infinity }: BatchLimits<Item>,
): Item[][] {
  const batches: Item[][] = [];
  let total = 0;
  for (const item of items) {
    const size = sizeOf(item);
    const last = batches.at(-1);
    if (last !== undefined && last.length < maxItems && total + size <= maxSize) {
      last.push(item);
      total += size;
    } else {
      batches.push([item]);
      total = size;
    }
  }
  return batches;
}
