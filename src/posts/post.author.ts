import type { Sql } from '../database/dialect.js';
import { POST_TABLES, TABLES } from '../database/tables.js';
import { isOneOf } from '../kernel/condition.js';
import type { Problems } from '../platform/errors/problems.js';
import type { PostDto } from './post.dto.js';

/** The authors of some writes that exist: users, and who was one. */
export async function findAuthors(sql: Sql, dtos: readonly PostDto[]): Promise<ReadonlySet<number>> {
  const ids = [...new Set(dtos.map(({ author }) => author).filter((author) => author !== undefined))];
  if (ids.length === 0) return new Set();
  const where = isOneOf('id', ids);
  const users = await sql.query<{ id: number }>(`SELECT id FROM ${TABLES.users} WHERE ${where.sql}`, where.params);
  const found = new Set(users.map(({ id }) => id));
  for (const id of ids) if (!found.has(id) && (await wasUser(sql, id))) found.add(id);
  return found;
}

/** Refuses an author who does not exist (contract 10.4). */
export function checkAuthor({ author }: PostDto, known: ReadonlySet<number>, problems: Problems): void {
  if (author !== undefined && !known.has(author)) problems.addUnknown('author', [author]);
}

/** contract GEN-27: what was read can be sent back, also when its author is no user any more but still of something. */
async function wasUser(sql: Sql, id: number): Promise<boolean> {
  const exists = POST_TABLES.map((table) => `EXISTS (SELECT id FROM ${table} WHERE author_id = ?)`);
  const [{ found } = { found: 0 }] = await sql.query<{ found: number }>(
    `SELECT ${exists.join(' OR ')} AS found`,
    POST_TABLES.map(() => id),
  );
  return Number(found) === 1;
}
