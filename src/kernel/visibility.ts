import { type Caller, can } from './caller.js';
import type { PostStatus } from './post-status.js';
import { allOf, ALWAYS, anyOf, type SqlCondition, condition, isOneOf, NEVER, not } from './sql-condition.js';
import type { UtcTime } from './time/calendar-time.js';

/** The columns of events, venues and organizers that the rules below read. */
export interface PostRights {
  readonly status: PostStatus;
  readonly trashed_from: PostStatus | null;
  readonly public_from: UtcTime | null;
  readonly author_id: number;
}

/** Statuses that a caller without `publish_posts` cannot edit (contract 7.2). */
const PUBLISHED: readonly PostStatus[] = ['publish', 'future'];

/** Whether the caller sees a record: everybody a public one, its owner and editors any other (contract 7.3). */
export function mayRead(post: PostRights, caller: Caller, nowUtc: UtcTime): boolean {
  return isPublic(post, nowUtc) || isOwner(post, caller) || can(caller, 'edit_others_posts');
}

/** The SQL condition of `mayRead` for the table alias. */
export function readable(alias: string, caller: Caller, nowUtc: UtcTime): SqlCondition {
  if (can(caller, 'edit_others_posts')) return ALWAYS;
  const isPublicNow = isPublicAt(alias, nowUtc);
  return can(caller, 'edit_posts')
    ? anyOf([isPublicNow, condition(`${alias}.author_id = ?`, caller.userId)])
    : isPublicNow;
}

/** The columns that decide whether an anonymous list shows a record. Only events can be hidden. */
export interface ListedState extends Pick<PostRights, 'public_from' | 'author_id'> {
  readonly hide_from_listings?: 0 | 1;
}

/** Whether an anonymous list without filters shows a record: it is public and not hidden. */
export function isListed(state: ListedState, nowUtc: UtcTime): boolean {
  return isPublic(state, nowUtc) && state.hide_from_listings !== 1;
}

function isPublic(post: Pick<PostRights, 'public_from'>, nowUtc: UtcTime): boolean {
  return post.public_from !== null && post.public_from <= nowUtc;
}

function isPublicAt(alias: string, nowUtc: UtcTime): SqlCondition {
  return condition(`${alias}.public_from <= ?`, nowUtc);
}

/**
 * Whether the caller may update and delete: editors every record, authors their own, contributors their own until it
 * is published (contract 7.2).
 */
export function mayEdit(post: PostRights, caller: Caller): boolean {
  if (can(caller, 'edit_others_posts')) return true;
  if (!isOwner(post, caller)) return false;
  return can(caller, 'publish_posts') || !PUBLISHED.includes(post.trashed_from ?? post.status);
}

function editable(alias: string, caller: Caller): SqlCondition {
  if (can(caller, 'edit_others_posts')) return ALWAYS;
  if (!can(caller, 'edit_posts')) return NEVER;
  const own = condition(`${alias}.author_id = ?`, caller.userId);
  if (can(caller, 'publish_posts')) return own;
  return allOf([own, not(isOneOf(`COALESCE(${alias}.trashed_from, ${alias}.status)`, PUBLISHED))]);
}

/** Rows of events whose password-protected content the caller may see (contract 7.3, Passwords). */
export function unprotected(alias: string, caller: Caller): SqlCondition {
  return anyOf([condition(`${alias}.password_hash IS NULL`), editable(alias, caller)]);
}

/** Rows that have one of the statuses now. A due `future` record counts as published (contract section 4). */
export function inStatus(alias: string, statuses: readonly PostStatus[], nowUtc: UtcTime): SqlCondition {
  return anyOf(statuses.map((status) => hasStatusNow(alias, status, nowUtc)));
}

function hasStatusNow(alias: string, status: PostStatus, nowUtc: UtcTime): SqlCondition {
  if (status === 'publish') return isPublicAt(alias, nowUtc);
  if (status === 'future') return condition(`${alias}.public_from > ?`, nowUtc);
  return condition(`${alias}.status = ?`, status);
}

function isOwner(post: PostRights, caller: Caller): boolean {
  return can(caller, 'edit_posts') && post.author_id === caller.userId;
}
