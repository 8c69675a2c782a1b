import type { Counter } from '../database/sql/counters.js';
import type { Sql } from '../database/sql/dialect.js';
import { TABLES } from '../database/sql/tables.js';
import { addedHere } from '../database/connection/transaction.js';
import type { UtcTime } from '../kernel/time/calendar-time.js';
import { type SqlCondition, condition } from '../kernel/sql-condition.js';
import { publicCountCorrection, isStatusDue } from '../kernel/visibility.js';

/** By term: the events that carry it themselves and are published or scheduled. */
export const TERM_COUNTS: Counter = { table: TABLES.termCounts, key: ['term_id'] };

/** Those among them that are stored as scheduled. */
export const SCHEDULED_TERMS: Counter = { table: TABLES.scheduledTerms, key: ['term_id'] };

/**
 * Joins to terms what `count` is made of (contract TERM-18): the events counted under `c`, those that are scheduled under
 * `f`, and under `s` what the clock has changed of it since.
 */
export function countsOf(term: string, nowUtc: UtcTime): SqlCondition {
  const { sql, params } = isStatusDue('e', nowUtc);
  // The LEFT makes every engine begin with the events, however few the links are.
  const since =
    `SELECT l.term_id, sum(${publicCountCorrection('e')}) AS events FROM ${TABLES.events} e LEFT JOIN ${TABLES.eventTerms} l ` +
    `ON l.event_id = e.id WHERE ${sql} GROUP BY l.term_id`;
  return condition(
    `LEFT JOIN ${TABLES.termCounts} c ON c.term_id = ${term}.id
     LEFT JOIN ${TABLES.scheduledTerms} f ON f.term_id = ${term}.id
     LEFT JOIN (${since}) s ON s.term_id = ${term}.id`,
    ...params,
  );
}

export const PUBLIC_EVENTS = 'COALESCE(c.event_count, 0) - COALESCE(f.event_count, 0) + COALESCE(s.events, 0)';

/** What the transaction that asks adds to `PUBLIC_EVENTS` of a term at its end. */
export function publicEventsAdded(sql: Sql, termId: number): number {
  return addedHere(sql, TERM_COUNTS, [termId]) - addedHere(sql, SCHEDULED_TERMS, [termId]);
}
