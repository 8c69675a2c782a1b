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

/** Hands out the record if the caller may read it; else says why not (contract 7.3). */
export function mustRead<Row extends PostRights>(
  row: Row | undefined,
  kind: PostKind,
  address: IdOrSlug,
  context: RequestContext,
): Row {
  const found = mustBeAPage(row, kind, address);
  if (mayRead(found, context.caller, context.nowUtc)) return found;
  throw apiError(found.status === 'trash' ? kind.errors.trashed : kind.errors.notAccessible);
}

export function mustBeAPage<Row>(row: Row | undefined, kind: PostKind, address: IdOrSlug): Row {
  if (row === undefined) throw notFound(kind.errors.notFound, address);
  return row;
}

/** Refuses changes of others' records, and giving records away (contract 7.2). */
function mustEdit(row: PostRow, dto: PostDto, { caller }: RequestContext): void {
  if (!mayEdit(row, caller)) throw forbidden(caller);
  mustOwn(dto, row.author_id, { caller });
}

/** The record that a write changes, held until the transaction ends: it must exist, be the caller's to edit, and match If-Match. */
export async function lockEditable<Row extends PostRow>(
  tx: Transaction,
  kind: PostKind,
  address: IdOrSlug,
  dto: PostDto,
  context: RequestContext,
): Promise<Row> {
  const row = mustBeAPage(await lockPost<Row>(tx, kind, address), kind, address);
  mustEdit(row, dto, context);
  checkIfMatch(context, row.revision);
  return row;
}

/** Refuses a foreign author to those who may not edit others' records. */
export function mustOwn(dto: PostDto, ownerId: number, { caller }: Pick<RequestContext, 'caller'>): void {
  const isForeign = dto.author !== undefined && dto.author !== ownerId;
  if (isForeign && !can(caller, 'edit_others_posts')) throw forbidden(caller);
}

/** The words of the status filter in effect: as given, else what the caller sees by default (contract 9.3). */
export function statusWords(
  given: readonly StatusWord[] | undefined,
  { caller }: RequestContext,
): readonly StatusWord[] {
  return given ?? (can(caller, 'edit_posts') ? ['any'] : ['publish']);
}

/** Only contributors and up may ask for more than what is published. */
export function checkStatusFilter(
  given: readonly StatusWord[] | undefined,
  { caller }: RequestContext,
  problems: Problems,
): void {
  const isOpen = given === undefined || given.every((word) => word === 'publish');
  if (!isOpen && !can(caller, 'edit_posts'))
    problems.add('status', 'rest_not_allowed', 'has a value you are not allowed to use.');
}

/** Rows in the wanted statuses that the caller may read. */
export function listed(alias: string, words: readonly StatusWord[], { caller, nowUtc }: RequestContext): SqlCondition {
  return allOf([inStatus(alias, statusesOf(words), nowUtc), readable(alias, caller, nowUtc)]);
}

function statusesOf(words: readonly StatusWord[]): PostStatus[] {
  return POST_STATUSES.filter((status) => words.includes(status) || (words.includes('any') && status !== 'trash'));
}
