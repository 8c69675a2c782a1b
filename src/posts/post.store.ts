import { randomUUID } from 'node:crypto';
import type { Transaction } from '../database/connection/transaction.js';
import type { Sql } from '../database/sql/dialect.js';
import { batchesOf } from '../database/sql/row-batches.js';
import { type IdOrSlug, whereIdOrSlug } from '../kernel/id-or-slug.js';
import { isOneOf } from '../kernel/sql-condition.js';
import { freeSlugs, suffixedSlug, trashedSlug } from '../kernel/text/slug.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { PostRow } from './post.entity.js';
import type { PostKind } from './post.kind.js';

/** The row of an address. */
export async function findPost<Row extends PostRow>(
  sql: Sql,
  { table }: PostKind,
  address: IdOrSlug,
): Promise<Row | undefined> {
  return select(sql, table, address, '');
}

/** The same row, held until the transaction ends: what is decided by it stays true. */
export async function lockPost<Row extends PostRow>(
  tx: Transaction,
  { table }: PostKind,
  address: IdOrSlug,
): Promise<Row | undefined> {
  return select(tx, table, address, tx.dialect.forUpdate);
}

/** What a new record is found by. */
export interface MadePost {
  readonly id: number;
  readonly slug: string;
}

/**
 * Inserts records, each under the first free slug like the one it wants; of no slug at all its id becomes one (contract
 * section 3). Answers what became of them, in order.
 */
export async function insertPosts(
  tx: Transaction,
  kind: PostKind,
  rows: readonly Omit<PostRow, 'id'>[],
  context: RequestContext,
): Promise<MadePost[]> {
  const made: MadePost[] = [];
  for (const part of batchesOf(rows)) made.push(...(await insertUnderFreeSlugs(tx, kind.table, part)));
  for (const [index, { id }] of made.entries()) {
    if (rows[index]?.slug === '') {
      const slug = await reserveSlug(tx, kind.table, String(id), id);
      await tx.update(kind.table, id, { slug });
      made[index] = { id, slug };
    }
    tx.note(`${kind.noun}.created`, id, context.caller.userId);
  }
  return made;
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
  address: IdOrSlug,
  suffix: string,
): Promise<Row | undefined> {
  const { sql: where, params } = whereIdOrSlug(address);
  const [row] = await sql.query<Row>(`SELECT * FROM ${table} WHERE ${where}${suffix}`, params);
  return row;
}

/** Another transaction may take a slug at the same moment; when the insert finds out, that one is committed and seen. */
async function insertUnderFreeSlugs(
  tx: Transaction,
  table: string,
  wanting: readonly Omit<PostRow, 'id'>[],
): Promise<MadePost[]> {
  for (let attempt = 1; ; attempt += 1) {
    const free = await reserveSlugs(
      tx,
      table,
      wanting.map(({ slug }) => slug).filter((slug) => slug !== ''),
    );
    const slugs = free.values();
    // Until the id is known, a slug that no name can make holds the place.
    const rows = wanting.map((row) => ({ ...row, slug: row.slug === '' ? `?${randomUUID()}` : slugs.next().value! }));
    try {
      return await insertBySlug(tx, table, rows);
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !tx.dialect.isDuplicate(error)) throw error;
    }
  }
}

/** Each attempt that fails is one by which another transaction got ahead. */
const MOST_ATTEMPTS = 50;

/** Of one row the engine tells the id; of many the unique slug does, since their ids need not follow each other. */
async function insertBySlug(tx: Transaction, table: string, rows: readonly Omit<PostRow, 'id'>[]): Promise<MadePost[]> {
  const [only] = rows;
  if (only !== undefined && rows.length === 1) return [{ id: await tx.insert(table, only), slug: only.slug }];
  // Free slugs make a part longer than it was cut; in two statements the first would stay when the second fails.
  await tx.insertPart(table, rows);
  const slugs = rows.map(({ slug }) => slug);
  const { sql, params } = isOneOf('slug', slugs);
  const made = await tx.query<MadePost>(`SELECT id, slug FROM ${table} WHERE ${sql}`, params);
  const ids = new Map(made.map(({ id, slug }) => [slug, id]));
  return slugs.map((slug) => ({ id: ids.get(slug)!, slug }));
}

/** The first free one of `slug`, `slug-2`, `slug-3` … in a table; the record's own is free to it. */
export async function reserveSlug(tx: Transaction, table: string, slug: string, ownId: number): Promise<string> {
  const [free = slug] = await freeSlugs([slug], suffixedSlug, takenBy(tx, table, ownId));
  return free;
}

/** The same for new records; no two get the same one. */
function reserveSlugs(tx: Transaction, table: string, slugs: readonly string[]): Promise<readonly string[]> {
  return freeSlugs(slugs, suffixedSlug, takenBy(tx, table, 0));
}

/** The slug of a record in the trash (contract section 4). */
export async function reserveTrashedSlug(tx: Transaction, table: string, slug: string, ownId: number): Promise<string> {
  const [free = slug] = await freeSlugs([slug], trashedSlug, takenBy(tx, table, ownId));
  return free;
}

function takenBy(tx: Transaction, table: string, ownId: number) {
  return async (slugs: readonly string[]): Promise<Set<string>> => {
    const { sql, params } = isOneOf('slug', slugs);
    const rows = await tx.query<{ slug: string }>(`SELECT slug FROM ${table} WHERE ${sql} AND id <> ?`, [
      ...params,
      ownId,
    ]);
    return new Set(rows.map(({ slug }) => slug));
  };
}
