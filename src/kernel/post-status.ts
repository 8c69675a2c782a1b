import type { UtcTime } from './time/calendar-time.js';

/** The statuses of events, venues and organizers (contract section 4). */
export const POST_STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const;
export type PostStatus = (typeof POST_STATUSES)[number];

/**
 * The status to store: what is published later is `future`, a contributor's publication awaits review (contract section 4).
 */
export function storedStatus(wanted: PostStatus, dateUtc: UtcTime, nowUtc: UtcTime, mayPublish: boolean): PostStatus {
  if (wanted !== 'publish' && wanted !== 'future') return wanted;
  if (!mayPublish) return 'pending';
  return dateUtc > nowUtc ? 'future' : 'publish';
}

/** From when a record is public: its date, or never (null). `public_from <= now` is the whole rule of being public. */
export function publicFrom(status: PostStatus, dateUtc: UtcTime): UtcTime | null {
  return status === 'publish' || status === 'future' ? dateUtc : null;
}

/**
 * What a stored status means now: a `future` record whose date has come is published, without a job (contract section 4).
 * Which of the two is stored tells nothing: clocks may be set back.
 */
export function effectiveStatus(status: PostStatus, dateUtc: UtcTime, nowUtc: UtcTime): PostStatus {
  if (publicFrom(status, dateUtc) === null) return status;
  return dateUtc <= nowUtc ? 'publish' : 'future';
}
