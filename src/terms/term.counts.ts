import type { Counter } from '../database/counters.js';
import { TABLES } from '../database/tables.js';
import type { UtcTime } from '../kernel/calendar-time.js';
import { type Condition, condition } from '../kernel/condition.js';
import { correction, overtaken } from '../kernel/overtaken.js';

/** By term: the events that carry it themselves and are stored as published. */
export const TERM_COUNTS: Counter = { table: TABLES.termCounts, key: ['term_id'] };

/** Joins to terms what `count` is made of (contract TERM-18): the events counted under `c`, and under `s` what corrects it. */
export function countsOf(term: string, nowUtc: UtcTime): Condition {
  const { sql, params } = overtaken('e', nowUtc);
  // The LEFT makes every engine begin with the events, however few the links are.
  const since =
    `SELECT l.term_id, sum(${correction('e')}) AS events FROM ${TABLES.events} e LEFT JOIN ${TABLES.eventTerms} l ` +
    `ON l.event_id = e.id WHERE ${sql} GROUP BY l.term_id`;
  return condition(
    `LEFT JOIN ${TABLES.termCounts} c ON c.term_id = ${term}.id LEFT JOIN (${since}) s ON s.term_id = ${term}.id`,
    ...params,
  );
}

export const PUBLIC_EVENTS = 'COALESCE(c.event_count, 0) + COALESCE(s.events, 0)';
