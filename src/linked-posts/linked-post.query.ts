import type { Sql } from '../database/dialect.js';
import { recall } from '../database/reading.js';
import { allOf, type Condition, condition, isOneOf } from '../kernel/condition.js';
import { isBeyond, offsetOf, type Page } from '../kernel/page.js';
import type { LinkedPostRow } from './linked-post.entity.js';
import type { LinkedPostKind } from './linked-post.kind.js';

interface LinkedPostPage<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

const NEWEST_FIRST = 'ORDER BY p.date_utc DESC, p.id DESC';

/** One page of a list: its rows and how many there are in all. */
export async function findLinkedPostPage<Row extends LinkedPostRow>(
  sql: Sql,
  { table }: LinkedPostKind,
  where: Condition,
  pieces: readonly string[],
  page: Page,
): Promise<LinkedPostPage<Row>> {
  const found = allOf([where, ...pieces.map((piece) => condition('instr(p.search_text, ?) > 0', piece))]);
  // A field holds no line end, nor does a piece: where one piece occurs, it occurs in one field.
  return pieces.length > 1 ? searchedPage(sql, table, found, pieces, page) : countedPage(sql, table, found, page);
}

async function countedPage<Row>(sql: Sql, table: string, where: Condition, page: Page): Promise<LinkedPostPage<Row>> {
  const [row] = await recall<{ total: number }>(
    sql,
    `SELECT count(*) AS total FROM ${table} p WHERE ${where.sql}`,
    where.params,
  );
  const total = Number(row?.total ?? 0);
  if (total === 0 || isBeyond(total, page)) return { rows: [], total };
  const rows = await sql.query<Row>(`SELECT p.* FROM ${table} p WHERE ${where.sql} ${NEWEST_FIRST} LIMIT ? OFFSET ?`, [
    ...where.params,
    page.size,
    offsetOf(page),
  ]);
  return { rows, total };
}

/**
 * Several pieces must occur in one and the same field, which SQL cannot tell on every engine: it finds the records that
 * hold all pieces anywhere, the fields are looked at here. The cost is the text of those records, for each page anew;
 * venues and organizers are thousands, not millions.
 */
async function searchedPage<Row>(
  sql: Sql,
  table: string,
  where: Condition,
  pieces: readonly string[],
  page: Page,
): Promise<LinkedPostPage<Row>> {
  const candidates = await sql.query<{ id: number; search_text: string }>(
    `SELECT p.id, p.search_text FROM ${table} p WHERE ${where.sql} ${NEWEST_FIRST}`,
    where.params,
  );
  const holdsAll = (field: string) => pieces.every((piece) => field.includes(piece));
  const ids = candidates.filter(({ search_text }) => search_text.split('\n').some(holdsAll)).map(({ id }) => id);
  const total = ids.length;
  if (total === 0 || isBeyond(total, page)) return { rows: [], total };
  const ofPage = isOneOf('p.id', ids.slice(offsetOf(page), offsetOf(page) + page.size));
  const rows = await sql.query<Row>(`SELECT p.* FROM ${table} p WHERE ${ofPage.sql} ${NEWEST_FIRST}`, ofPage.params);
  return { rows, total };
}
