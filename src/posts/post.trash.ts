import type { Transaction } from '../database/connection/transaction.js';
import { slugify } from '../kernel/text/slug.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { PostDto } from './post.dto.js';
import type { PostRow } from './post.entity.js';
import type { PostKind } from './post.kind.js';
import { insertPosts, reserveSlug, reserveTrashedSlug, updatePost } from './post.store.js';

/** Moves a record to the trash: its slug becomes free, and comes back with a restore (contract section 4). */
export async function trashPost(tx: Transaction, kind: PostKind, row: PostRow, context: RequestContext): Promise<void> {
  await updatePost(tx, kind, row, await trashColumns(tx, kind, row), context, 'trashed');
}

type NewRow = Omit<PostRow, 'id'>;

/** A record to be made, and the write that asks for it. */
interface NewPost<Row extends NewRow> {
  readonly row: Row;
  readonly dto: PostDto;
}

/**
 * Creates records and answers them as they are stored, in order. One that is wanted in the trash goes there at once, which
 * frees its slug for those behind it; both together are its creation (contract EV-NEW-18).
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
    const made = await insertPosts(tx, kind, rows, context);
    stored.push(...rows.map((row, index) => ({ ...row, ...made[index]! })));
    if (trashed >= 0) stored.push(await trashNewPost(tx, kind, stored.pop()!));
  }
  return stored;
}

async function trashNewPost<Row extends PostRow>(tx: Transaction, kind: PostKind, row: Row): Promise<Row> {
  const columns = await trashColumns(tx, kind, row);
  await tx.update(kind.table, row.id, columns);
  return { ...row, ...columns };
}

/** Writes what an update changes, the way into the trash or out of it included, as one revision and one change. */
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
  await updatePost(tx, kind, row, columns, context, change);
}

/**
 * The slug columns after an update. `name`: the name after the update, for a slug that is made anew.
 * In the trash a sent slug waits for the restore.
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
    return { slug: await reserveNewSlug(tx, kind, slug, row.id), restore_slug: null, trashed_from: null };
  }
  if (sent === undefined) return {};
  if (row.status === 'trash') return { restore_slug: sent };
  return { slug: await reserveNewSlug(tx, kind, sent, row.id) };
}

/** Renames wait for each other: of many to one slug at once, each would find it free (contract TXT-07). */
async function reserveNewSlug(tx: Transaction, kind: PostKind, slug: string, ownId: number): Promise<string> {
  await tx.lockName(`${kind.noun} slugs`);
  return reserveSlug(tx, kind.table, slug, ownId);
}

/** The slug that an update asks for; the current one is no change, also that of the trash, which comes back cut. */
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
