import type { UtcTime } from './calendar-time.js';
import { type Condition, condition } from './condition.js';

/**
 * Rows whose stored status the clock has overtaken: scheduled ones whose date has come, and, after the clock was set back,
 * published ones whose date is yet to come. They are few, and found by `(status, public_from)`.
 */
export function overtaken(alias: string, nowUtc: UtcTime): Condition {
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
