import type { SqlValue } from './dialect.js';
import type { Row } from './row-batches.js';

/** A statement, and the values of its placeholders. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** Returns the INSERT of rows with the same columns. */
export function insertOf(table: string, rows: readonly Row[]): Statement {
  const columns = Object.keys(rows[0] ?? {});
  const placeholders = `(${columns.map(() => '?').join(', ')})`;
  return {
    sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => placeholders).join(', ')}`,
    params: rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
  };
}

/** Returns the UPDATE of columns of the row with an id. */
export function updateOf(table: string, id: number, values: object): Statement {
  const assignments = Object.keys(values).map((column) => `${column} = ?`);
  return {
    sql: `UPDATE ${table} SET ${assignments.join(', ')} WHERE id = ?`,
    params: [...(Object.values(values) as SqlValue[]), id],
  };
}
