import type { Dialect, Sql } from './dialect.js';
import type { Doubt } from './doubts.js';

/** Asks the database. `milliseconds`: the clock of this process, since 1970. */
export async function databaseDoubts(
  database: Sql & { readonly dialect: Dialect },
  milliseconds: () => number,
): Promise<Doubt[]> {
  const { dialect } = database;
  const sent = milliseconds();
  const [facts] = await database.query(dialect.selfReport);
  return facts === undefined ? [] : dialect.doubts(facts, { sent, received: milliseconds() });
}
