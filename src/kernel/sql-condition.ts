type Value = string | number | null | Uint8Array;

/** A piece of a WHERE clause with the values of its `?` places. */
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

/** `column IN (…)`; of an empty list nothing is a member. */
export function isOneOf(column: string, values: readonly (string | number)[]): SqlCondition {
  if (values.length === 0) return NEVER;
  // Statements have a limit of parameters; ids are safe to be written out.
  if (values.length > MOST_PARAMETERS && values.every((value) => Number.isSafeInteger(value))) {
    return { sql: `${column} IN (${values.join(', ')})`, params: [] };
  }
  return { sql: `${column} IN (${values.map(() => '?').join(', ')})`, params: values };
}

const MOST_PARAMETERS = 1000;

function join(conditions: readonly SqlCondition[], word: string, whenEmpty: SqlCondition): SqlCondition {
  if (conditions.length === 0) return whenEmpty;
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(word)})`,
    params: conditions.flatMap(({ params }) => params),
  };
}
