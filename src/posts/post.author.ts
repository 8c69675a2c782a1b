import type { Sql } from '../database/sql/dialect.js';
import { type LookupQuery, batchedLookup } from '../database/sql/batched-lookup.js';
import { POST_TABLES, TABLES } from '../database/sql/tables.js';
import { condition, isOneOf } from '../kernel/sql-condition.js';
import type { Problems } from '../errors/problems.js';
import type { PostDto } from './post.dto.js';

/** Returns the valid authors of writes: users, and former users who are still authors of a record. */
export async function findAuthors(sql: Sql, dtos: readonly PostDto[]): Promise<ReadonlySet<number>> {
  return authorsIn(sql, await batchedLookup(sql, authorLookupQueries(dtos)), dtos);
}

/** Returns the queries that find the authors who are users. */
export function authorLookupQueries(dtos: readonly PostDto[]): LookupQuery[] {
  const ids = authorsOf(dtos);
  if (ids.length === 0) return [];
  const { sql, params } = isOneOf('id', ids);
  return [{ numbers: ['id'], texts: [], from: condition(`${TABLES.users} WHERE ${sql}`, ...params) }];
}

/** Returns the users found by `authorLookupQueries`, and former users who are still authors. */
export async function authorsIn(
  sql: Sql,
  users: readonly (readonly object[])[],
  dtos: readonly PostDto[],
): Promise<ReadonlySet<number>> {
  const found = new Set((users.flat() as { readonly id: number }[]).map(({ id }) => id));
  for (const id of authorsOf(dtos)) if (!found.has(id) && (await isFormerUser(sql, id))) found.add(id);
  return found;
}

function authorsOf(dtos: readonly PostDto[]): number[] {
  return [...new Set(dtos.map(({ author }) => author).filter((author) => author !== undefined))];
}

/** Reports an unknown author (contract 10.4). */
export function checkAuthor({ author }: PostDto, known: ReadonlySet<number>, problems: Problems): void {
  if (author !== undefined && !known.has(author)) problems.addUnknown('author', [author]);
}

/** contract GEN-27: clients can send a record back as they read it, even if its author's user was deleted. */
async function isFormerUser(sql: Sql, id: number): Promise<boolean> {
  const exists = POST_TABLES.map((table) => `EXISTS (SELECT id FROM ${table} WHERE author_id = ?)`);
  const [{ found } = { found: 0 }] = await sql.query<{ found: number }>(
    `SELECT ${exists.join(' OR ')} AS found`,
    POST_TABLES.map(() => id),
  );
  return Number(found) === 1;
}
