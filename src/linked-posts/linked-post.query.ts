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

/** A search: the text, and its words and phrases. All of these must occur in the same field. */
export interface LinkedPostSearch {
  readonly text: string;
  readonly pieces: readonly string[];
}

interface LinkedPostPage<Row extends LinkedPostRow> {
  readonly rows: readonly Shown<Row>[];
  readonly total: number;
}

/** Returns the records that match a condition. */
export function findLinkedPosts<Row extends LinkedPostRow>(
  sql: Sql,
  kind: LinkedPostKind,
  { sql: where, params }: SqlCondition,
): Promise<Shown<Row>[]> {
  return sql.query<Shown<Row>>(`${selectShown(kind)} WHERE ${where}`, params);
}

/** Returns the SELECT of records, to which callers add a WHERE clause. `more`: further columns. */
export function selectShown({ table, columns }: LinkedPostKind, ...more: string[]): string {
  const selected = [...shownColumns('p', Object.keys(columns)), ...more];
  return `SELECT ${selected.join(', ')} FROM ${table} p ${joinImage('p')}`;
}

/** Returns the record with an id or slug. */
export async function findLinkedPost<Row extends LinkedPostRow>(
  sql: Sql,
  kind: LinkedPostKind,
  idOrSlug: IdOrSlug,
): Promise<Shown<Row> | undefined> {
  const [row] = await findLinkedPosts<Row>(sql, kind, whereIdOrSlug(idOrSlug, 'p.'));
  return row;
}

/** Returns the rows of one page of a list, and the total. */
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
  // A single piece cannot span two fields, because fields are separated by line ends and pieces contain none.
  const { rows, total } =
    pieces.length > 1 ? await searchedPage<Row>(sql, list, pieces) : await countedPage<Row>(sql, list);
  return { rows: inLinkedPostOrder(rows, search?.text), total };
}

/** The parameters of a page: records of a kind that match a condition, in an order. */
interface List {
  readonly kind: LinkedPostKind;
  readonly found: SqlCondition;
  readonly order: SqlCondition;
  readonly page: Page;
}

/** Counts first, so that a page after the last one reads no rows. */
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

/** Reads rows and total in one statement, because the count costs less than another round trip. */
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
 * Finds records with all pieces in the same field. SQL finds those with the pieces in any field, because engines differ in
 * splitting texts. This function checks the fields. Each page reads the texts of all these records, which is acceptable
 * for thousands of venues and organizers.
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
  const hasAll = (field: string) => pieces.every((piece) => field.includes(piece));
  const ids = candidates.filter(({ search_text }) => search_text.split('\n').some(hasAll)).map(({ id }) => id);
  const total = ids.length;
  if (total === 0 || isBeyond(total, page)) return { rows: [], total };
  const ofPage = isOneOf('p.id', ids.slice(offsetOf(page), offsetOf(page) + page.size));
  return { rows: await findLinkedPosts<Row>(sql, kind, ofPage), total };
}

/** Selects the ids of a page first, because some servers write a temporary file to sort rows with long texts. */
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

/** The columns that determine the order of a list. */
type Ranked = Pick<LinkedPostRow, 'id' | 'title' | 'date_utc'>;

/** Returns the ORDER BY of `p`: records whose name equals the search first, then the newest (contract 11.1). */
function linkedPostOrder(searched: string | undefined): SqlCondition {
  const newestFirst = 'p.date_utc DESC, p.id DESC';
  if (searched === undefined) return condition(newestFirst);
  return condition(`CASE WHEN p.title_key = ? THEN 0 ELSE 1 END, ${newestFirst}`, sortKey(searched));
}

/** Sorts rows in the same order. */
function inLinkedPostOrder<Row extends Ranked>(rows: readonly Row[], searched: string | undefined): Row[] {
  const name = searched === undefined ? undefined : sortKey(searched);
  const rank = (row: Row) => (sortKey(row.title) === name ? 0 : 1);
  return rows.toSorted((a, b) => rank(a) - rank(b) || compare(b.date_utc, a.date_utc) || b.id - a.id);
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
