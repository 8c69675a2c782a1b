import type { UtcTime } from './time/calendar-time.js';

/** The statuses of events, venues and organizers (contract section 4). */
export const POST_STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const;
export type PostStatus = (typeof POST_STATUSES)[number];

/**
 * Returns the status to store: `future` for a later date, `pending` if the caller may not publish (contract section 4).
 */
export function storedStatus(wanted: PostStatus, dateUtc: UtcTime, nowUtc: UtcTime, mayPublish: boolean): PostStatus {
  if (wanted !== 'publish' && wanted !== 'future') return wanted;
  if (!mayPublish) return 'pending';
  return dateUtc > nowUtc ? 'future' : 'publish';
}

/** Returns the time from which a record is public, or null for never. A record is public if `public_from <= now`. */
export function publicFrom(status: PostStatus, dateUtc: UtcTime): UtcTime | null {
  return status === 'publish' || status === 'future' ? dateUtc : null;
}

/**
 * Returns the status that a stored one means now. A due `future` record is published without a job (contract section 4).
 * The date decides between `publish` and `future`, because the clock may have been set back since the status was stored.
 */
export function effectiveStatus(status: PostStatus, dateUtc: UtcTime, nowUtc: UtcTime): PostStatus {
  if (publicFrom(status, dateUtc) === null) return status;
  return dateUtc <= nowUtc ? 'publish' : 'future';
}
