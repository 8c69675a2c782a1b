import type { Sql } from '../database/dialect.js';
import { TABLES } from '../database/tables.js';
import { isOneOf } from '../kernel/condition.js';
import type { EventExport, LinkExport, PostExport, TermExport, VenueExport } from './export.rows.js';

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

/** Parents before their children: one level of the tree after the other. */
async function* levels<Row extends { readonly id: number }>(
  read: (where: string) => AsyncGenerator<Row[]>,
  table: string,
  parent: string,
  onlyOf = '1 = 1',
): AsyncGenerator<Row[]> {
  let where = `${parent} = 0`;
  for (let found = true; found;) {
    found = false;
    for await (const rows of read(qualified(where, parent, onlyOf))) {
      found = true;
      yield rows;
    }
    where = `${parent} IN (SELECT id FROM ${table} WHERE ${where})`;
  }
}

/** The condition of the outermost level names its table; the others are the only table of their SELECT. */
function qualified(where: string, parent: string, onlyOf: string): string {
  return `p.${parent}${where.slice(parent.length)} AND ${onlyOf}`;
}

export function termPages(sql: Sql, taxonomy: string): AsyncGenerator<TermExport[]> {
  const columns = `p.id, p.slug, p.name, p.description,
    (SELECT t.slug FROM ${TABLES.terms} t WHERE t.id = p.parent) AS parent_slug`;
  return levels(
    (where) => pages<TermExport>(sql, columns, `${TABLES.terms} p`, where),
    TABLES.terms,
    'parent',
    `p.taxonomy = '${taxonomy}'`,
  );
}

const POST = `p.id, p.title, COALESCE(p.restore_slug, p.slug) AS slug, p.status, p.date_utc, p.description,
  (SELECT u.login FROM ${TABLES.users} u WHERE u.id = p.author_id) AS author_login,
  (SELECT i.url FROM ${TABLES.images} i WHERE i.id = p.image_id) AS image`;

export function venuePages(sql: Sql): AsyncGenerator<VenueExport[]> {
  const columns = `${POST}, p.address, p.city, p.country, p.province, p.state, p.stateprovince, p.zip, p.phone,
    p.website, p.show_map, p.show_map_link, p.geo_lat, p.geo_lng`;
  return pages(sql, columns, `${TABLES.venues} p`, '1 = 1');
}

export function organizerPages(sql: Sql): AsyncGenerator<(PostExport & { phone: string })[]> {
  return pages(sql, `${POST}, p.phone, p.website, p.email`, `${TABLES.organizers} p`, '1 = 1');
}

const EVENT = `${POST}, p.excerpt, p.start_local, p.end_local, p.start_utc, p.end_utc, p.timezone, p.all_day, p.cost,
  p.website, p.show_map, p.show_map_link, p.hide_from_listings, p.sticky, p.featured, p.ticketed, p.password_hash,
  (SELECT COALESCE(e.restore_slug, e.slug) FROM ${TABLES.events} e WHERE e.id = p.post_parent) AS parent_slug,
  (SELECT count(*) FROM ${TABLES.events} e WHERE e.post_parent = p.id) AS children`;

export async function* eventPages(sql: Sql): AsyncGenerator<EventExport[]> {
  const read = (where: string) => pages<Omit<EventExport, keyof LinkExport>>(sql, EVENT, `${TABLES.events} p`, where);
  for await (const rows of levels(read, TABLES.events, 'post_parent')) yield await withLinks(sql, rows);
}

/** Four statements a page, in the order in which the links are shown. Links to records in the trash are left out. */
async function withLinks(sql: Sql, rows: readonly Omit<EventExport, keyof LinkExport>[]): Promise<EventExport[]> {
  const ids = rows.map(({ id }) => id);
  const venues = await linked(sql, ids, TABLES.eventVenues, 'venue_id', TABLES.venues, "r.status <> 'trash'");
  const organizers = await linked(
    sql,
    ids,
    TABLES.eventOrganizers,
    'organizer_id',
    TABLES.organizers,
    "r.status <> 'trash'",
  );
  const ofTaxonomy = (name: string) =>
    linked(sql, ids, TABLES.eventTerms, 'term_id', TABLES.terms, `r.taxonomy = '${name}'`);
  const categories = await ofTaxonomy('tribe_events_cat');
  const tags = await ofTaxonomy('post_tag');
  return rows.map((row) => ({
    ...row,
    venues: venues.get(row.id) ?? [],
    organizers: organizers.get(row.id) ?? [],
    categories: categories.get(row.id) ?? [],
    tags: tags.get(row.id) ?? [],
  }));
}

type Linked = Map<number, { slug: string; name: string }[]>;

async function linked(
  sql: Sql,
  ids: readonly number[],
  table: string,
  column: string,
  records: string,
  where: string,
): Promise<Linked> {
  const [name, order] = records === TABLES.terms ? ['r.name', 'r.slug'] : ['r.title', 'l.position'];
  const of = isOneOf('l.event_id', ids);
  const rows = await sql.query<{ event_id: number; slug: string; name: string }>(
    `SELECT l.event_id, r.slug, ${name} AS name FROM ${table} l JOIN ${records} r ON r.id = l.${column}
     WHERE ${of.sql} AND ${where} ORDER BY l.event_id, ${order}`,
    of.params,
  );
  const found: Linked = new Map();
  for (const { event_id, slug, name: text } of rows) {
    const list = found.get(event_id) ?? [];
    if (list.length === 0) found.set(event_id, list);
    list.push({ slug, name: text });
  }
  return found;
}
