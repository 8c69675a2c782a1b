import { partsWithin } from '../kernel/parts.js';
import type { SqlValue } from './dialect.js';

/** A row to be written, by column. */
export type Row = Record<string, SqlValue>;

/** Few enough for the number of parameters that a statement may have. */
const ROWS_A_STATEMENT = 500;
/** Little enough for the size that a statement may have; a single row may have more. */
const CHARACTERS_A_STATEMENT = 1_000_000;

const A_STATEMENT = { sizeOf: charactersOf, largest: CHARACTERS_A_STATEMENT, most: ROWS_A_STATEMENT };

/** Rows in parts, each of which is written with one statement. */
export function partsOf<Some extends object>(rows: readonly Some[]): Some[][] {
  return partsWithin(rows, A_STATEMENT);
}

/** How many characters the texts of a row have. */
export function charactersOf(row: object): number {
  return Object.values(row).reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}
