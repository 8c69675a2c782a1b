import { addDays, addMonths } from '../../src/kernel/time/calendar-arithmetic.js';
import type { Driver } from '../database.js';
import type { ReplyData, RequestData } from './http.js';
import { event, type Linked, type Row, term, venue } from './shapes.js';
import type { TermCounts } from './term-counts.js';

const ids = (table: string, column: string, order: string) =>
  `(SELECT group_concat(l.${column} ORDER BY l.${order}) FROM ${table} l WHERE l.event_id = e.id)`;
const EVENT =
  'e.id, e.slug, e.title, e.description, e.excerpt, e.status, e.author_id, e.date_utc, e.modified_utc, e.revision, ' +
  'e.image_id, e.start_local, e.end_local, e.start_utc, e.end_utc, e.timezone, e.all_day, e.cost, e.website, ' +
  'e.show_map, e.show_map_link, e.hide_from_listings, e.sticky, e.featured, e.ticketed, e.post_parent, ' +
  'i.url AS image_url, ' +
  `${ids('event_venues', 'venue_id', 'position')} AS venue_ids, ` +
  `${ids('event_organizers', 'organizer_id', 'position')} AS organizer_ids, ` +
  `${ids('event_terms', 'term_id', 'term_id')} AS term_ids`;
const LINKED =
  'p.id, p.slug, p.title, p.description, p.status, p.author_id, p.date_utc, p.modified_utc, p.image_id, p.phone, ' +
  'p.website, i.url AS image_url';
const VENUE =
  `SELECT ${LINKED}, p.address, p.city, p.country, p.province, p.state, p.stateprovince, p.zip, p.show_map, ` +
  'p.show_map_link, p.geo_lat, p.geo_lng FROM venues p LEFT JOIN images i ON i.id = p.image_id';
const ORGANIZER = `SELECT ${LINKED}, p.email FROM organizers p LEFT JOIN images i ON i.id = p.image_id`;
const TERM =
  'SELECT t.id, t.taxonomy, t.slug, t.name, t.name_key, t.description, t.parent, t.modified_utc FROM terms t';

/** The reads of an anonymous caller, with the fewest statements possible without a cache. Runs them concurrently. */
export class Reads {
  constructor(
    private readonly driver: Driver,
    private readonly counts: TermCounts,
  ) {}

  async events(asked: RequestData): Promise<ReplyData> {
    const { query, nowUtc } = asked;
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 10)];
    const today = `${nowUtc.slice(0, 10)} 00:00:00`;
    const start = `${query.get('start_date') ?? addDays(today, -1).slice(0, 10)} 00:00:00`;
    const end = `${query.get('end_date') ?? addMonths(today, 24).slice(0, 10)} 00:00:00`;
    const filter = await this.filter(query, nowUtc);
    const where = `e.hide_from_listings = 0 AND e.start_utc >= ? AND e.start_utc < ? AND e.end_utc < ? AND e.public_from <= ?${filter.sql}`;
    const until = addDays(end, 1);
    const values = [start, until, until, nowUtc, ...filter.values];
    const isByDates = filter.sql === '';
    // Without a hint, MySQL and MariaDB read every past event of such a list.
    const hint = isByDates ? this.driver.byIndex('ix_events_list') : '';
    const [[{ total }], rows] = (await Promise.all([
      this.driver.rows(`SELECT count(*) AS total FROM events e${hint} WHERE ${where}`, values),
      this.driver.rows(
        `SELECT ${EVENT} FROM (SELECT e.id FROM events e${hint} WHERE ${where} ORDER BY e.start_utc, e.id LIMIT ? OFFSET ?) p ` +
          'JOIN events e ON e.id = p.id LEFT JOIN images i ON i.id = e.image_id ORDER BY e.start_utc, e.id',
        [...values, size, (page - 1) * size],
      ),
    ])) as [[{ total: number }], Row[]];
    const linked = await this.linked(rows, nowUtc);
    const events = rows.map((row) => event(row, linked(row), asked, false));
    const shown: [string, string][] = [
      ['start_date', start],
      ['end_date', `${end.slice(0, 10)} 23:59:59`],
    ];
    for (const name of ['search', 'status', 'venue', 'featured', 'categories', 'tags']) {
      const value = name === 'status' ? 'publish' : query.get(name);
      if (value !== null) shown.push([name, value]);
    }
    const { links, paging } = linksOf(`${asked.baseUrl}/events/`, shown, page, size, total);
    return { body: { events, ...links, total, total_pages: Math.ceil(total / size) }, paging };
  }

  /** `single`: with json_ld, which responses of writes do not have. */
  async event(asked: RequestData, column: 'id' | 'slug', value: string, single = true): Promise<ReplyData> {
    const sql = `SELECT ${EVENT} FROM events e LEFT JOIN images i ON i.id = e.image_id WHERE e.${column} = ? AND e.public_from <= ?`;
    const [row] = await this.driver.rows<Row>(sql, [column === 'id' ? Number(value) : value, asked.nowUtc]);
    const linked = (await this.linked([row], asked.nowUtc))(row);
    const all = [row, ...linked.venues, ...linked.organizers, ...linked.categories, ...linked.tags];
    const modifiedUtc = all.reduce((latest: string, { modified_utc: t }) => (t > latest ? t : latest), '');
    return { body: event(row, linked, asked, single), revision: row.revision, modifiedUtc };
  }

  async venues(asked: RequestData): Promise<ReplyData> {
    const [page, size] = [Number(asked.query.get('page') ?? 1), Number(asked.query.get('per_page') ?? 10)];
    const [[{ total }], rows] = (await Promise.all([
      this.driver.rows('SELECT count(*) AS total FROM venues p WHERE p.public_from <= ?', [asked.nowUtc]),
      this.driver.rows(`${VENUE} WHERE p.public_from <= ? ORDER BY p.date_utc DESC, p.id DESC LIMIT ? OFFSET ?`, [
        asked.nowUtc,
        size,
        (page - 1) * size,
      ]),
    ])) as [[{ total: number }], Row[]];
    const venues = rows.map((row) => venue(row, asked, false));
    const { links, paging } = linksOf(`${asked.baseUrl}/venues/`, [['status', 'publish']], page, size, total);
    return { body: { venues, ...links, total, total_pages: Math.ceil(total / size) }, paging };
  }

  async categories(asked: RequestData): Promise<ReplyData> {
    const [page, size] = [Number(asked.query.get('page') ?? 1), Number(asked.query.get('per_page') ?? 10)];
    const used = this.counts.usedCategories();
    const total = used.length;
    const rows = await this.driver.rows<Row>(
      `${TERM} WHERE t.id IN (${places(used)}) ORDER BY t.name_key, t.id LIMIT ? OFFSET ?`,
      [...used, size, (page - 1) * size],
    );
    const { links, paging } = linksOf(`${asked.baseUrl}/categories/`, [], page, size, total);
    const { rest_url, ...others } = links;
    const categories = rows.map((row) => term(this.counted(row), asked));
    return { body: { rest_url, total, total_pages: Math.ceil(total / size), categories, ...others }, paging };
  }

  private async filter(query: URLSearchParams, nowUtc: string): Promise<{ sql: string; values: (string | number)[] }> {
    const [category, place, word] = [query.get('categories'), query.get('venue'), query.get('search')];
    const tag = query.get('tags');
    if (query.get('featured') === 'true') return { sql: ' AND e.featured = 1 AND e.password_hash IS NULL', values: [] };
    if (category !== null && tag !== null) {
      const [branch, tagged] = [await this.filter(new URLSearchParams({ categories: category }), nowUtc), Number(tag)];
      const ofTag = inLinks('event_terms', 'term_id', [tagged]);
      return { sql: branch.sql + ofTag.sql, values: [...branch.values, ...ofTag.values] };
    }
    if (category !== null) {
      const branch = await this.driver.rows<{ id: number }>(
        'WITH RECURSIVE branch (id) AS (SELECT id FROM terms WHERE id = ? UNION SELECT c.id FROM terms c ' +
          'JOIN branch p ON c.parent = p.id) SELECT id FROM branch',
        [Number(category)],
      );
      const found = branch.map(({ id }) => id);
      return inLinks('event_terms', 'term_id', found);
    }
    if (place !== null) {
      await this.driver.rows('SELECT id FROM venues WHERE id = ? AND public_from <= ?', [Number(place), nowUtc]);
      return inLinks('event_venues', 'venue_id', [Number(place)]);
    }
    if (word === null) return { sql: '', values: [] };
    return { sql: ' AND instr(e.search_text, ?) > 0 AND e.password_hash IS NULL', values: [word] };
  }

  private counted(row: Row): Row {
    return { ...row, event_count: this.counts.of(row.id as number) };
  }

  /** Loads the linked records of a page's events with three concurrent statements. */
  private async linked(rows: Row[], nowUtc: string): Promise<(row: Row) => Linked> {
    const [venueIds, organizerIds, termIds] = ['venue_ids', 'organizer_ids', 'term_ids'].map((column) => [
      ...new Set(rows.flatMap((row) => numbers(row[column]))),
    ]) as [number[], number[], number[]];
    const visible = (list: number[]) =>
      `WHERE p.id IN (${places(list)}) AND p.public_from <= ? AND p.status <> 'trash'`;
    const [venues, organizers, terms] = (await Promise.all([
      venueIds.length === 0 ? [] : this.driver.rows(`${VENUE} ${visible(venueIds)}`, [...venueIds, nowUtc]),
      organizerIds.length === 0
        ? []
        : this.driver.rows(`${ORGANIZER} ${visible(organizerIds)}`, [...organizerIds, nowUtc]),
      termIds.length === 0 ? [] : this.driver.rows(`${TERM} WHERE t.id IN (${places(termIds)})`, termIds),
    ])) as [Row[], Row[], Row[]];
    terms.sort((a, b) => (a.name_key === b.name_key ? a.id - b.id : a.name_key < b.name_key ? -1 : 1));
    const [venueById, organizerById] = [byId(venues), byId(organizers)];
    return (row) => {
      const own = new Set(numbers(row.term_ids));
      const ownTerms = terms.filter(({ id }) => own.has(id)).map((one) => this.counted(one));
      return {
        venues: numbers(row.venue_ids).flatMap((id) => venueById.get(id) ?? []),
        organizers: numbers(row.organizer_ids).flatMap((id) => organizerById.get(id) ?? []),
        categories: ownTerms.filter(({ taxonomy }) => taxonomy !== 'post_tag'),
        tags: ownTerms.filter(({ taxonomy }) => taxonomy === 'post_tag'),
      };
    };
  }
}

function linksOf(base: string, filters: [string, string][], page: number, size: number, total: number) {
  const link = (pairs: [string, string][]) => `${base}?${new URLSearchParams(pairs).toString()}`;
  const sized: [string, string] = ['per_page', String(size)];
  const rest_url = link([['page', String(page)], sized, ...filters]);
  const other = (n: number) => link([sized, ...filters, ...(n > 1 ? [['page', String(n)] as [string, string]] : [])]);
  const next = page < Math.ceil(total / size) ? other(page + 1) : undefined;
  const previous = page > 1 ? other(page - 1) : undefined;
  const links = {
    rest_url,
    ...(next === undefined ? {} : { next_rest_url: next }),
    ...(previous === undefined ? {} : { previous_rest_url: previous }),
  };
  return { links, paging: { total, size, next, previous } };
}

function inLinks(table: string, column: string, list: number[]): { sql: string; values: number[] } {
  const linked = `SELECT event_id FROM ${table} WHERE ${column} IN (${places(list)})`;
  return { sql: ` AND e.id IN (${linked}) AND e.password_hash IS NULL`, values: list };
}

function numbers(csv: string | null): number[] {
  return csv === null ? [] : csv.split(',').map(Number);
}

function places(list: readonly unknown[]): string {
  return list.map(() => '?').join(', ');
}

function byId(rows: Row[]): Map<number, Row> {
  return new Map(rows.map((row: Row) => [row.id, row]));
}
