import { setImmediate as yieldToRequests } from 'node:timers/promises';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { isOneOf } from '../../kernel/sql-condition.js';
import { EventSet } from './event-set.js';
import type { SearchBlockRow, SearchWordRow } from './search-index.entity.js';

/** Limits the time for which a statement keeps requests from running. Statements by the primary key are too short for a thread. */
const WORDS_PER_QUERY = 100;

/** Returns the events whose stored words contain former ones. */
export async function readStale(sql: Sql): Promise<EventSet> {
  const rows = await sql.query<Pick<SearchBlockRow, 'block' | 'stale'>>(
    `SELECT block, stale FROM ${TABLES.searchBlocks}`,
  );
  const stale = new EventSet();
  for (const row of rows) if (row.stale.length > 0) stale.addStored(row.block, row.stale);
  return stale;
}

/** Returns the events that have one of these words, and stale events that had. */
export async function readEvents(sql: Sql, words: readonly string[]): Promise<EventSet> {
  const events = new EventSet();
  for (let from = 0; from < words.length; from += WORDS_PER_QUERY) {
    const { sql: where, params } = isOneOf('word', words.slice(from, from + WORDS_PER_QUERY));
    const rows = await sql.query<Pick<SearchWordRow, 'block' | 'events'>>(
      `SELECT block, events FROM ${TABLES.searchWords} WHERE ${where}`,
      params,
    );
    for (const row of rows) events.addStored(row.block, row.events);
    await yieldToRequests();
  }
  return events;
}
