import type { Condition } from '../kernel/condition.js';
import type { Sql, SqlValue } from './dialect.js';

/** A look-up of a few columns, which are numbers or texts: engines give each column of a common answer one type. */
export interface LookUp {
  readonly numbers: readonly string[];
  readonly texts: readonly string[];
  /** A table and which of its rows: `venues WHERE id = ?`. */
  readonly from: Condition;
}

/** Few enough for the number of parameters that a statement may have. */
const PARAMS_A_STATEMENT = 20_000;

/** The rows of each look-up, in order: of different tables, and yet with one statement where that is not too large. */
export async function lookUp(sql: Sql, wanted: readonly LookUp[]): Promise<Record<string, SqlValue>[][]> {
  const found: Record<string, SqlValue>[][] = wanted.map(() => []);
  for (const part of partsOf(wanted.map((one, place) => ({ ...one, place })))) {
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

function partsOf(wanted: readonly Placed[]): Placed[][] {
  const parts: Placed[][] = [];
  let size = 0;
  for (const one of wanted) {
    size += one.from.params.length;
    const last = parts.at(-1);
    if (last !== undefined && size <= PARAMS_A_STATEMENT) last.push(one);
    else {
      parts.push([one]);
      size = one.from.params.length;
    }
  }
  return parts;
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
