import type { SqlValue } from './dialect.js';

/** A row to be written, by column. */
export type Row = Record<string, SqlValue>;

/** Few enough for the number of parameters that a statement may have. */
const ROWS_A_STATEMENT = 500;
/** Little enough for the size that a statement may have; a single row may have more. */
const CHARACTERS_A_STATEMENT = 1_000_000;

const A_STATEMENT = { sizeOf: charactersOf, largest: CHARACTERS_A_STATEMENT, most: ROWS_A_STATEMENT };

/** Rows in parts, each of which is written with one statement. */
export function batchesOf<Some extends object>(rows: readonly Some[]): Some[][] {
  return partsWithin(rows, A_STATEMENT);
}

/** How many characters the texts of a row have. */
export function charactersOf(row: object): number {
  return Object.values(row).reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}

export interface PartBounds<Item> {
  readonly sizeOf: (item: Item) => number;
  /** The most that the sizes of a part may add up to; an item larger than that is a part of its own. */
  readonly largest: number;
  /** How many items a part may have. */
  readonly most?: number;
}

/** The items in parts, in order, each as long as the bounds allow. */
export function partsWithin<Item>(
  items: readonly Item[],
  { sizeOf, largest, most = Infinity }: PartBounds<Item>,
): Item[][] {
  const parts: Item[][] = [];
  let total = 0;
  for (const item of items) {
    const size = sizeOf(item);
    const last = parts.at(-1);
    if (last !== undefined && last.length < most && total + size <= largest) {
      last.push(item);
      total += size;
    } else {
      parts.push([item]);
      total = size;
    }
  }
  return parts;
}
