import {
  fromVersion,
  readAtVersion,
  STATE_COLUMNS,
  type StateColumns,
  versionedRows,
  type VersionedRows,
} from '../../database/cache/read-at-version.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import type { PostStatus } from '../../kernel/post-status.js';
import { condition, isOneOf, type SqlCondition } from '../../kernel/sql-condition.js';
import { toSeconds } from '../../kernel/time/epoch-seconds.js';
import { byName, LINKED, LINKED_NAMES } from '../event.link-kinds.js';
import { type EventReadRow, idsOf } from '../event.query.js';
import { type EventFacts, NEVER } from './event-facts.js';

/** Ends the facts of an event, of which it shows that they are whole. */
const END = ';';
/** Between the events of a text. Both engines put a comma there by default, and write another separator differently. */
const NEXT = `${END},`;
/** Stands for null and for no ids. */
const NONE = '-';
/** Events whose ids differ in so many last bits make one text, which is several times faster than a row each. */
const ID_BITS = 4;
/**
 * How many characters of an event a text has. MariaDB's `group_concat` creates a table on the disk if they may be more than
 * 512, and reads must work while the disk is full. Only an event with dozens of links has more.
 */
const MAX_LENGTH_IN_TEXT = 512 - END.length;

const ids = (table: string, column: string) =>
  `(SELECT group_concat(l.${column}) FROM ${table} l WHERE l.event_id = e.id)`;
const orNone = (value: string) => `coalesce(${value}, '${NONE}')`;
/** The facts of an event, in the order in which `factsInText` takes them. No value contains a bar. */
const FACTS = [
  'e.id',
  'e.start_utc',
  'e.end_utc',
  orNone('e.public_from'),
  'e.status',
  orNone('e.trashed_from'),
  'e.hide_from_listings',
  'e.featured',
  'e.ticketed',
  'e.password_hash IS NOT NULL',
  'e.author_id',
  'e.post_parent',
  orNone(ids(TABLES.eventTerms, 'term_id')),
  ...LINKED_NAMES.map((name) => orNone(ids(LINKED[name].kind.linkTable, LINKED[name].kind.linkColumn))),
  `'${END}'`,
].join(', ');
const FACTS_TEXT = `concat_ws('|', ${FACTS})`;

/** Events whose facts are in one text. */
interface FactsRow {
  readonly id: number;
  readonly events: number;
  readonly facts: string;
}

/** Returns the facts of those of the events that exist, from a state that is not before a version. */
export function findFacts(sql: Sql, eventIds: readonly number[], version: number): Promise<EventFacts[]> {
  const where = isOneOf('e.id', eventIds);
  return read(sql, version, condition(`SELECT e.id FROM ${TABLES.events} e WHERE ${where.sql}`, ...where.params));
}

/** Returns the facts of the next events after an id, by ascending id, from a state that is not before a version. */
export async function factsAfter(sql: Sql, id: number, count: number, version: number): Promise<EventFacts[]> {
  const next = condition(`SELECT e.id FROM ${TABLES.events} e WHERE e.id > ? ORDER BY e.id LIMIT ${count}`, id);
  return (await read(sql, version, next)).sort((a, b) => a.id - b.id);
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

/** Returns the facts of the events whose ids a statement selects. */
async function read(sql: Sql, version: number, selected: SqlCondition): Promise<EventFacts[]> {
  const texts = (await fromVersion(version, () => textsOf(sql, selected))).rows.flatMap(eventsIn);
  const isWhole = texts.every((text) => text.endsWith(END));
  return (isWhole ? texts : await longTexts(sql, version, selected)).map(factsInText);
}

/**
 * Reads the events in texts that may cut them. MariaDB keeps texts of a temporary table on the disk. So the outermost SELECT
 * groups them, by its first table, which needs no such table. The id of no event gives the state if no event is found:
 * MariaDB does not sort a table of an outer join by itself.
 */
async function textsOf(sql: Sql, { sql: selected, params }: SqlCondition): Promise<VersionedRows<FactsRow>> {
  const text = `concat_ws('', substr(${FACTS_TEXT}, 1, ${MAX_LENGTH_IN_TEXT}), '${END}')`;
  const rows = await sql.query<FactsRow & StateColumns>(
    `SELECT ${STATE_COLUMNS}, min(e.id) AS id, count(*) AS events, group_concat(${text}) AS facts
     FROM ${TABLES.dataVersion} v JOIN (SELECT -1 AS id UNION ALL SELECT s.id FROM (${selected}) s) p
     LEFT JOIN ${TABLES.events} e ON e.id = p.id WHERE v.id = 1 GROUP BY p.id >> ${ID_BITS}`,
    params,
  );
  return versionedRows(rows);
}

function eventsIn({ events, facts }: FactsRow): string[] {
  const found = facts.slice(0, -END.length).split(NEXT);
  if (found.length !== Number(events) || !facts.endsWith(END))
    throw new Error('The database has cut the facts of events.');
  return found;
}

/** Reads each event in a row, of any length. */
async function longTexts(sql: Sql, version: number, { sql: selected, params }: SqlCondition): Promise<string[]> {
  const select = condition(
    `SELECT e.id, ${FACTS_TEXT} AS facts FROM (${selected}) p JOIN ${TABLES.events} e ON e.id = p.id`,
    ...params,
  );
  return (await readAtVersion<Pick<FactsRow, 'id' | 'facts'>>(sql, version, select)).rows.map(({ facts }) => facts);
}

function factsInText(text: string): EventFacts {
  const [id, start, end, publicFrom, status, trashedFrom, hidden, featured, ticketed, isProtected, ...rest] =
    text.split('|') as [string, string, string, string, PostStatus, PostStatus, ...string[]];
  const [author, parent, terms, ...linked] = rest as [string, string, string, ...string[]];
  return {
    id: Number(id),
    start: toSeconds(start),
    end: toSeconds(end),
    publicFrom: publicFrom === NONE ? NEVER : toSeconds(publicFrom),
    status,
    trashedFrom: (trashedFrom as string) === NONE ? null : trashedFrom,
    isHidden: hidden === '1',
    isFeatured: featured === '1',
    isTicketed: ticketed === '1',
    isProtected: isProtected === '1',
    authorId: Number(author),
    parentId: Number(parent),
    linkedIds: byName((name) => idsIn(linked[LINKED_NAMES.indexOf(name)]!)),
    termIds: idsIn(terms),
  };
}

function idsIn(text: string): number[] {
  return idsOf(text === NONE ? null : text);
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
