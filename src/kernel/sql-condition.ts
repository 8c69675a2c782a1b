type Value = string | number | null | Uint8Array;

/** A part of a WHERE clause with the values of its `?` placeholders. */
export interface SqlCondition {
  readonly sql: string;
  readonly params: readonly Value[];
}

export const ALWAYS: SqlCondition = { sql: '1 = 1', params: [] };
export const NEVER: SqlCondition = { sql: '1 = 0', params: [] };

export function condition(sql: string, ...params: Value[]): SqlCondition {
  return { sql, params };
}

export function allOf(conditions: readonly SqlCondition[]): SqlCondition {
  return join(conditions, ' AND ', ALWAYS);
}

export function anyOf(conditions: readonly SqlCondition[]): SqlCondition {
  return join(conditions, ' OR ', NEVER);
}

export function not({ sql, params }: SqlCondition): SqlCondition {
  return { sql: `NOT (${sql})`, params };
}

/** Returns `column IN (…)`, or a condition that is never true for an empty list. */
export function isOneOf(column: string, values: readonly (string | number)[]): SqlCondition {
  if (values.length === 0) return NEVER;
  // Databases limit the number of parameters. Integers are safe to write into the SQL text.
  if (values.length > MAX_PARAMETERS && values.every((value) => Number.isSafeInteger(value))) {
    return { sql: `${column} IN (${values.join(', ')})`, params: [] };
  }
  return { sql: `${column} IN (${values.map(() => '?').join(', ')})`, params: values };
}

/** Parameters per list. MySQL allows 65,535 in a statement, SQLite 32,766. */
const MAX_PARAMETERS = 1000;

function join(conditions: readonly SqlCondition[], word: string, whenEmpty: SqlCondition): SqlCondition {
  if (conditions.length === 0) return whenEmpty;
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(word)})`,
    params: conditions.flatMap(({ params }) => params),
  };
}
