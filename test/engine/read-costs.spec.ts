import { createConnection } from 'mysql2/promise';
import { Database } from '../../src/database/database.js';
import { NOW } from '../support/app.js';
import { useApp } from '../support/events.js';
import { fillCalendar } from '../support/full-calendar.js';
import { recordStatements, type SentStatement } from '../support/statements.js';

/** Limits the rows that the most expensive requests of each route read in a full calendar. */
const EVENTS = 3_000;
const LINKED = 60;
const app = useApp({ CACHE_ENTRIES: '0' });
let sent: SentStatement[];

beforeAll(async () => {
  await fillCalendar(app(), { events: EVENTS, linked: LINKED });
  // Servers update these statistics by themselves, but only after a while.
  if (!app().app.get(Database).dialect.hasSingleWriter) await analyse();
  // The first list loads the index of events (INDEX=on), once for all requests.
  await app().client.get('/events');
  sent = recordStatements(app());
}, 60_000);

async function analyse(): Promise<void> {
  const connection = await createConnection(app().databaseUrl);
  await connection.query('ANALYZE TABLE events, venues, organizers, event_venues, event_organizers');
  await connection.end();
}

const ALL = 'starts_after=2000-01-01';

/** Maximum rows read, as a multiple of EVENTS. A cross product of two tables reads sixty times EVENTS. */
const DEAREST: [path: string, events: number][] = [
  ['/organizers?only_with_upcoming=true&per_page=1', 2],
  ['/venues?only_with_upcoming=true&per_page=1', 2],
  ['/venues?only_with_upcoming=true&per_page=20&page=2', 2],
  ['/venues?has_events=true&per_page=1', 1],
  ['/organizers?has_events=false', 1],
  ['/venues?search=record&has_events=true&only_with_upcoming=true', 2],
  ['/venues?search=record+1&only_with_upcoming=true&has_events=true', 2],
  ['/venues?event=1', 1],
  ['/venues/1', 1],
  ['/organizers/by-slug/record-1', 1],
  [`/events?${ALL}&geoloc=false&orderby=title&per_page=20&page=90`, 12],
  [`/events?${ALL}&search=e&orderby=date&order=desc&page=200`, 8],
  [`/events?${ALL}&featured=false&orderby=modified&page=200`, 8],
  [`/events?${ALL}&organizer=1&orderby=end_date&order=desc&page=200`, 12],
  [`/events?${ALL}&hide_from_listings=false&page=200`, 3],
  ['/events?include=1,2,3&venue=1', 2],
  ['/events/1', 1],
  ['/events/by-slug/event-row-2', 1],
  ['/categories?hide_empty=false&orderby=count', 1],
  ['/tags?event=1&hide_empty=false', 1],
];

async function statementsOf(path: string): Promise<SentStatement[]> {
  sent.length = 0;
  expect([path, (await app().client.get(path)).status]).toEqual([path, 200]);
  return [...sent];
}

/** Sends the statements again and returns how many rows the server reads. SQLite does not report this. */
async function rowsLookedAt(statements: readonly SentStatement[]): Promise<number> {
  const connection = await createConnection(app().databaseUrl);
  const read = async () => {
    const [rows] = await connection.query("SHOW SESSION STATUS LIKE 'Handler_read%'");
    return (rows as { Value: string }[]).reduce((sum, { Value }) => sum + Number(Value), 0);
  };
  try {
    const before = await read();
    for (const { sql, params } of statements) await connection.query(sql, params as string[]);
    return (await read()) - before;
  } finally {
    await connection.end();
  }
}

/** Returns the query plan of a statement in SQLite. */
async function stepsOf({ sql, params }: SentStatement): Promise<string[]> {
  const database = app().app.get(Database);
  const steps = await database.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params as string[]);
  return steps.map(({ detail }) => detail);
}

test.each(DEAREST)('GET %s reads no cross product of tables', async (path, events) => {
  const statements = await statementsOf(path);
  if (!app().app.get(Database).dialect.hasSingleWriter) {
    expect(await rowsLookedAt(statements)).toBeLessThan(events * EVENTS + 1_000);
    return;
  }
  for (const statement of statements) {
    const steps = await stepsOf(statement);
    // A correlated subquery must find its rows by the primary key or by the index of links.
    const inner = steps.slice(steps.findIndex((step) => step.includes('CORRELATED')) + 1);
    if (steps.length === inner.length) continue;
    expect([path, inner.filter((step) => /^(SCAN|SEARCH) e\b(?!.*PRIMARY KEY)/.test(step))]).toEqual([path, []]);
    expect([path, inner.filter((step) => /^SCAN l\b/.test(step))]).toEqual([path, []]);
  }
});

/** The query depends on how many events are still upcoming, so these times cover its different forms. */
test.each([NOW, '2027-03-01T00:00:00Z', '2027-03-20T00:00:00Z', '2030-01-01T00:00:00Z'])(
  'VO-10: finds the records with upcoming events at %s',
  async (now) => {
    app().setNow(now);
    const database = app().app.get(Database);
    const linked = await database.query<{ id: number }>(
      `SELECT DISTINCT l.venue_id AS id FROM event_venues l JOIN events e ON e.id = l.event_id WHERE e.start_utc >= ?
       ORDER BY id`,
      [now.slice(0, 19).replace('T', ' ')],
    );
    const path = '/venues?only_with_upcoming=true&per_page=100&_fields=id';
    const { body } = await app().client.get(path);
    const ids = (body.venues as { id: number }[]).map(({ id }) => id).toSorted((a, b) => a - b);
    expect(ids).toEqual(linked.map(({ id }) => id));
    if (!database.dialect.hasSingleWriter)
      expect(await rowsLookedAt(await statementsOf(path))).toBeLessThan(3 * EVENTS);
    app().setNow(NOW);
  },
);

describe.each(['date', 'modified', 'title'])('GET /events?orderby=%s', (orderby) => {
  test.each(['asc', 'desc'])('%s: reads a page through its index and orders equal rows by id', async (order) => {
    const query = `/events?${ALL}&orderby=${orderby}&order=${order}&_fields=id&per_page=100`;
    const { hasSingleWriter } = app().app.get(Database).dialect;
    const statements = await statementsOf(`${query}&page=2`);
    const rows = statements.find(({ sql }) => sql.includes('FROM (SELECT e.id'))!;
    const [, inner = ''] = /FROM \((SELECT e\.id .*)\) p\s+JOIN/s.exec(rows.sql) ?? [];
    const isWalked = hasSingleWriter || (order === 'asc' && orderby !== 'title');
    expect(inner.includes(`ix_events_${orderby}`)).toBe(isWalked);
    if (hasSingleWriter) {
      const steps = await stepsOf({ ...rows, sql: inner });
      expect(steps.join()).toMatch(new RegExp(`e USING COVERING INDEX ix_events_${orderby}`));
      expect(steps.join()).not.toMatch(/B-TREE FOR ORDER BY/);
    }
    const column = { date: 'date_utc', modified: 'modified_utc', title: 'title_key' }[orderby]!;
    const found = await app()
      .app.get(Database)
      .query<{ id: number }>(`SELECT id FROM events ORDER BY ${column} ${order}, id`);
    const pages: number[] = [];
    for (let page = 1; page <= 5; page += 1) {
      const { body } = await app().client.get(`${query}&page=${page}`);
      pages.push(...(body.events as { id: number }[]).map(({ id }) => id));
    }
    expect(pages).toEqual(found.slice(0, 500).map(({ id }) => id));
  });
});
