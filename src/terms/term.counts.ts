import type { Counter } from '../database/counters.js';
import { TABLES } from '../database/tables.js';
import type { UtcTime } from '../kernel/calendar-time.js';
import { type Condition, condition } from '../kernel/condition.js';

/** By term: the events that carry it themselves and are public, now or from some moment on. */
export const TERM_COUNTS: Counter = { table: TABLES.termCounts, key: ['term_id'] };

/**
 * Joins to terms what `count` is made of (contract TERM-18): of the events that are counted under `c`, those under `s`
 * become public later. They are few, and found by their date.
 */
export function countsOf(term: string, nowUtc: UtcTime): Condition {
  // The CROSS makes SQLite begin with the events; to the others it is a JOIN.
  const later =
    `SELECT l.term_id, count(*) AS later FROM ${TABLES.events} e CROSS JOIN ${TABLES.eventTerms} l ` +
    'ON l.event_id = e.id WHERE e.public_from > ? GROUP BY l.term_id';
  return condition(
    `LEFT JOIN ${TABLES.termCounts} c ON c.term_id = ${term}.id LEFT JOIN (${later}) s ON s.term_id = ${term}.id`,
    nowUtc,
  );
}

export const PUBLIC_EVENTS = 'COALESCE(c.event_count, 0) - COALESCE(s.later, 0)';
