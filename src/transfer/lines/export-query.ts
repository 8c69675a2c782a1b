import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import type { PostStatus } from '../../kernel/post-status.js';
import { isOneOf } from '../../kernel/sql-condition.js';
import { EXPORTED_KEY_PREFIX } from './line-key.js';
import { plainColumns } from './plain-columns.js';

const ROWS_PER_PAGE = 200;

/** Yields pages by id (keyset pagination), so that late pages are as fast as early ones. */
async function* pages<Row extends { readonly id: number }>(
  sql: Sql,
  columns: string,
  from: string,
  where: string,
): AsyncGenerator<Row[]> {
  for (let last = 0; ;) {
    const rows = await sql.query<Row>(
      `SELECT ${columns} FROM ${from} WHERE ${where} AND p.id > ? ORDER BY p.id LIMIT ${ROWS_PER_PAGE}`,
      [last],
    );
    if (rows.length === 0) return;
    yield rows;
    last = (rows.at(-1) as Row).id;
  }
}

/** Yields parents before their children, level by level. `where` is a condition for `p`. */
async function* levels<Row extends { readonly id: number }>(
  sql: Sql,
  columns: string,
  table: string,
  parent: string,
  where = '1 = 1',
): AsyncGenerator<Row[]> {
  yield* pages<Row>(sql, columns, `${table} p`, `p.${parent} = 0 AND ${where}`);
  // Loads only the ids of children and builds the tree here, because SQL would need a nested SELECT for each level.
  const children = await sql.query<{ id: number; parent: number }>(
    `SELECT p.id, p.${parent} AS parent FROM ${table} p WHERE p.${parent} <> 0 AND ${where} ORDER BY p.id`,
  );
  for (const ids of levelsOf(children)) {
    for (let from = 0; from < ids.length; from += ROWS_PER_PAGE) {
      yield await rowsOf<Row>(sql, columns, table, ids.slice(from, from + ROWS_PER_PAGE));
    }
  }
}

/**
 * Yields the ids of the children of top-level records, then of their children and so on, ascending in each level. Yields
 * cycles last. Only manual changes of the database create cycles; an import rejects their lines.
 */
function* levelsOf(children: readonly { readonly id: number; readonly parent: number }[]): Generator<number[]> {
  const below = new Map<number, number[]>();
  for (const { id, parent } of children) {
    const siblings = below.get(parent);
    if (siblings === undefined) below.set(parent, [id]);
    else siblings.push(id);
  }
  const nested = new Set(children.map(({ id }) => id));
  const childrenOf = (ids: readonly number[]) => ids.flatMap((id) => below.get(id) ?? []).sort((a, b) => a - b);
  let level = childrenOf([...below.keys()].filter((id) => !nested.has(id)));
  for (; level.length > 0; level = childrenOf(level)) {
    yield level;
    for (const id of level) nested.delete(id);
  }
  if (nested.size > 0) yield [...nested];
}

/** Returns the rows of at most a page of ids. Repeats the last id, so that the number of parameters is constant. */
function rowsOf<Row>(sql: Sql, columns: string, table: string, ids: readonly number[]): Promise<Row[]> {
  const page = Array.from({ length: ROWS_PER_PAGE }, (_, index) => ids[index] ?? (ids.at(-1) as number));
  const { sql: isInPage, params } = isOneOf('p.id', page);
  return sql.query<Row>(`SELECT ${columns} FROM ${table} p WHERE ${isInPage} ORDER BY p.id`, params);
}

export function termPages(sql: Sql, taxonomy: string): AsyncGenerator<TermExport[]> {
  const columns = `p.id, p.slug, p.name, p.description,
    (SELECT t.slug FROM ${TABLES.terms} t WHERE t.id = p.parent) AS parent_slug`;
  return levels<TermExport>(sql, columns, TABLES.terms, 'parent', `p.taxonomy = '${taxonomy}'`);
}

const POST = `p.id, p.title, COALESCE(p.restore_slug, p.slug) AS slug, p.slug AS stored_slug, p.status, p.date_utc, p.description,
  (SELECT u.login FROM ${TABLES.users} u WHERE u.id = p.author_id) AS author_login,
  (SELECT i.url FROM ${TABLES.images} i WHERE i.id = p.image_id) AS image`;

export function linkedPostPages(sql: Sql, record: 'venue' | 'organizer'): AsyncGenerator<PostExport[]> {
  return pages(sql, `${POST}, ${plainColumns(record)}`, `${TABLES[`${record}s`]} p`, '1 = 1');
}

const EVENT = `${POST}, ${plainColumns('event')}, p.start_local, p.end_local, p.start_utc, p.end_utc, p.cost,
  p.password_hash, p.uid,
  (SELECT e.slug FROM ${TABLES.events} e WHERE e.id = p.post_parent) AS parent_slug,
  (SELECT count(*) FROM ${TABLES.events} e WHERE e.post_parent = p.id) AS children,
  (SELECT max(l.line_key) FROM ${TABLES.importedLines} l
   WHERE l.event_id = p.id AND l.line_key NOT LIKE '${EXPORTED_KEY_PREFIX}%') AS line_key`;

export async function* eventPages(sql: Sql): AsyncGenerator<EventExport[]> {
  const events = levels<Omit<EventExport, keyof LinkExport>>(sql, EVENT, TABLES.events, 'post_parent');
  for await (const rows of events) yield await withLinks(sql, rows);
}

/** Returns the events with these slugs, without those in the trash. */
export async function eventsOfSlugs(sql: Sql, slugs: readonly string[]): Promise<EventExport[]> {
  const { sql: isWanted, params } = isOneOf('p.slug', slugs);
  const rows = await sql.query<Omit<EventExport, keyof LinkExport>>(
    `SELECT ${EVENT} FROM ${TABLES.events} p WHERE ${isWanted} AND p.status <> 'trash'`,
    params,
  );
  return rows.length === 0 ? [] : withLinks(sql, rows);
}

/** Adds the links, in the order of responses, with four statements per page. Links to records in the trash are `lost`. */
async function withLinks(sql: Sql, rows: readonly Omit<EventExport, keyof LinkExport>[]): Promise<EventExport[]> {
  const ids = rows.map(({ id }) => id);
  const venues = await linkedPosts(sql, ids, 'venue');
  const organizers = await linkedPosts(sql, ids, 'organizer');
  const categories = await linkedTerms(sql, ids, 'tribe_events_cat');
  const tags = await linkedTerms(sql, ids, 'post_tag');
  return rows.map((row) => {
    const posts = { venue: venues.get(row.id) ?? [], organizer: organizers.get(row.id) ?? [] };
    return {
      ...row,
      venues: posts.venue.filter(isOutsideTrash),
      organizers: posts.organizer.filter(isOutsideTrash),
      categories: categories.get(row.id) ?? [],
      tags: tags.get(row.id) ?? [],
      lost: Object.entries(posts).flatMap(([record, links]) =>
        links.filter((link) => !isOutsideTrash(link)).map(({ slug }) => `${record} ${slug}`),
      ),
    };
  });
}

interface Linked {
  readonly event_id: number;
  readonly slug: string;
  readonly name: string;
  readonly status: string;
}

function isOutsideTrash({ status }: Linked): boolean {
  return status !== 'trash';
}

function linkedPosts(sql: Sql, ids: readonly number[], record: 'venue' | 'organizer'): Promise<Map<number, Linked[]>> {
  const links = record === 'venue' ? TABLES.eventVenues : TABLES.eventOrganizers;
  return byEvent(
    sql,
    ids,
    `SELECT l.event_id, COALESCE(r.restore_slug, r.slug) AS slug, r.title AS name, r.status
     FROM ${links} l JOIN ${TABLES[`${record}s`]} r ON r.id = l.${record}_id`,
    'l.position',
  );
}

function linkedTerms(sql: Sql, ids: readonly number[], taxonomy: string): Promise<Map<number, Linked[]>> {
  return byEvent(
    sql,
    ids,
    `SELECT l.event_id, r.slug, r.name, '' AS status
     FROM ${TABLES.eventTerms} l JOIN ${TABLES.terms} r ON r.id = l.term_id AND r.taxonomy = '${taxonomy}'`,
    'r.slug',
  );
}

async function byEvent(
  sql: Sql,
  ids: readonly number[],
  select: string,
  order: string,
): Promise<Map<number, Linked[]>> {
  const of = isOneOf('l.event_id', ids);
  const rows = await sql.query<Linked>(`${select} WHERE ${of.sql} ORDER BY l.event_id, ${order}`, of.params);
  const found = new Map<number, Linked[]>();
  for (const row of rows) {
    const list = found.get(row.event_id) ?? [];
    if (list.length === 0) found.set(row.event_id, list);
    list.push(row);
  }
  return found;
}

/** The exported columns of a term. */
export interface TermExport {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly parent_slug: string | null;
}

export interface PostExport {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  /** The unique slug. In the trash it differs from `slug`, which another record may have. */
  readonly stored_slug: string;
  readonly status: PostStatus;
  readonly date_utc: string;
  readonly description: string;
  /** null: the author's user was deleted. */
  readonly author_login: string | null;
  readonly image: string | null;
}

interface LinkExport {
  readonly venues: readonly { readonly slug: string; readonly name: string }[];
  readonly organizers: readonly { readonly slug: string; readonly name: string }[];
  readonly categories: readonly { readonly slug: string }[];
  readonly tags: readonly { readonly slug: string }[];
  /** The linked records that are in the trash, such as `venue town-hall`. */
  readonly lost: readonly string[];
}

/** The exported columns of an event, without those of plain-columns.ts. */
export interface EventExport extends PostExport, LinkExport {
  readonly start_local: string;
  readonly end_local: string;
  readonly start_utc: string;
  readonly end_utc: string;
  readonly timezone: string;
  readonly cost: string;
  readonly password_hash: string | null;
  readonly uid: string | null;
  /** The stored slug of the parent, also if that is in the trash. */
  readonly parent_slug: string | null;
  readonly children: number;
  /** The key of the imported line that created the event. */
  readonly line_key: string | null;
}
