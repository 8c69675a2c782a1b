import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { fromVersion, readAtVersion, type StateColumns, versionedRows } from '../../database/cache/read-at-version.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { condition, isOneOf, type SqlCondition } from '../../kernel/sql-condition.js';
import { toSeconds } from '../../kernel/time/epoch-seconds.js';
import { byName } from '../event.link-kinds.js';
import { type EventReadRow, idsOf } from '../event.query.js';
import { type EventFacts, NEVER } from './event-facts.js';
import { EVENT_TEXTS, FACTS_TEXT, factsInText, factsInTexts, LINK_TEXTS, type Texts } from './facts-text.js';

/**
 * So many ids are read together. Their events make a text of at most 400,000 characters, and `group_concat` cuts those of more
 * than a million.
 */
const IDS_PER_RANGE = 2_000;

const STATE = `(SELECT version FROM ${TABLES.dataVersion} WHERE id = 1) AS read_version,
  (SELECT epoch FROM ${TABLES.dataVersion} WHERE id = 1) AS read_epoch`;
const SOURCES = [EVENT_TEXTS, ...LINK_TEXTS];
/** The place of the row that has the first id after the range. */
const NEXT_PLACE = SOURCES.length;

/**
 * Selects the texts of each source, and the first id after the range. It has neither joins nor derived tables, because
 * MariaDB would keep the texts in a table on the disk.
 */
const SELECT_TEXTS = [
  ...SOURCES.map(
    ({ table, id, text }, place) =>
      `SELECT ${STATE}, ${place} AS id, count(*) AS count, group_concat(${text}) AS text FROM ${table} WHERE ${id} > ? AND ${id} <= ?`,
  ),
  `SELECT ${STATE}, ${NEXT_PLACE}, (SELECT e.id FROM ${TABLES.events} e WHERE e.id > ? ORDER BY e.id LIMIT 1), NULL`,
].join(' UNION ALL ');

interface TextsRow {
  readonly id: number;
  readonly count: number | null;
  readonly text: string | null;
}

/** Ids after `from`, up to `to`. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** The events of a range, their links, and the first id after the range. */
interface RangeTexts {
  readonly range: Range;
  readonly events: Texts;
  readonly links: readonly Texts[];
  readonly nextId: number | undefined;
}

/** Returns the facts of those of the events that exist, from a state that is not before a version. */
export function findFacts(sql: Sql, eventIds: readonly number[], version: number): Promise<EventFacts[]> {
  return factsWhere(sql, isOneOf('e.id', eventIds), version);
}

/**
 * Yields the facts of all events by ascending id, from states that are not before a version. The database reads the next events
 * while the caller uses some.
 */
export async function* allFacts(sql: Sql, version: number): AsyncGenerator<readonly EventFacts[]> {
  let next: Promise<RangeTexts> | undefined = textsAfter(sql, 0, version);
  while (next !== undefined) {
    const texts: RangeTexts = await next;
    next = texts.nextId === undefined ? undefined : textsAfter(sql, texts.nextId - 1, version);
    // The caller gets this error with the next facts, if it takes them.
    next?.catch(() => undefined);
    // The statement is sent in the turn after the next one (pool.ts), before this process is busy with these texts.
    await yieldToRequests();
    await yieldToRequests();
    yield await factsIn(sql, texts, version);
  }
}

/** A category and its parent. 0: none. */
export interface TermFacts {
  readonly id: number;
  readonly parent: number;
}

/** Returns those of the terms that exist, or all with a parent, from a state that is not before a version. */
export async function findTermFacts(
  sql: Sql,
  termIds: readonly number[] | undefined,
  version: number,
): Promise<readonly TermFacts[]> {
  const where = termIds === undefined ? condition('parent <> 0') : isOneOf('id', termIds);
  const select = condition(`SELECT id, parent FROM ${TABLES.terms} WHERE ${where.sql}`, ...where.params);
  return (await readAtVersion<TermFacts>(sql, version, select)).rows;
}

/** Reads each event in a row, of any length. */
async function factsWhere(sql: Sql, where: SqlCondition, version: number): Promise<EventFacts[]> {
  const select = condition(
    `SELECT e.id, ${FACTS_TEXT} AS facts FROM ${TABLES.events} e WHERE ${where.sql}`,
    ...where.params,
  );
  const { rows } = await readAtVersion<{ readonly id: number; readonly facts: string }>(sql, version, select);
  return rows.map(({ facts }) => factsInText(facts));
}

async function textsAfter(sql: Sql, from: number, version: number): Promise<RangeTexts> {
  const range = { from, to: from + IDS_PER_RANGE };
  const params = [...SOURCES.flatMap(() => [range.from, range.to]), range.to];
  const read = async () => versionedRows(await sql.query<TextsRow & StateColumns>(SELECT_TEXTS, params));
  const rows = (await fromVersion(version, read)).rows.toSorted((a, b) => a.id - b.id);
  const [events, ...links] = rows
    .slice(0, NEXT_PLACE)
    .map(({ text, count }) => ({ text: text ?? '', count: Number(count) }));
  return { range, events: events!, links, nextId: rows[NEXT_PLACE]?.count ?? undefined };
}

/** Reads the events one by one if the database has cut a text, because events have very many links. */
async function factsIn(sql: Sql, { range, events, links }: RangeTexts, version: number): Promise<EventFacts[]> {
  const facts = factsInTexts(events, links);
  return facts ?? factsWhere(sql, condition('e.id > ? AND e.id <= ?', range.from, range.to), version);
}

/** Returns the facts in the row of a response. */
export function factsOfShown(row: EventReadRow): EventFacts {
  return {
    id: row.id,
    start: toSeconds(row.start_utc),
    end: toSeconds(row.end_utc),
    publicFrom: row.public_from === null ? NEVER : toSeconds(row.public_from),
    status: row.status,
    trashedFrom: row.trashed_from,
    isHidden: row.hide_from_listings === 1,
    isFeatured: row.featured === 1,
    isTicketed: row.ticketed === 1,
    isProtected: row.password_hash !== null,
    authorId: row.author_id,
    parentId: row.post_parent,
    linkedIds: byName((name) => idsOf(row[`${name}_ids`])),
    termIds: idsOf(row.term_ids),
  };
}
