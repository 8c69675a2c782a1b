import { type Address, addressed } from '../kernel/address.js';
import type { Sql } from '../database/dialect.js';
import type { Transaction } from '../database/transaction.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { PostRow } from './post.entity.js';
import type { PostKind } from './post.kind.js';
import { reserveSlug } from './post.slug.js';

/** The row of an address. */
export async function findPost<Row extends PostRow>(
  sql: Sql,
  { table }: PostKind,
  address: Address,
): Promise<Row | undefined> {
  return select(sql, table, address, '');
}

/** The same row, held until the transaction ends: what is decided by it stays true. */
export async function lockPost<Row extends PostRow>(
  tx: Transaction,
  { table }: PostKind,
  address: Address,
): Promise<Row | undefined> {
  return select(tx, table, address, tx.dialect.forUpdate);
}

/** Inserts a record under the first free slug like the wanted one; of no slug at all its id becomes one (contract section 3). */
export async function insertPost(
  tx: Transaction,
  kind: PostKind,
  row: Omit<PostRow, 'id'>,
  context: RequestContext,
): Promise<number> {
  const wanted = row.slug;
  // Until the id is known, a slug that no name can make holds the place.
  const id =
    wanted === ''
      ? await tx.insert(kind.table, { ...row, slug: `?${context.nowUtc}${Math.random()}` })
      : await insertUnderFreeSlug(tx, kind.table, row);
  if (wanted === '') await tx.update(kind.table, id, { slug: await reserveSlug(tx, kind.table, String(id), id) });
  tx.note(`${kind.noun}.created`, id, context.caller.userId);
  return id;
}

/** Writes the changed columns, if there are any, as one more revision. */
export async function updatePost(
  tx: Transaction,
  kind: PostKind,
  row: PostRow,
  changes: object,
  { caller, nowUtc }: RequestContext,
  change = 'updated',
): Promise<void> {
  await tx.update(kind.table, row.id, { ...changes, modified_utc: nowUtc, revision: row.revision + 1 });
  tx.note(`${kind.noun}.${change}`, row.id, caller.userId);
}

/** Removes a record for good. */
export async function deletePost(
  tx: Transaction,
  kind: PostKind,
  id: number,
  { caller }: RequestContext,
): Promise<void> {
  await tx.execute(`DELETE FROM ${kind.table} WHERE id = ?`, [id]);
  tx.note(`${kind.noun}.deleted`, id, caller.userId);
}

async function select<Row extends PostRow>(
  sql: Sql,
  table: string,
  address: Address,
  suffix: string,
): Promise<Row | undefined> {
  const { sql: where, params } = addressed(address);
  const [row] = await sql.query<Row>(`SELECT * FROM ${table} WHERE ${where}${suffix}`, params);
  return row;
}

/** Another transaction may take a slug at the same moment; when the insert finds out, that one is committed and seen. */
async function insertUnderFreeSlug(tx: Transaction, table: string, row: Omit<PostRow, 'id'>): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const slug = await reserveSlug(tx, table, row.slug);
    try {
      return await tx.insert(table, { ...row, slug });
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !tx.dialect.isDuplicate(error)) throw error;
    }
  }
}

/** Each attempt that fails is one by which another transaction got ahead. */
const MOST_ATTEMPTS = 50;
