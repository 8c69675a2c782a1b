import { POST_STATUSES, type PostStatus } from '../../kernel/post-status.js';
import type { ByName } from '../event.link-kinds.js';

/** What lists ask for of an event. Times are seconds since 1970. */
export interface EventFacts {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  /** `NEVER`: not published, not scheduled. */
  readonly publicFrom: number;
  readonly status: PostStatus;
  /** The status before the trash. null outside the trash. */
  readonly trashedFrom: PostStatus | null;
  readonly isHidden: boolean;
  readonly isFeatured: boolean;
  readonly isTicketed: boolean;
  readonly isProtected: boolean;
  readonly authorId: number;
  /** 0: none. */
  readonly parentId: number;
  readonly linkedIds: ByName<readonly number[]>;
  readonly termIds: readonly number[];
}

/** The `publicFrom` of an event that is neither published nor scheduled. */
export const NEVER = Infinity;

/** The bits of an event's flags: its status, its status before the trash, then one bit each. */
const STATUS_BITS = 0b111;
const TRASHED_SHIFT = 3;
export const HIDDEN = 1 << 6;
export const FEATURED = 1 << 7;
export const TICKETED = 1 << 8;
export const PROTECTED = 1 << 9;
/** Whether the event is public at the moment of the index. */
export const PUBLIC = 1 << 10;
/** The number of values that flags may have. */
export const FLAG_VALUES = 1 << 11;

const CODES = new Map<PostStatus | null, number>(POST_STATUSES.map((status, code) => [status, code]));
/** The code of no status. */
const NONE = POST_STATUSES.length;

/** Returns the flags of an event, without `PUBLIC`. */
export function flagsOf(facts: EventFacts): number {
  return (
    codeOf(facts.status) |
    (codeOf(facts.trashedFrom) << TRASHED_SHIFT) |
    (facts.isHidden ? HIDDEN : 0) |
    (facts.isFeatured ? FEATURED : 0) |
    (facts.isTicketed ? TICKETED : 0) |
    (facts.isProtected ? PROTECTED : 0)
  );
}

export function codeOf(status: PostStatus | null): number {
  return CODES.get(status) ?? NONE;
}

export const TRASH_CODE = codeOf('trash');

/** Returns the code of the stored status. */
export function statusCode(flags: number): number {
  return flags & STATUS_BITS;
}

/** Returns the code of the status before the trash, or of the stored status outside the trash. */
export function editedStatusCode(flags: number): number {
  const trashed = (flags >> TRASHED_SHIFT) & STATUS_BITS;
  return trashed === NONE ? flags & STATUS_BITS : trashed;
}

/** The inverse of `flagsOf`. */
export function factsInFlags(flags: number) {
  return {
    status: POST_STATUSES[flags & STATUS_BITS] as PostStatus,
    trashedFrom: POST_STATUSES[(flags >> TRASHED_SHIFT) & STATUS_BITS] ?? null,
    isHidden: (flags & HIDDEN) !== 0,
    isFeatured: (flags & FEATURED) !== 0,
    isTicketed: (flags & TICKETED) !== 0,
    isProtected: (flags & PROTECTED) !== 0,
  };
}
