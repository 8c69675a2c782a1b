import type { Sql } from '../database/dialect.js';
import { TABLES } from '../database/tables.js';
import type { Problems } from '../platform/errors/problems.js';
import type { PostDto } from './post.dto.js';

/** Where a removed user may still be the author of something. */
const RECORDS = [TABLES.events, TABLES.venues, TABLES.organizers];

/** Refuses an author who does not exist (contract 10.4). */
export async function checkAuthor(sql: Sql, { author }: PostDto, problems: Problems): Promise<void> {
  if (author === undefined || (await isUser(sql, author)) || (await wasUser(sql, author))) return;
  problems.addUnknown('author', [author]);
}

async function isUser(sql: Sql, id: number): Promise<boolean> {
  return (await sql.query(`SELECT id FROM ${TABLES.users} WHERE id = ?`, [id])).length > 0;
}

/** contract GEN-27: what was read can be sent back, also when its author is no user any more. */
async function wasUser(sql: Sql, id: number): Promise<boolean> {
  const exists = RECORDS.map((table) => `EXISTS (SELECT id FROM ${table} WHERE author_id = ?)`);
  const [{ found } = { found: 0 }] = await sql.query<{ found: number }>(
    `SELECT ${exists.join(' OR ')} AS found`,
    RECORDS.map(() => id),
  );
  return Number(found) === 1;
}
