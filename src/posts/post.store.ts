import { randomUUID } from 'node:crypto';
import type { Transaction } from '../database/connection/transaction.js';
import type { Sql } from '../database/sql/dialect.js';
import { batchesOf } from '../database/sql/row-batches.js';
import { type IdOrSlug, whereIdOrSlug } from '../kernel/id-or-slug.js';
import { isOneOf } from '../kernel/sql-condition.js';
import { freeSlugs, suffixedSlug, trashedSlug } from '../kernel/text/slug.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { recordPostChange } from './post.change.js';
import type { PostRow } from './post.entity.js';
import type { PostKind } from './post.kind.js';

/** Returns the row with an id or slug. */
export async function findPost<Row extends PostRow>(
  sql: Sql,
  { table }: PostKind,
  idOrSlug: IdOrSlug,
): Promise<Row | undefined> {
  return select(sql, table, idOrSlug, '');
}

/** Returns the row and locks it until the transaction ends. */
export async function lockPost<Row extends PostRow>(
  tx: Transaction,
  { table }: PostKind,
  idOrSlug: IdOrSlug,
): Promise<Row | undefined> {
  return select(tx, table, idOrSlug, tx.dialect.forUpdate);
}

/** The id and the slug of a new record. */
export interface InsertedPost {
  readonly id: number;
  readonly slug: string;
}

/**
 * Inserts records, each with the first free variant of its slug. The id becomes the slug of a record without one
 * (contract section 3). Returns ids and slugs, in order. The caller adds them to the change record.
 */
export async function insertPosts(
  tx: Transaction,
  kind: PostKind,
  rows: readonly Omit<PostRow, 'id'>[],
): Promise<InsertedPost[]> {
  const inserted: InsertedPost[] = [];
  for (const batch of batchesOf(rows)) inserted.push(...(await insertWithFreeSlugs(tx, kind.table, batch)));
  for (const [index, { id }] of inserted.entries()) {
    if (rows[index]?.slug === '') {
      const slug = await reserveSlug(tx, kind.table, String(id), id);
      await tx.update(kind.table, id, { slug });
      inserted[index] = { id, slug };
    }
  }
  return inserted;
}

/** Writes the changed columns and increases the revision. */
export function updatePost(
  tx: Transaction,
  kind: PostKind,
  row: PostRow,
  changes: object,
  context: RequestContext,
  change = 'updated',
): void {
  tx.updateLater(kind.table, row.id, { ...changes, modified_utc: context.nowUtc, revision: row.revision + 1 });
  recordPostChange(tx, `${kind.noun}.${change}`, row.id, { before: row, after: { ...row, ...changes } }, context);
}

/** Deletes a record permanently. */
export function deletePost(tx: Transaction, kind: PostKind, row: PostRow, context: RequestContext): void {
  tx.later(`DELETE FROM ${kind.table} WHERE id = ?`, [row.id]);
  recordPostChange(tx, `${kind.noun}.deleted`, row.id, { before: row }, context);
}

async function select<Row extends PostRow>(
  sql: Sql,
  table: string,
  idOrSlug: IdOrSlug,
  suffix: string,
): Promise<Row | undefined> {
  const { sql: where, params } = whereIdOrSlug(idOrSlug);
  const [row] = await sql.query<Row>(`SELECT * FROM ${table} WHERE ${where}${suffix}`, params);
  return row;
}

/**
 * Inserts rows with free slugs. Tries again if another transaction took a slug in the meantime: after a duplicate, that
 * transaction is committed and its slug is visible.
 */
async function insertWithFreeSlugs(
  tx: Transaction,
  table: string,
  wanted: readonly Omit<PostRow, 'id'>[],
): Promise<InsertedPost[]> {
  for (let attempt = 1; ; attempt += 1) {
    const free = await reserveSlugs(
      tx,
      table,
      wanted.map(({ slug }) => slug).filter((slug) => slug !== ''),
    );
    const slugs = free.values();
    // A row without a slug gets a temporary one, which no name can produce, until its id is known.
    const rows = wanted.map((row) => ({ ...row, slug: row.slug === '' ? `?${randomUUID()}` : slugs.next().value! }));
    try {
      return await insertBySlug(tx, table, rows);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !tx.dialect.isDuplicate(error)) throw error;
    }
  }
}

/** Each failed attempt means that another transaction has inserted. */
const MAX_ATTEMPTS = 50;

/** Inserts rows. The engine returns the id of one row only, so the unique slugs give the ids of several. */
async function insertBySlug(
  tx: Transaction,
  table: string,
  rows: readonly Omit<PostRow, 'id'>[],
): Promise<InsertedPost[]> {
  const [only] = rows;
  if (only !== undefined && rows.length === 1) return [{ id: await tx.insert(table, only), slug: only.slug }];
  // A single statement, even if free slugs made the batch larger: of two statements the first could succeed alone.
  await tx.insertBatch(table, rows);
  const slugs = rows.map(({ slug }) => slug);
  const { sql, params } = isOneOf('slug', slugs);
  const inserted = await tx.query<InsertedPost>(`SELECT id, slug FROM ${table} WHERE ${sql}`, params);
  const ids = new Map(inserted.map(({ id, slug }) => [slug, id]));
  return slugs.map((slug) => ({ id: ids.get(slug)!, slug }));
}

/** Returns the first of `slug`, `slug-2`, `slug-3` … that no other record of the table has. */
export async function reserveSlug(tx: Transaction, table: string, slug: string, ownId: number): Promise<string> {
  const [free = slug] = await freeSlugs([slug], suffixedSlug, takenSlugs(tx, table, ownId));
  return free;
}

/** Returns a free slug for each of several new records, all different. */
function reserveSlugs(tx: Transaction, table: string, slugs: readonly string[]): Promise<readonly string[]> {
  return freeSlugs(slugs, suffixedSlug, takenSlugs(tx, table, 0));
}

/** Returns the slug of a record in the trash (contract section 4). */
export async function reserveTrashedSlug(tx: Transaction, table: string, slug: string, ownId: number): Promise<string> {
  const [free = slug] = await freeSlugs([slug], trashedSlug, takenSlugs(tx, table, ownId));
  return free;
}

function takenSlugs(tx: Transaction, table: string, ownId: number) {
  return async (slugs: readonly string[]): Promise<Set<string>> => {
    const { sql, params } = isOneOf('slug', slugs);
    const rows = await tx.query<{ slug: string }>(`SELECT slug FROM ${table} WHERE ${sql} AND id <> ?`, [
      ...params,
      ownId,
    ]);
    return new Set(rows.map(({ slug }) => slug));
  };
}
