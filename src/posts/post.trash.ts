import type { Transaction } from '../database/connection/transaction.js';
import { slugify } from '../kernel/text/slug.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { recordPostChange } from './post.change.js';
import type { PostDto } from './post.dto.js';
import type { PostRow } from './post.entity.js';
import type { PostKind } from './post.kind.js';
import { insertPosts, reserveSlug, reserveTrashedSlug, updatePost } from './post.store.js';

/** Moves a record to the trash. Its slug becomes free until a restore (contract section 4). */
export async function trashPost(tx: Transaction, kind: PostKind, row: PostRow, context: RequestContext): Promise<void> {
  updatePost(tx, kind, row, await trashColumns(tx, kind, row), context, 'trashed');
}

type NewRow = Omit<PostRow, 'id'>;

/** A record to create, and the request's data. */
interface NewPost<Row extends NewRow> {
  readonly row: Row;
  readonly dto: PostDto;
}

/**
 * Creates records and returns the stored rows, in order. A record with status `trash` goes to the trash before the next
 * ones are created, so that its slug is free for them. The change record has one entry for it (contract EV-NEW-18).
 */
export async function createPosts<Row extends NewRow>(
  tx: Transaction,
  kind: PostKind,
  posts: readonly NewPost<Row>[],
  context: RequestContext,
): Promise<(Row & { id: number })[]> {
  const stored: (Row & { id: number })[] = [];
  while (stored.length < posts.length) {
    const rest = posts.slice(stored.length);
    const trashed = rest.findIndex(({ dto }) => dto.status === 'trash');
    const rows = rest.slice(0, trashed < 0 ? rest.length : trashed + 1).map(({ row }) => row);
    const made = await insertPosts(tx, kind, rows);
    stored.push(...rows.map((row, index) => ({ ...row, ...made[index]! })));
    if (trashed >= 0) stored.push(await trashNewPost(tx, kind, stored.pop()!));
  }
  for (const row of stored) recordPostChange(tx, `${kind.noun}.created`, row.id, { after: row }, context);
  return stored;
}

async function trashNewPost<Row extends PostRow>(tx: Transaction, kind: PostKind, row: Row): Promise<Row> {
  const columns = await trashColumns(tx, kind, row);
  await tx.update(kind.table, row.id, columns);
  return { ...row, ...columns };
}

/** Writes an update, which may trash or restore the record, as one revision and one entry of the change record. */
export async function savePost(
  tx: Transaction,
  kind: PostKind,
  row: PostRow,
  dto: PostDto,
  changes: object,
  context: RequestContext,
): Promise<void> {
  const isTrashed = dto.status === 'trash' && row.status !== 'trash';
  const columns = isTrashed ? { ...changes, ...(await trashColumns(tx, kind, { ...row, ...changes })) } : changes;
  if (Object.keys(columns).length === 0) return;
  const change = isTrashed ? 'trashed' : isRestore(dto, row) ? 'restored' : 'updated';
  updatePost(tx, kind, row, columns, context, change);
}

/**
 * Returns the slug columns that an update changes. `name`: the name after the update, for a new slug.
 * A slug sent for a record in the trash applies after its restore.
 */
export async function changedSlug(
  tx: Transaction,
  kind: PostKind,
  row: PostRow,
  dto: PostDto,
  name: string,
): Promise<Partial<Pick<PostRow, 'slug' | 'restore_slug' | 'trashed_from'>>> {
  const sent = sentSlug(row, dto, name);
  if (isRestore(dto, row)) {
    const slug = sent ?? row.restore_slug ?? row.slug;
    return { slug: await reserveSlugLocked(tx, kind, slug, row.id), restore_slug: null, trashed_from: null };
  }
  if (sent === undefined) return {};
  if (row.status === 'trash') return { restore_slug: sent };
  return { slug: await reserveSlugLocked(tx, kind, sent, row.id) };
}

/** Takes a lock, because concurrent updates to the same slug would each find it free (contract TXT-07). */
async function reserveSlugLocked(tx: Transaction, kind: PostKind, slug: string, ownId: number): Promise<string> {
  await tx.lockName(`${kind.noun} slugs`);
  return reserveSlug(tx, kind.table, slug, ownId);
}

/** Returns the new slug of an update, or undefined for the current one, also in the truncated form of the trash. */
function sentSlug(row: PostRow, dto: PostDto, name: string): string | undefined {
  const slug = dto.slug === null ? slugify(name) || String(row.id) : dto.slug;
  return slug === row.slug || slug === slugify(row.slug) ? undefined : slug;
}

/** Whether an update takes the record out of the trash. */
function isRestore(dto: PostDto, row: PostRow): boolean {
  return row.status === 'trash' && dto.status !== undefined && dto.status !== 'trash';
}

async function trashColumns(tx: Transaction, kind: PostKind, row: PostRow): Promise<Partial<PostRow>> {
  return {
    status: 'trash',
    trashed_from: row.status,
    public_from: null,
    slug: await reserveTrashedSlug(tx, kind.table, row.slug, row.id),
    restore_slug: row.slug,
  };
}
