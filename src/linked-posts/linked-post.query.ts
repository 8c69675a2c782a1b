import { cachedQuery } from '../database/cache/read-cache.js';
import type { Sql } from '../database/sql/dialect.js';
import { type IdOrSlug, whereIdOrSlug } from '../kernel/id-or-slug.js';
import { isBeyond, offsetOf, type Page } from '../kernel/pagination.js';
import { allOf, type SqlCondition, condition, isOneOf } from '../kernel/sql-condition.js';
import { sortKey } from '../kernel/text/case-folding.js';
import { joinImage } from '../platform/images/image.columns.js';
import { type Shown, shownColumns } from '../posts/post.columns.js';
import type { LinkedPostRow } from './linked-post.entity.js';
import type { LinkedPostKind } from './linked-post.kind.js';

/** What is searched for: a text, and its pieces, which must occur in one and the same field. */
export interface LinkedPostSearch {
  readonly text: string;
  readonly pieces: readonly string[];
}

interface LinkedPostPage<Row extends LinkedPostRow> {
  readonly rows: readonly Shown<Row>[];
  readonly total: number;
}

/** The records that a condition selects, as they are shown. */
export function findLinkedPosts<Row extends LinkedPostRow>(
  sql: Sql,
  kind: LinkedPostKind,
  { sql: where, params }: SqlCondition,
): Promise<Shown<Row>[]> {
  return sql.query<Shown<Row>>(`${selectShown(kind)} WHERE ${where}`, params);
}

/** What selects records as they are shown, of which a WHERE clause chooses some; `more`: what is selected besides. */
export function selectShown({ table, columns }: LinkedPostKind, ...more: string[]): string {
  const selected = [...shownColumns('p', Object.keys(columns)), ...more];
  return `SELECT ${selected.join(', ')} FROM ${table} p ${joinImage('p')}`;
}

/** The record of an address. */
export async function findLinkedPost<Row extends LinkedPostRow>(
  sql: Sql,
  kind: LinkedPostKind,
  address: IdOrSlug,
): Promise<Shown<Row> | undefined> {
  const [row] = await findLinkedPosts<Row>(sql, kind, whereIdOrSlug(address, 'p.'));
  return row;
}

/** One page of a list: its rows and how many there are in all. */
export async function findLinkedPostPage<Row extends LinkedPostRow>(
  sql: Sql,
  kind: LinkedPostKind,
  where: SqlCondition,
  search: LinkedPostSearch | undefined,
  page: Page,
): Promise<LinkedPostPage<Row>> {
  const pieces = search?.pieces ?? [];
  const found = allOf([where, ...pieces.map((piece) => condition('instr(p.search_text, ?) > 0', piece))]);
  const list = { kind, found, order: linkedPostOrder(search?.text), page };
  // A field holds no line end, nor does a piece: where one piece occurs, it occurs in one field.
  const { rows, total } =
    pieces.length > 1 ? await searchedPage<Row>(sql, list, pieces) : await countedPage<Row>(sql, list);
  return { rows: inLinkedPostOrder(rows, search?.text), total };
}

/** A page to be found: the records of a kind that fulfil a condition, in an order. */
interface List {
  readonly kind: LinkedPostKind;
  readonly found: SqlCondition;
  readonly order: SqlCondition;
  readonly page: Page;
}

/** A page behind the last one reads no rows. */
async function countedPage<Row extends LinkedPostRow>(sql: Sql, list: List): Promise<LinkedPostPage<Row>> {
  const { kind, found, page } = list;
  if (page.number === 1) return firstPage(sql, list);
  const [row] = await cachedQuery<{ total: number }>(
    sql,
    `SELECT count(*) AS total FROM ${kind.table} p WHERE ${found.sql}`,
    found.params,
  );
  const total = Number(row?.total ?? 0);
  if (isBeyond(total, page)) return { rows: [], total };
  return { rows: await findLinkedPosts<Row>(sql, kind, onPage(list)), total };
}

/** Rows and total in one statement: the counting costs less than another round trip. */
async function firstPage<Row extends LinkedPostRow>(sql: Sql, list: List): Promise<LinkedPostPage<Row>> {
  const { kind, found } = list;
  const { sql: where, params } = onPage(list);
  const rows = await sql.query<Shown<Row> & { readonly total: number }>(
    `${selectShown(kind, `(SELECT count(*) FROM ${kind.table} p WHERE ${found.sql}) AS total`)} WHERE ${where}`,
    [...found.params, ...params],
  );
  return { rows, total: Number(rows[0]?.total ?? 0) };
}

/**
 * Several pieces must occur in one and the same field, which SQL cannot tell on every engine: it finds the records that
 * hold all pieces anywhere, the fields are looked at here. The cost is the text of those records, for each page anew;
 * venues and organizers are thousands, not millions.
 */
async function searchedPage<Row extends LinkedPostRow>(
  sql: Sql,
  { kind, found, order, page }: List,
  pieces: readonly string[],
): Promise<LinkedPostPage<Row>> {
  const candidates = await sql.query<{ id: number; search_text: string }>(
    `SELECT p.id, p.search_text FROM ${kind.table} p WHERE ${found.sql} ORDER BY ${order.sql}`,
    [...found.params, ...order.params],
  );
  const holdsAll = (field: string) => pieces.every((piece) => field.includes(piece));
  const ids = candidates.filter(({ search_text }) => search_text.split('\n').some(holdsAll)).map(({ id }) => id);
  const total = ids.length;
  if (total === 0 || isBeyond(total, page)) return { rows: [], total };
  const ofPage = isOneOf('p.id', ids.slice(offsetOf(page), offsetOf(page) + page.size));
  return { rows: await findLinkedPosts<Row>(sql, kind, ofPage), total };
}

/** The ids of a page first: sorting rows with long texts takes some servers a file. */
function onPage({ kind, found, order, page }: List): SqlCondition {
  return condition(
    `p.id IN (SELECT f.id FROM
      (SELECT p.id FROM ${kind.table} p WHERE ${found.sql} ORDER BY ${order.sql} LIMIT ? OFFSET ?) f)`,
    ...found.params,
    ...order.params,
    page.size,
    offsetOf(page),
  );
}

/** What decides the place of a record in a list. */
type Ranked = Pick<LinkedPostRow, 'id' | 'title' | 'date_utc'>;

/** What rows `p` are sorted by: records of the name that is searched for, then the newest (contract 11.1). */
function linkedPostOrder(searched: string | undefined): SqlCondition {
  const newestFirst = 'p.date_utc DESC, p.id DESC';
  if (searched === undefined) return condition(newestFirst);
  return condition(`CASE WHEN p.title_key = ? THEN 0 ELSE 1 END, ${newestFirst}`, sortKey(searched));
}

/** The same order for rows that are read. */
function inLinkedPostOrder<Row extends Ranked>(rows: readonly Row[], searched: string | undefined): Row[] {
  const name = searched === undefined ? undefined : sortKey(searched);
  const rank = (row: Row) => (sortKey(row.title) === name ? 0 : 1);
  return rows.toSorted((a, b) => rank(a) - rank(b) || compare(b.date_utc, a.date_utc) || b.id - a.id);
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
