import { type Caller, can } from './caller.js';
import type { PostStatus } from './post-status.js';
import { allOf, ALWAYS, anyOf, type SqlCondition, condition, isOneOf, NEVER, not } from './sql-condition.js';
import type { UtcTime } from './time/calendar-time.js';

/** What the rules below look at: the columns of events, venues and organizers alike. */
export interface PostRights {
  readonly status: PostStatus;
  readonly trashed_from: PostStatus | null;
  readonly public_from: UtcTime | null;
  readonly author_id: number;
}

/** Statuses that only those who may publish can take back (contract 7.2). */
const PUBLISHED: readonly PostStatus[] = ['publish', 'future'];

/** The one rule of who sees a record: what is public everybody, all else its owner and editors (contract 7.3). */
export function mayRead(post: PostRights, caller: Caller, nowUtc: UtcTime): boolean {
  return isPublic(post, nowUtc) || owns(post, caller) || can(caller, 'edit_others_posts');
}

/** The same rule for the rows of a table, named by its alias. */
export function readable(alias: string, caller: Caller, nowUtc: UtcTime): SqlCondition {
  if (can(caller, 'edit_others_posts')) return ALWAYS;
  const open = publicNow(alias, nowUtc);
  return can(caller, 'edit_posts') ? anyOf([open, condition(`${alias}.author_id = ?`, caller.userId)]) : open;
}

function isPublic(post: PostRights, nowUtc: UtcTime): boolean {
  return post.public_from !== null && post.public_from <= nowUtc;
}

function publicNow(alias: string, nowUtc: UtcTime): SqlCondition {
  return condition(`${alias}.public_from <= ?`, nowUtc);
}

/** Who may update and delete: editors everything, authors their own, contributors their own until it is published. */
export function mayEdit(post: PostRights, caller: Caller): boolean {
  if (can(caller, 'edit_others_posts')) return true;
  if (!owns(post, caller)) return false;
  return can(caller, 'publish_posts') || !PUBLISHED.includes(post.trashed_from ?? post.status);
}

function editable(alias: string, caller: Caller): SqlCondition {
  if (can(caller, 'edit_others_posts')) return ALWAYS;
  if (!can(caller, 'edit_posts')) return NEVER;
  const own = condition(`${alias}.author_id = ?`, caller.userId);
  if (can(caller, 'publish_posts')) return own;
  return allOf([own, not(isOneOf(`COALESCE(${alias}.trashed_from, ${alias}.status)`, PUBLISHED))]);
}

/** Rows of events of which the caller may be told what a password hides (contract 7.3, Passwords). */
export function unprotected(alias: string, caller: Caller): SqlCondition {
  return anyOf([condition(`${alias}.password_hash IS NULL`), editable(alias, caller)]);
}

/** Rows whose status is one of the named ones now: a due `future` record counts as published (contract section 4). */
export function inStatus(alias: string, statuses: readonly PostStatus[], nowUtc: UtcTime): SqlCondition {
  return anyOf(statuses.map((status) => isNow(alias, status, nowUtc)));
}

function isNow(alias: string, status: PostStatus, nowUtc: UtcTime): SqlCondition {
  if (status === 'publish') return publicNow(alias, nowUtc);
  if (status === 'future') return condition(`${alias}.public_from > ?`, nowUtc);
  return condition(`${alias}.status = ?`, status);
}

function owns(post: PostRights, caller: Caller): boolean {
  return can(caller, 'edit_posts') && post.author_id === caller.userId;
}

/**
 * Rows whose stored status the clock has overtaken: scheduled ones whose date has come, and, after the clock was set back,
 * published ones whose date is yet to come. They are few, and found by `(status, public_from)`.
 */
export function overtaken(alias: string, nowUtc: UtcTime): SqlCondition {
  return condition(
    `((${alias}.status = 'future' AND ${alias}.public_from <= ?) OR (${alias}.status = 'publish' AND ${alias}.public_from > ?))`,
    nowUtc,
    nowUtc,
  );
}

/** What such a row adds to a count of rows that are stored as published, to make it one of rows that are public. */
export function correction(alias: string): string {
  return `CASE ${alias}.status WHEN 'future' THEN 1 ELSE -1 END`;
}
