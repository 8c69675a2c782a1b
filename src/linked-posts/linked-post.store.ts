import type { Transaction } from '../database/transaction.js';
import { slugify } from '../kernel/slug.js';
import { apiError } from '../platform/errors/api-error.js';
import { Problems } from '../platform/errors/problems.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { ImagesService } from '../platform/images/images.service.js';
import { changedPublication, newPublication } from '../posts/post.publication.js';
import { deletePost, insertPost } from '../posts/post.store.js';
import { changedSlug, savePost, trashNewPost, trashPost } from '../posts/post.trash.js';
import type { LinkedPostRow } from './linked-post.entity.js';
import type { LinkedPostKind } from './linked-post.kind.js';
import { findEqual } from './linked-post.reuse.js';
import { differing, linkedPostValues } from './linked-post.values.js';
import type { LinkedPostWrite } from './linked-post.write.js';

/** The writes of one kind, each within a transaction that the caller began. */
export class LinkedPostStore {
  constructor(
    private readonly images: ImagesService,
    private readonly kind: LinkedPostKind,
  ) {}

  /** Creates a record, or finds the one that is equal; its name is locked already (linked-post.reuse.ts). */
  async create(
    tx: Transaction,
    write: LinkedPostWrite,
    context: RequestContext,
  ): Promise<{ id: number; isNew: boolean }> {
    const { dto, publication, measures } = write;
    const imageId = await this.images.store(tx, dto.image ?? null, measures, context.nowUtc);
    const values = linkedPostValues(this.kind, dto);
    const equalId = await findEqual(tx, this.kind, write, { values, imageId }, context);
    if (equalId !== undefined) return { id: equalId, isNew: false };
    const row = {
      slug: dto.slug ?? slugify(values.title),
      restore_slug: null,
      trashed_from: null,
      author_id: dto.author ?? context.caller.userId,
      modified_utc: context.nowUtc,
      revision: 1,
      image_id: imageId,
      ...newPublication(dto, publication, context),
      ...values,
    };
    const id = await insertPost(tx, this.kind, row, context);
    if (dto.status === 'trash') await trashNewPost(tx, this.kind, id);
    return { id, isNew: true };
  }

  /** Writes what the sent fields change; if that is nothing, not even `modified` (contract GEN-28). */
  async update(tx: Transaction, row: LinkedPostRow, write: LinkedPostWrite, context: RequestContext): Promise<void> {
    const { dto, publication, measures } = write;
    if (Object.values(dto).every((value) => value === undefined)) return;
    const values = linkedPostValues(this.kind, dto, row);
    const problems = new Problems([]);
    this.kind.checkTogether?.(values, problems);
    problems.throwIfAny();
    const changes = differing(row, {
      ...values,
      ...changedPublication(dto, publication, row, context),
      ...(await changedSlug(tx, this.kind, row, dto, values.title)),
      ...(dto.author === undefined ? {} : { author_id: dto.author }),
      ...(dto.image === undefined
        ? {}
        : { image_id: await this.images.store(tx, dto.image, measures, context.nowUtc) }),
    });
    await savePost(tx, this.kind, row, dto, changes, context);
  }

  /** Moves a record to the trash; with `force` it is gone, and its links too (contract 10.6). */
  async remove(tx: Transaction, row: LinkedPostRow, force: boolean, context: RequestContext): Promise<void> {
    const { linkTable, linkColumn, errors } = this.kind;
    if (force) {
      await tx.execute(`DELETE FROM ${linkTable} WHERE ${linkColumn} = ?`, [row.id]);
      await deletePost(tx, this.kind, row.id, context);
    } else {
      if (row.status === 'trash') throw apiError(errors.alreadyTrashed);
      await trashPost(tx, this.kind, row, context);
    }
  }
}
