import { Injectable } from '@nestjs/common';
import type { ReadCache } from '../database/cache/read-cache.js';
import type { Sql } from '../database/sql/dialect.js';
import { TABLES } from '../database/sql/tables.js';
import type { UtcTime } from '../kernel/time/calendar-time.js';
import { type SqlCondition, condition } from '../kernel/sql-condition.js';

/** The public events of terms, known without SQL. */
export interface CountedTerms {
  /** Returns the number of public events of a term, without those of its children (contract TERM-18). */
  countOf(termId: number): number;
  /** Returns the terms with public events, and their ancestors (contract TERM-03). */
  usedIds(): ReadonlySet<number>;
}

/** How a request counts the events of terms: in memory, or by SQL at a time. */
export type TermCounting = CountedTerms | UtcTime;

/** Something that knows the events of all terms. */
export interface TermCountSource {
  /** Returns the counts of a request. undefined: it must count by SQL. */
  countsFor(sql: Sql): Promise<CountedTerms | undefined>;
  /** Returns the cache of a request with the records that stay cached across commits, if there are any. */
  withRecords(sql: ReadCache): Promise<ReadCache>;
}

/** Finds out how to count. The room of events tells its source, because it comes after this room. */
@Injectable()
export class TermCounts {
  source: TermCountSource | undefined;

  async countingFor(sql: Sql, nowUtc: UtcTime): Promise<TermCounting> {
    return (await this.source?.countsFor(sql)) ?? nowUtc;
  }

  async withRecords(sql: ReadCache): Promise<ReadCache> {
    return (await this.source?.withRecords(sql)) ?? sql;
  }
}

/** Counts nothing. For terms of which only the columns are needed. */
export const UNCOUNTED: CountedTerms = { countOf: () => 0, usedIds: () => new Set() };

const PUBLIC_EVENTS = `FROM ${TABLES.eventTerms} l JOIN ${TABLES.events} e ON e.id = l.event_id`;

/** Returns the number of public events of the term in a column, as a subquery. */
export function publicEventsOf(termId: string, nowUtc: UtcTime): SqlCondition {
  return condition(`(SELECT count(*) ${PUBLIC_EVENTS} WHERE l.term_id = ${termId} AND e.public_from <= ?)`, nowUtc);
}

/** Returns the condition that the term in a column has a public event. */
export function hasPublicEvent(termId: string, nowUtc: UtcTime): SqlCondition {
  return condition(`EXISTS (SELECT 1 ${PUBLIC_EVENTS} WHERE l.term_id = ${termId} AND e.public_from <= ?)`, nowUtc);
}
