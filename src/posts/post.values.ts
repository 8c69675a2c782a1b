import type { Transaction } from '../database/connection/transaction.js';
import { slugify } from '../kernel/text/slug.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { PostDto } from './post.dto.js';
import type { PostRow } from './post.entity.js';
import type { PostKind } from './post.kind.js';
import { changedPublication, newPublication, type SentPublication } from './post.publication.js';
import { changedSlug } from './post.trash.js';

/** A checked write: its fields, the publication dates among them, and the name that the record has after the write. */
interface PostWrite {
  readonly dto: PostDto;
  readonly publication: SentPublication;
  readonly name: string;
  readonly imageId: number | null;
}

/** The columns of a new record that all posts have, but for its texts. */
export function newPostValues({ dto, publication, name, imageId }: PostWrite, context: RequestContext) {
  return {
    slug: dto.slug ?? slugify(name),
    restore_slug: null,
    trashed_from: null,
    author_id: dto.author ?? context.caller.userId,
    modified_utc: context.nowUtc,
    revision: 1,
    image_id: imageId,
    ...newPublication(dto, publication, context),
  };
}

/** Of these columns those that an update changes. */
export async function changedPostValues(
  tx: Transaction,
  kind: PostKind,
  stored: PostRow,
  { dto, publication, name, imageId }: PostWrite,
  context: RequestContext,
): Promise<Partial<PostRow>> {
  return {
    ...changedPublication(dto, publication, stored, context),
    ...(await changedSlug(tx, kind, stored, dto, name)),
    ...(dto.author === undefined ? {} : { author_id: dto.author }),
    ...(dto.image === undefined ? {} : { image_id: imageId }),
  };
}
