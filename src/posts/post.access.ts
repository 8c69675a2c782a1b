import type { Transaction } from '../database/connection/transaction.js';
import type { IdOrSlug } from '../kernel/id-or-slug.js';
import { can } from '../kernel/caller.js';
import { POST_STATUSES, type PostStatus } from '../kernel/post-status.js';
import { allOf, type SqlCondition } from '../kernel/sql-condition.js';
import { inStatus, mayEdit, mayRead, type PostRights, readable } from '../kernel/visibility.js';
import { apiError, forbidden } from '../errors/api-error.js';
import type { Problems } from '../errors/problems.js';
import { checkIfMatch, notFound } from '../platform/http/responses/record-reply.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { PostDto, StatusWord } from './post.dto.js';
import type { PostRow } from './post.entity.js';
import type { PostKind } from './post.kind.js';
import { lockPost } from './post.store.js';

/** Returns the record if the caller may read it, else throws a 404 or 403 (contract 7.3). */
export function mustRead<Row extends PostRights>(
  row: Row | undefined,
  kind: PostKind,
  idOrSlug: IdOrSlug,
  context: RequestContext,
): Row {
  const found = mustExist(row, kind, idOrSlug);
  if (mayRead(found, context.caller, context.nowUtc)) return found;
  throw apiError(found.status === 'trash' ? kind.errors.trashed : kind.errors.notAccessible);
}

/** Returns the row, or throws the 404 of the kind. */
export function mustExist<Row>(row: Row | undefined, kind: PostKind, idOrSlug: IdOrSlug): Row {
  if (row === undefined) throw notFound(kind.errors.notFound, idOrSlug);
  return row;
}

/** Throws unless the caller may edit the record and sets no other author (contract 7.2). */
function mustEdit(row: PostRow, dto: PostDto, { caller }: RequestContext): void {
  if (!mayEdit(row, caller)) throw forbidden(caller);
  mustBeOwnAuthor(dto, row.author_id, { caller });
}

/** Locks and returns the record of an update. Throws if it is missing, not editable, or does not match If-Match. */
export async function lockEditable<Row extends PostRow>(
  tx: Transaction,
  kind: PostKind,
  idOrSlug: IdOrSlug,
  dto: PostDto,
  context: RequestContext,
): Promise<Row> {
  const row = mustExist(await lockPost<Row>(tx, kind, idOrSlug), kind, idOrSlug);
  mustEdit(row, dto, context);
  checkIfMatch(context, row.revision);
  return row;
}

/** Throws if a caller without `edit_others_posts` sets another author. */
export function mustBeOwnAuthor(dto: PostDto, ownerId: number, { caller }: Pick<RequestContext, 'caller'>): void {
  const isForeign = dto.author !== undefined && dto.author !== ownerId;
  if (isForeign && !can(caller, 'edit_others_posts')) throw forbidden(caller);
}

/** Returns the statuses to filter by: the given ones, else the caller's default (contract 9.3). */
export function statusWords(
  given: readonly StatusWord[] | undefined,
  { caller }: Pick<RequestContext, 'caller'>,
): readonly StatusWord[] {
  return given ?? (can(caller, 'edit_posts') ? ['any'] : ['publish']);
}

/** Reports other statuses than `publish` if the caller lacks `edit_posts`. */
export function checkStatusFilter(
  given: readonly StatusWord[] | undefined,
  { caller }: RequestContext,
  problems: Problems,
): void {
  const isPublic = given === undefined || given.every((word) => word === 'publish');
  if (!isPublic && !can(caller, 'edit_posts'))
    problems.add('status', 'rest_not_allowed', 'has a value you are not allowed to use.');
}

/** Returns the condition for rows that have one of the statuses and that the caller may read. */
export function listed(alias: string, words: readonly StatusWord[], { caller, nowUtc }: RequestContext): SqlCondition {
  return allOf([inStatus(alias, statusesOf(words), nowUtc), readable(alias, caller, nowUtc)]);
}

/** Returns the statuses that words of a filter mean: `any` is all but the trash. */
export function statusesOf(words: readonly StatusWord[]): PostStatus[] {
  return POST_STATUSES.filter((status) => words.includes(status) || (words.includes('any') && status !== 'trash'));
}
