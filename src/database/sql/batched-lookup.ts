import type { SqlCondition } from '../../kernel/sql-condition.js';
import { partsWithin } from './row-batches.js';
import type { Sql, SqlValue } from './dialect.js';

/** A look-up of a few columns, which are numbers or texts: engines give each column of a common answer one type. */
export interface LookUp {
  readonly numbers: readonly string[];
  readonly texts: readonly string[];
  /** A table and which of its rows: `venues WHERE id = ?`. */
  readonly from: SqlCondition;
}

/** Few enough for the number of parameters that a statement may have. */
const A_STATEMENT = { sizeOf: ({ from }: LookUp) => from.params.length, largest: 20_000 };

/** The rows of each look-up, in order: of different tables, and yet with one statement where that is not too large. */
export async function lookUp(sql: Sql, wanted: readonly LookUp[]): Promise<Record<string, SqlValue>[][]> {
  const found: Record<string, SqlValue>[][] = wanted.map(() => []);
  for (const part of partsWithin(wanted.map(placed), A_STATEMENT)) {
    const most = (kind: 'numbers' | 'texts') => Math.max(...part.map((one) => one[kind].length));
    const selects = part.map((one) => selectOf(one, most('numbers'), most('texts')));
    const rows = await sql.query<Record<string, SqlValue>>(
      selects.join(' UNION ALL '),
      part.flatMap(({ from }) => from.params),
    );
    for (const row of rows) {
      const place = Number(row.place);
      found[place]?.push(named(row, wanted[place]!));
    }
  }
  return found;
}

type Placed = LookUp & { readonly place: number };

function placed(one: LookUp, place: number): Placed {
  return { ...one, place };
}

function selectOf({ place, numbers, texts, from }: Placed, mostNumbers: number, mostTexts: number): string {
  const columns = (names: readonly string[], letter: string, most: number) =>
    Array.from({ length: most }, (_, index) => `${names[index] ?? 'NULL'} AS ${letter}${index}`);
  const selected = [`${place} AS place`, ...columns(numbers, 'n', mostNumbers), ...columns(texts, 't', mostTexts)];
  return `SELECT ${selected.join(', ')} FROM ${from.sql}`;
}

function named(row: Record<string, SqlValue>, { numbers, texts }: LookUp): Record<string, SqlValue> {
  const numberOf = (value: SqlValue = null) => (value === null ? null : Number(value));
  return Object.fromEntries([
    ...numbers.map((name, index) => [name, numberOf(row[`n${index}`])] as const),
    ...texts.map((name, index) => [name, row[`t${index}`] ?? null] as const),
  ]);
}
