import { Database } from '../../src/database/database.js';
import { EventSearch } from '../../src/events/search/event-search.js';
import { eventCondition, type EventFilter } from '../../src/events/filter/filter.js';
import { ANONYMOUS } from '../../src/kernel/caller.js';
import { NEVER } from '../../src/kernel/sql-condition.js';
import { Environment } from '../../src/config/environment.js';
import type { RequestContext } from '../../src/platform/http/request-context.js';
import { useApp } from '../support/events.js';
import { category, event, organizer, tag, venue } from '../support/factories.js';
import { insertEvent } from '../support/rows.js';
import { recordStatements, type SentStatement } from '../support/statements.js';

/** The index of events is off here, because it sends other statements. */
const app = useApp({ CACHE_ENTRIES: '0', INDEX: 'off', SEARCH_INDEX_FROM: '0' });
let sent: SentStatement[];
let slug = '';

beforeAll(async () => {
  const { client, tokens } = app();
  const place = await venue(client, tokens.adm, { venue: 'Hall' });
  const person = await organizer(client, tokens.adm, { organizer: 'Ann' });
  const music = await category(client, tokens.adm, { name: 'Music' });
  const red = await tag(client, tokens.adm, { name: 'Red' });
  for (let n = 1; n <= 12; n += 1) {
    const links = [
      { venue: place.id, tags: [red.id] },
      { organizer: person.id, categories: [music.id] },
    ][n % 2];
    slug = (await event(client, tokens.adm, { title: `Event ${n}`, ...links })).slug as string;
  }
  // Enough past events that engines prefer a range scan from the first day on.
  for (let n = 1; n <= 100; n += 1)
    await insertEvent(app(), { start_utc: '2020-01-01 10:00:00', end_utc: '2020-01-01 12:00:00' });
  sent = recordStatements(app());
});

const EXPLAIN = { sqlite: 'EXPLAIN QUERY PLAN', mysql: 'EXPLAIN FORMAT=TRADITIONAL', mariadb: 'EXPLAIN' };

/** The EXPLAIN step for a table, or the first step: text from SQLite, columns from MySQL and MariaDB. */
async function planOf({ sql, params }: SentStatement, table?: string): Promise<string> {
  const database = app().app.get(Database);
  const steps = await database.query<Record<string, unknown>>(
    `${EXPLAIN[database.dialect.name]} ${sql}`,
    params as string[],
  );
  const step = steps.find((one) => table === undefined || new RegExp(`\\b${table}\\b`).test(told(one))) ?? {};
  const { detail, type, key, Extra } = step;
  return typeof detail === 'string' ? detail : JSON.stringify({ type, key, Extra });
}

/** The part of an EXPLAIN step that names its table. */
function told({ detail, table }: Record<string, unknown>): string {
  return String(detail ?? table);
}

async function statementsOf(path: string): Promise<SentStatement[]> {
  sent.length = 0;
  expect((await app().client.get(path)).status).toBe(200);
  return [...sent];
}

/** The subquery for the ids of a page, inside the query for its rows. */
function idsOf({ sql, params }: SentStatement): SentStatement {
  const [, inner = ''] = /FROM \((SELECT e\.id .*)\) p\s+JOIN/s.exec(sql) ?? [];
  return { sql: inner, params };
}

/** All EXPLAIN steps of a statement as JSON. */
async function stepsOf({ sql, params }: SentStatement): Promise<string> {
  const database = app().app.get(Database);
  const explain = EXPLAIN[database.dialect.name];
  const steps = await database.query<Record<string, unknown>>(`${explain} ${sql}`, params as string[]);
  // Only MySQL has a column for partitions. Without it one pattern matches MySQL and MariaDB.
  return steps.map(({ partitions: _, ...step }) => JSON.stringify(step)).join('\n');
}

const BY_DATES = ['/events', '/events?per_page=100', '/events?per_page=2&page=3'];
const FURTHER_FILTERS = ['/events?search=ev', '/events?featured=no'];

async function expectAlongTheList(statement: SentStatement): Promise<void> {
  const plan = await planOf(statement);
  expect(plan).toMatch(/ix_events_list/);
  // A scan by hide_from_listings alone would read all past events.
  expect(plan).toMatch(/hide_from_listings=\? AND start_utc[>=]|"type":"range"/);
  expect(plan).not.toMatch(/filesort|temporary|TEMP B-TREE/);
}

test.each([...BY_DATES, ...FURTHER_FILTERS])(
  'GET %s: reads the list index from the first day on, without a sort',
  async (path) => {
    const [, rows] = await statementsOf(path);
    await expectAlongTheList(idsOf(rows as SentStatement));
  },
);

test.each([...BY_DATES, ...FURTHER_FILTERS])('GET %s: counts along the same index range', async (path) => {
  const [count] = await statementsOf(path);
  await expectAlongTheList(count as SentStatement);
});

test('the end of a window also limits the start, because an event starts before it ends', async () => {
  const [count] = await statementsOf('/events?featured=no&start_date=2027-03-01&end_date=2027-03-31');
  expect(await planOf(count as SentStatement)).toMatch(/start_utc>\? AND start_utc<\?|"type":"range"/);
  expect(count?.sql).toMatch(/e\.start_utc < \?/);
});

test('the default list reads its ids from a covering index', async () => {
  const [, rows] = await statementsOf('/events');
  expect(await planOf(idsOf(rows as SentStatement))).toMatch(
    /COVERING INDEX|Using index"|Using index;|Using where; Using index/,
  );
});

test('terms count their events along the index of links', async () => {
  for (const path of ['/categories', '/tags?orderby=count&order=desc', '/events']) {
    const statements = (await statementsOf(path)).filter(({ sql }) => sql.includes('l.term_id = '));
    expect(statements.length).toBeGreaterThan(0);
    for (const statement of statements) expect(await stepsOf(statement)).toMatch(/ix_event_terms_term/);
  }
});

test('a search compares only the texts of events that the search index does not know', async () => {
  const { app: nest, client, tokens } = app();
  const environment = nest.get(Environment);
  environment.SEARCH_INDEX_FROM = 1;
  await event(client, tokens.adm, { title: 'Needle' });
  await nest.get(EventSearch).updateIndex();
  await event(client, tokens.adm, { title: 'Not in the index yet' });
  // The first search reads all words.
  await client.get('/events?search=needle');
  await event(client, tokens.adm, { title: 'A needle that is not in the index yet' });
  const sent = await statementsOf('/events?search=needle');
  environment.SEARCH_INDEX_FROM = 0;
  const [state, words, texts, count, rows] = [
    /LEFT JOIN search_index .* JOIN changes/s,
    /FROM search_words WHERE word IN/,
    /^SELECT e\.id FROM events .*instr/s,
    /^SELECT count/,
    /JOIN events e ON e\.id = p\.id/,
  ].map((pattern) => sent.find(({ sql }) => pattern.test(sql)) as SentStatement);
  expect(await planOf(state!, 'c')).toMatch(/ix_changes_seq/);
  expect(await planOf(words!)).toMatch(/sqlite_autoindex.* \(word=\?\)|"key":"PRIMARY"/);
  // The events that the index does not know yet, then those that contain the word.
  for (const statement of [texts!, count!, idsOf(rows!)]) {
    const [, named = ''] = /e\.id IN \(([?, ]+)\)/.exec(statement.sql) ?? [];
    expect(named.split(',')).toHaveLength(2);
    expect(await planOf(statement)).toMatch(/INTEGER PRIMARY KEY|"type":"range","key":"PRIMARY"/);
  }
  for (const { sql } of [count!, rows!]) expect(sql).not.toMatch(/search_text/);
});

test('one event is read by its primary key or its slug index', async () => {
  const [byId] = await statementsOf('/events/1');
  expect(await planOf(byId as SentStatement)).toMatch(/INTEGER PRIMARY KEY|"type":"const","key":"PRIMARY"/);
  const [bySlug] = await statementsOf(`/events/by-slug/${slug}`);
  expect(await planOf(bySlug as SentStatement)).toMatch(/ux_events_slug/);
});

test('an ordered scan and a lookup by links return the same events', async () => {
  const database = app().app.get(Database);
  const context = { caller: ANONYMOUS, nowUtc: '2026-11-20 08:39:00' } as RequestContext;
  const idsBy = async (filter: Partial<EventFilter>, isOrderedScan: boolean) => {
    const whole = {
      params: {},
      start: [],
      end: [],
      termIds: {},
      visibleVenue: NEVER,
      further: [],
      ...filter,
      isOrderedScan,
    } as EventFilter;
    const { sql, params } = eventCondition(whole, context);
    return (await database.query<{ id: number }>(`SELECT e.id FROM events e WHERE ${sql} ORDER BY e.id`, params)).map(
      ({ id }) => id,
    );
  };
  for (const filter of [
    { params: { venue: [1] } },
    { params: { organizer: [1] } },
    { termIds: { categories: [1] } },
    { termIds: { tags: [2] } },
  ]) {
    const found = await idsBy(filter, true);
    expect(found).toHaveLength(6);
    expect(found).toEqual(await idsBy(filter, false));
  }
});
