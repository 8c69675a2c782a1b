import type { Transaction } from '../database/transaction.js';
import { slugify } from '../kernel/slug.js';
import { apiError } from '../platform/errors/api-error.js';
import { Problems } from '../platform/errors/problems.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { ImagesService, SentImage } from '../platform/images/images.service.js';
import { changedPublication, newPublication } from '../posts/post.publication.js';
import { deletePost } from '../posts/post.store.js';
import { changedSlug, createPosts, savePost, trashPost } from '../posts/post.trash.js';
import type { LinkedPostRow } from './linked-post.entity.js';
import type { LinkedPostKind } from './linked-post.kind.js';
import { type Candidate, findEquals } from './linked-post.reuse.js';
import { differing, linkedPostValues } from './linked-post.values.js';
import type { LinkedPostWrite } from './linked-post.write.js';

/** The writes of one kind, each within a transaction that the caller began. */
export class LinkedPostStore {
  constructor(
    private readonly images: ImagesService,
    private readonly kind: LinkedPostKind,
  ) {}

  /**
   * Creates records, or finds those that are equal, also among the ones just created; their names are locked already
   * (linked-post.reuse.ts). Answers them in order.
   */
  async create(tx: Transaction, writes: readonly LinkedPostWrite[], context: RequestContext): Promise<Created[]> {
    const keys = writes.map(sameness);
    const open = new Map(keys.map((key, index) => [key, writes[index]!]));
    const made = new Map<string, Created>();
    let candidates = await this.candidates(tx, open, context);
    while (candidates.length > 0) {
      const equals = await findEquals(tx, this.kind, candidates, context);
      candidates.forEach(({ key }, index) => {
        const id = equals[index];
        if (id !== undefined) made.set(key, { id, isNew: false });
      });
      // A later create of the same name may be equal to the first one's record, once that is there.
      const first = firstOfEachName(candidates.filter(({ key }) => !made.has(key)));
      const ids = await this.insert(tx, first, context);
      first.forEach(({ key }, index) => made.set(key, { id: ids[index]!, isNew: true }));
      candidates = candidates.filter(({ key }) => !made.has(key));
    }
    return keys.map((key) => made.get(key)!);
  }

  /** Writes what the sent fields change; if that is nothing, not even `modified` (contract GEN-28). */
  async update(tx: Transaction, row: LinkedPostRow, write: LinkedPostWrite, context: RequestContext): Promise<void> {
    const { dto, publication } = write;
    if (Object.values(dto).every((value) => value === undefined)) return;
    const values = linkedPostValues(this.kind, dto, row);
    const problems = new Problems([]);
    this.kind.checkTogether?.(values, problems);
    problems.throwIfAny();
    const [imageId = null] = await this.images.store(tx, [imageOf(write)], context.nowUtc);
    const changes = differing(row, {
      ...values,
      ...changedPublication(dto, publication, row, context),
      ...(await changedSlug(tx, this.kind, row, dto, values.title)),
      ...(dto.author === undefined ? {} : { author_id: dto.author }),
      ...(dto.image === undefined ? {} : { image_id: imageId }),
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

  private async candidates(
    tx: Transaction,
    writes: ReadonlyMap<string, LinkedPostWrite>,
    { nowUtc }: RequestContext,
  ): Promise<KeyedCandidate[]> {
    const imageIds = await this.images.store(tx, [...writes.values()].map(imageOf), nowUtc);
    return [...writes].map(([key, write], index) => ({
      key,
      write,
      values: linkedPostValues(this.kind, write.dto),
      imageId: imageIds[index] ?? null,
    }));
  }

  private insert(tx: Transaction, candidates: readonly KeyedCandidate[], context: RequestContext): Promise<number[]> {
    const posts = candidates.map(({ write: { dto, publication }, values, imageId }) => ({
      dto,
      row: {
        slug: dto.slug ?? slugify(values.title),
        restore_slug: null,
        trashed_from: null,
        author_id: dto.author ?? context.caller.userId,
        modified_utc: context.nowUtc,
        revision: 1,
        image_id: imageId,
        ...newPublication(dto, publication, context),
        ...values,
      },
    }));
    return createPosts(tx, this.kind, posts, context);
  }
}

interface Created {
  readonly id: number;
  readonly isNew: boolean;
}

interface KeyedCandidate extends Candidate {
  readonly key: string;
  readonly values: ReturnType<typeof linkedPostValues>;
}

function imageOf({ dto, measures }: LinkedPostWrite): SentImage {
  return { reference: dto.image, measures };
}

/** Writes with the same key make one record; each that is to be in the trash makes one of its own. */
function sameness({ dto, publication }: LinkedPostWrite, index: number): string {
  return dto.status === 'trash' ? String(index) : JSON.stringify([dto, publication]);
}

function firstOfEachName(candidates: readonly KeyedCandidate[]): KeyedCandidate[] {
  const byName = new Map(candidates.toReversed().map((candidate) => [candidate.values.name_hash, candidate]));
  return candidates.filter((candidate) => byName.get(candidate.values.name_hash) === candidate);
}
