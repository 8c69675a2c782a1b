import type { Transaction } from '../database/connection/transaction.js';
import { apiError } from '../errors/api-error.js';
import { Problems } from '../errors/problems.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { checkTexts } from '../platform/http/fields/stored-texts.js';
import type { ImagesService, SentImage } from '../platform/images/images.service.js';
import type { PostRow } from '../posts/post.entity.js';
import { deletePost } from '../posts/post.store.js';
import { createPosts, savePost, trashPost } from '../posts/post.trash.js';
import { changedPostValues, newPostValues } from '../posts/post.values.js';
import type { LinkedPostRow } from './linked-post.entity.js';
import type { Columns, LinkedPostKind } from './linked-post.kind.js';
import { type Candidate, findEquals, NewRecords } from './linked-post.reuse.js';
import { gainsReaders, recordEventsOf } from './linked-post.return.js';
import { differing, linkedPostValues, type LinkedPostWrite } from './linked-post.draft.js';

/** The writes of one kind, in a transaction of the caller. */
export class LinkedPostStore {
  constructor(
    private readonly images: ImagesService,
    private readonly kind: LinkedPostKind,
  ) {}

  /**
   * Creates records or reuses equal ones, also among those just created. Returns them in order. Expects locks on their names
   * (linked-post.reuse.ts).
   */
  async create(tx: Transaction, writes: readonly LinkedPostWrite[], context: RequestContext): Promise<Created[]> {
    const keys = writes.map(keyOf);
    const candidates = await this.candidates(tx, new Map(keys.map((key, index) => [key, writes[index]!])), context);
    const stored = await findEquals(tx, this.kind, candidates, context);
    const records = new NewRecords<KeyedCandidate>(this.kind, context);
    const created = new Map<string, Created>();
    let pending: KeyedCandidate[] = [];
    const duplicates: { key: string; of: string }[] = [];
    const insertPending = async () => {
      const ids = await this.insert(tx, pending, context);
      pending.forEach(({ key }, index) => created.set(key, { id: ids[index]!, isNew: true }));
      pending = [];
    };
    for (const [index, candidate] of candidates.entries()) {
      const { key, write } = candidate;
      let id = stored[index];
      const first = id === undefined ? records.findEqual(candidate) : undefined;
      const isBySlug = typeof write.dto.slug === 'string';
      if (first !== undefined && isBySlug) {
        // The slug of the first one is known only after its insert.
        await insertPending();
        [id] = await findEquals(tx, this.kind, [candidate], context);
      }
      if (id !== undefined) created.set(key, { id, isNew: false });
      else if (first !== undefined && !isBySlug) duplicates.push({ key, of: first.key });
      else {
        pending.push(candidate);
        records.add(candidate);
      }
    }
    await insertPending();
    for (const { key, of } of duplicates) created.set(key, { id: created.get(of)!.id, isNew: false });
    return keys.map((key) => created.get(key)!);
  }

  /** Writes the columns that the sent fields change. If none changes, `modified` stays, too (contract GEN-28). */
  async update(tx: Transaction, row: LinkedPostRow, write: LinkedPostWrite, context: RequestContext): Promise<void> {
    const { dto, publication } = write;
    if (Object.values(dto).every((value) => value === undefined)) return;
    const values = linkedPostValues(this.kind, dto, row);
    const problems = new Problems([]);
    this.kind.checkTogether?.(values, problems);
    checkTexts(dto, row, context, problems);
    problems.throwIfAny();
    const [imageId = null] = await this.images.store(tx, [imageOf(write)], context.nowUtc);
    const changes = differing(row, {
      ...values,
      ...(await changedPostValues(tx, this.kind, row, { dto, publication, name: values.title, imageId }, context)),
    });
    await savePost(tx, this.kind, row, dto, changes, context);
    if (gainsReaders(row, { ...row, ...changes }, context.nowUtc))
      await recordEventsOf(tx, this.kind, [row.id], context);
  }

  /** Moves a record to the trash. With `force`, deletes it permanently with its links (contract 10.6). */
  async remove(tx: Transaction, row: LinkedPostRow, force: boolean, context: RequestContext): Promise<void> {
    const { linkTable, linkColumn, errors } = this.kind;
    if (force) {
      tx.later(`DELETE FROM ${linkTable} WHERE ${linkColumn} = ?`, [row.id]);
      deletePost(tx, this.kind, row, context);
    } else {
      if (row.status === 'trash') throw apiError(errors.alreadyTrashed);
      await trashPost(tx, this.kind, row, context);
    }
  }

  private async candidates(
    tx: Transaction,
    writes: ReadonlyMap<string, LinkedPostWrite>,
    context: RequestContext,
  ): Promise<KeyedCandidate[]> {
    const imageIds = await this.images.store(tx, [...writes.values()].map(imageOf), context.nowUtc);
    return [...writes].map(([key, write], index) => ({
      key,
      write,
      row: this.newRow(write, imageIds[index] ?? null, context),
    }));
  }

  private newRow({ dto, publication }: LinkedPostWrite, imageId: number | null, context: RequestContext): NewRow {
    const values = linkedPostValues(this.kind, dto);
    return { ...newPostValues({ dto, publication, name: values.title, imageId }, context), ...values };
  }

  private async insert(
    tx: Transaction,
    candidates: readonly KeyedCandidate[],
    context: RequestContext,
  ): Promise<number[]> {
    const posts = candidates.map(({ write: { dto }, row }) => ({ dto, row }));
    return (await createPosts(tx, this.kind, posts, context)).map(({ id }) => id);
  }
}

interface Created {
  readonly id: number;
  readonly isNew: boolean;
}

type NewRow = Omit<PostRow, 'id'> & Columns;

interface KeyedCandidate extends Candidate {
  readonly key: string;
  readonly row: NewRow;
}

function imageOf({ dto, measures }: LinkedPostWrite): SentImage {
  return { reference: dto.image, measures };
}

/** Returns the same key for writes that create one record. Each write with the status `trash` creates its own. */
function keyOf({ dto, publication }: LinkedPostWrite, index: number): string {
  return dto.status === 'trash' ? String(index) : JSON.stringify([dto, publication]);
}
