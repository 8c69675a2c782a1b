import type { Counter } from '../database/sql/counters.js';
import type { Sql } from '../database/sql/dialect.js';
import { TABLES } from '../database/sql/tables.js';
import { uncommittedCount } from '../database/connection/transaction.js';
import type { UtcTime } from '../kernel/time/calendar-time.js';
import { type SqlCondition, condition } from '../kernel/sql-condition.js';
import { publicCountCorrection, isStatusDue } from '../kernel/visibility.js';

/** Where the number of public events of a term comes from: from the counts in the database at a time, or from a function. */
export type TermCounting = UtcTime | ((termId: number) => number);

/** Counts the published and scheduled events of each term, without those of its children. */
export const TERM_COUNTS: Counter = { table: TABLES.termCounts, key: ['term_id'] };

/** Counts the events among them that are stored as scheduled. */
export const SCHEDULED_TERMS: Counter = { table: TABLES.scheduledTerms, key: ['term_id'] };

/**
 * Returns the joins for `count` (contract TERM-18): `c` counts all events, `f` scheduled ones, and `s` corrects for events
 * whose status is due to change.
 */
export function joinCounts(term: string, nowUtc: UtcTime): SqlCondition {
  const { sql, params } = isStatusDue('e', nowUtc);
  // LEFT JOIN makes every engine start with the few due events instead of the links.
  const correction =
    `SELECT l.term_id, sum(${publicCountCorrection('e')}) AS events FROM ${TABLES.events} e LEFT JOIN ${TABLES.eventTerms} l ` +
    `ON l.event_id = e.id WHERE ${sql} GROUP BY l.term_id`;
  return condition(
    `LEFT JOIN ${TABLES.termCounts} c ON c.term_id = ${term}.id
     LEFT JOIN ${TABLES.scheduledTerms} f ON f.term_id = ${term}.id
     LEFT JOIN (${correction}) s ON s.term_id = ${term}.id`,
    ...params,
  );
}

export const PUBLIC_EVENTS = 'COALESCE(c.event_count, 0) - COALESCE(f.event_count, 0) + COALESCE(s.events, 0)';

/** Returns what the current transaction adds to `PUBLIC_EVENTS` of a term when it commits. */
export function publicEventsAdded(sql: Sql, termId: number): number {
  return uncommittedCount(sql, TERM_COUNTS, [termId]) - uncommittedCount(sql, SCHEDULED_TERMS, [termId]);
}
