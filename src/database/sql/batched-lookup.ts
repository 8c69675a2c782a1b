import type { SqlCondition } from '../../kernel/sql-condition.js';
import { splitIntoBatches } from './row-batches.js';
import type { Sql, SqlValue } from './dialect.js';

/** A query of a few columns. Numbers and texts are apart, because each column of a UNION has one type. */
export interface LookupQuery {
  readonly numbers: readonly string[];
  readonly texts: readonly string[];
  /** A table and its condition: `venues WHERE id = ?`. */
  readonly from: SqlCondition;
}

/** Parameters per statement, because engines limit them: SQLite to 32,766. */
const PER_STATEMENT = { sizeOf: ({ from }: LookupQuery) => from.params.length, maxSize: 20_000 };

/** Returns the rows of each query, in order. Sends queries of different tables as one UNION unless it would be too large. */
export async function batchedLookup(sql: Sql, queries: readonly LookupQuery[]): Promise<Record<string, SqlValue>[][]> {
  const found: Record<string, SqlValue>[][] = queries.map(() => []);
  for (const batch of splitIntoBatches(queries.map(withNumber), PER_STATEMENT)) {
    const maxColumns = (kind: 'numbers' | 'texts') => Math.max(...batch.map((query) => query[kind].length));
    const selects = batch.map((query) => selectOf(query, maxColumns('numbers'), maxColumns('texts')));
    const rows = await sql.query<Record<string, SqlValue>>(
      selects.join(' UNION ALL '),
      batch.flatMap(({ from }) => from.params),
    );
    for (const row of rows) {
      const number = Number(row.query_number);
      found[number]?.push(withColumnNames(row, queries[number]!));
    }
  }
  return found;
}

type NumberedQuery = LookupQuery & { readonly number: number };

function withNumber(query: LookupQuery, number: number): NumberedQuery {
  return { ...query, number };
}

/** All SELECTs of a UNION have the same number of columns, so a query with fewer selects NULL. */
function selectOf({ number, numbers, texts, from }: NumberedQuery, maxNumbers: number, maxTexts: number): string {
  const columns = (names: readonly string[], letter: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${names[index] ?? 'NULL'} AS ${letter}${index}`);
  const selected = [
    `${number} AS query_number`,
    ...columns(numbers, 'n', maxNumbers),
    ...columns(texts, 't', maxTexts),
  ];
  return `SELECT ${selected.join(', ')} FROM ${from.sql}`;
}

function withColumnNames(row: Record<string, SqlValue>, { numbers, texts }: LookupQuery): Record<string, SqlValue> {
  const numberOf = (value: SqlValue = null) => (value === null ? null : Number(value));
  return Object.fromEntries([
    ...numbers.map((name, index) => [name, numberOf(row[`n${index}`])] as const),
    ...texts.map((name, index) => [name, row[`t${index}`] ?? null] as const),
  ]);
}
