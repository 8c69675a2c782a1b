import { readAtVersion } from '../../database/cache/read-at-version.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { allOf, condition, isOneOf } from '../../kernel/sql-condition.js';
import type { EventRow } from '../event.entity.js';
import { idRange } from './event-set.js';

/** The text of an event. */
export type Text = Pick<EventRow, 'id' | 'search_text'>;

/** Limits memory, because texts may be long, and the time for which their words keep requests from running. */
const TEXTS_PER_QUERY = 50;

const SELECT = `SELECT e.id, e.search_text FROM ${TABLES.events} e`;

/** Yields the texts of events, some at a time, read from a state of the database that is not before a version. */
export async function* textsOf(sql: Sql, ids: readonly number[], version: number): AsyncGenerator<readonly Text[]> {
  for (let from = 0; from < ids.length; from += TEXTS_PER_QUERY) {
    const { sql: where, params } = isOneOf('e.id', ids.slice(from, from + TEXTS_PER_QUERY));
    yield (await readAtVersion<Text>(sql, version, condition(`${SELECT} WHERE ${where}`, ...params))).rows;
  }
}

/** Yields all texts of a block, some at a time. */
export async function* textsOfBlock(sql: Sql, block: number, version: number): AsyncGenerator<readonly Text[]> {
  const [from, to] = idRange(block);
  for (let next = from; ;) {
    const { sql: where, params } = allOf([condition('e.id >= ?', next), condition('e.id < ?', to)]);
    const select = condition(`${SELECT} WHERE ${where} ORDER BY e.id LIMIT ${TEXTS_PER_QUERY}`, ...params);
    const { rows } = await readAtVersion<Text>(sql, version, select);
    const texts = rows.toSorted((a, b) => a.id - b.id);
    yield texts;
    if (texts.length < TEXTS_PER_QUERY) return;
    next = texts.at(-1)!.id + 1;
  }
}
