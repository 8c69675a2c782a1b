import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import type { PostStatus } from '../../kernel/post-status.js';
import { isOneOf } from '../../kernel/sql-condition.js';
import { MADE_BY_EXPORT } from './line-key.js';
import { plainColumns } from './plain-columns.js';

const ROWS_A_PAGE = 200;

/** Pages by id: as quick at the end of a table as at its beginning, and never more than one page in memory. */
async function* pages<Row extends { readonly id: number }>(
  sql: Sql,
  columns: string,
  from: string,
  where: string,
): AsyncGenerator<Row[]> {
  for (let last = 0; ;) {
    const rows = await sql.query<Row>(
      `SELECT ${columns} FROM ${from} WHERE ${where} AND p.id > ? ORDER BY p.id LIMIT ${ROWS_A_PAGE}`,
      [last],
    );
    if (rows.length === 0) return;
    yield rows;
    last = (rows.at(-1) as Row).id;
  }
}

/** Parents before their children, one level of the tree after the other, of any depth. `where` is about the columns of p. */
async function* levels<Row extends { readonly id: number }>(
  sql: Sql,
  columns: string,
  table: string,
  parent: string,
  where = '1 = 1',
): AsyncGenerator<Row[]> {
  yield* pages<Row>(sql, columns, `${table} p`, `p.${parent} = 0 AND ${where}`);
  // Their ids alone are held, and looked up by: a condition would be one level of SELECTs deeper with each of the tree.
  const children = await sql.query<{ id: number; parent: number }>(
    `SELECT p.id, p.${parent} AS parent FROM ${table} p WHERE p.${parent} <> 0 AND ${where} ORDER BY p.id`,
  );
  for (const ids of levelsOf(children)) {
    for (let from = 0; from < ids.length; from += ROWS_A_PAGE) {
      yield await rowsOf<Row>(sql, columns, table, ids.slice(from, from + ROWS_A_PAGE));
    }
  }
}

/**
 * The ids of the children of those that are none themselves, then of their children and so on; each level ascending. At
 * the end those that are above themselves, which only changes by hand can make: an import refuses and names them.
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

/** At most a page of ids; the last one fills it, so that the statement is always the same. */
function rowsOf<Row>(sql: Sql, columns: string, table: string, ids: readonly number[]): Promise<Row[]> {
  const page = Array.from({ length: ROWS_A_PAGE }, (_, index) => ids[index] ?? (ids.at(-1) as number));
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
  p.password_hash,
  (SELECT e.slug FROM ${TABLES.events} e WHERE e.id = p.post_parent) AS parent_slug,
  (SELECT count(*) FROM ${TABLES.events} e WHERE e.post_parent = p.id) AS children,
  (SELECT max(l.line_key) FROM ${TABLES.importedLines} l
   WHERE l.event_id = p.id AND l.line_key NOT LIKE '${MADE_BY_EXPORT}%') AS line_key`;

export async function* eventPages(sql: Sql): AsyncGenerator<EventExport[]> {
  const events = levels<Omit<EventExport, keyof LinkExport>>(sql, EVENT, TABLES.events, 'post_parent');
  for await (const rows of events) yield await withLinks(sql, rows);
}

/** The events outside the trash that have these slugs. */
export async function eventsOfSlugs(sql: Sql, slugs: readonly string[]): Promise<EventExport[]> {
  const { sql: isWanted, params } = isOneOf('p.slug', slugs);
  const rows = await sql.query<Omit<EventExport, keyof LinkExport>>(
    `SELECT ${EVENT} FROM ${TABLES.events} p WHERE ${isWanted} AND p.status <> 'trash'`,
    params,
  );
  return rows.length === 0 ? [] : withLinks(sql, rows);
}

/** Four statements a page, in the order in which the links are shown. Links to records in the trash are `lost`. */
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

/** What an export reads. Flags are 0 or 1; slugs are those outside the trash. */
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
  /** In the trash another one than `slug`, which others may have by now; no two records of a kind have the same. */
  readonly stored_slug: string;
  readonly status: PostStatus;
  readonly date_utc: string;
  readonly description: string;
  /** null: the author is no user any more. */
  readonly author_login: string | null;
  readonly image: string | null;
}

interface LinkExport {
  readonly venues: readonly { readonly slug: string; readonly name: string }[];
  readonly organizers: readonly { readonly slug: string; readonly name: string }[];
  readonly categories: readonly { readonly slug: string }[];
  readonly tags: readonly { readonly slug: string }[];
  /** What its links to records in the trash lead to: `venue town-hall`. */
  readonly lost: readonly string[];
}

/** The columns of fields that are carried as they are come besides (plain-columns.ts). */
export interface EventExport extends PostExport, LinkExport {
  readonly start_local: string;
  readonly end_local: string;
  readonly start_utc: string;
  readonly end_utc: string;
  readonly timezone: string;
  readonly cost: string;
  readonly password_hash: string | null;
  /** The stored one. */
  readonly parent_slug: string | null;
  readonly children: number;
  /** Of the imported line that made the event. */
  readonly line_key: string | null;
}
