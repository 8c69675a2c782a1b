import { CommandContext } from '../../src/platform/http/command-context.js';
import { EventImporter } from '../../src/transfer/batch/event-importer.js';
import { useApp } from '../support/events.js';
import { category, event, organizer, tag, venue } from '../support/factories.js';
import { recordStatements, type SentStatement } from '../support/statements.js';

/** Caches and the index of events are off here. caches.spec.ts tests which statements they save. */
const app = useApp({ CACHE_ENTRIES: '0', INDEX: 'off' });
let statements: SentStatement[];

/** Ids of the records that the paths name. */
const ids: Record<string, number> = {};

/** An event with everything a read has to load. */
async function linkedEvent(n: number): Promise<void> {
  const { client, tokens } = app();
  const image = (name: string) => `https://x.example/${name}${n}.png`;
  const child = await category(client, tokens.adm, { name: `Child ${n}`, parent: ids.category });
  const hall = { venue: `Hall ${n}`, image: image('hall'), geo_lat: 48, geo_lng: 2 };
  const made = await event(client, tokens.adm, {
    title: `Event ${n}`,
    image: image('event'),
    venue: [hall, { venue: `Second hall ${n}` }],
    organizer: [{ organizer: `Ann ${n}`, image: image('ann') }, { organizer: `Bob ${n}` }],
    categories: [child.id, ids.category],
    tags: [ids.tag, `Tag ${n}`],
    post_parent: ids.parent,
    featured: true,
    description: 'needle',
  });
  ids.event = made.id;
}

beforeAll(async () => {
  const { client, tokens } = app();
  ids.parent = (await event(client, tokens.adm, { title: 'Parent', hide_from_listings: true })).id;
  ids.category = (await category(client, tokens.adm, { name: 'Music' })).id;
  ids.tag = (await tag(client, tokens.adm, { name: 'Red' })).id;
  ids.venue = (await venue(client, tokens.adm, { venue: 'Blue Room', image: 'https://x.example/v.png' })).id;
  ids.organizer = (await organizer(client, tokens.adm, { organizer: 'Eve', image: 'https://x.example/o.png' })).id;
  await linkedEvent(1);
  statements = recordStatements(app());
});

/** The number of statements that each read of an anonymous caller sends. */
const READS: [path: string, statements: number][] = [
  // The number of matches, their rows with images and the ids of links, and one each for venues, organizers and terms.
  ['/events', 5],
  ['/events?per_page=1', 5],
  ['/events?_fields=id', 5],
  // A search first checks whether a search index exists.
  ['/events?search=needle&featured=true&starts_after=yesterday&orderby=title&order=desc', 6],
  ['/events?search=nowhere', 2],
  // A filter by reference looks the reference up. A filter by category also loads the descendants.
  ['/events?categories=music', 7],
  ['/events?tags=red', 6],
  ['/events?venue={venue}', 2],
  ['/events?organizer={organizer}', 2],
  ['/events?post_parent={parent}', 6],
  ['/events?include={event}', 5],
  ['/events?geoloc=true', 5],
  ['/events?geoloc_lat=48&geoloc_lng=2', 6],
  ['/events?categories=music&tags=red&post_parent={parent}&geoloc_lat=48&geoloc_lng=2', 10],
  ['/events/{event}', 4],
  ['/events/{event}?_fields=id', 4],
  ['/events/{parent}', 1],
  ['/events/by-slug/event-1', 4],
  ['/events/999999', 1],
  // A first page loads its records and the total in one statement. Later pages load the total first, because the page
  // may not exist. Upcoming events are queried before.
  ['/venues', 1],
  ['/venues?per_page=1&page=2', 2],
  ['/venues?search=hall&has_events=true&only_with_upcoming=true', 3],
  ['/venues?search=hall+second', 2],
  ['/venues?event={event}', 2],
  ['/venues/{venue}', 1],
  ['/venues/by-slug/blue-room', 1],
  ['/organizers', 1],
  ['/organizers?search=ann&has_events=true&only_with_upcoming=true', 3],
  ['/organizers?event={event}', 2],
  ['/organizers/{organizer}', 1],
  ['/organizers/by-slug/eve', 1],
  ['/categories', 2],
  ['/categories?hide_empty=false&orderby=count&search=child', 2],
  ['/categories?orderby=description', 3],
  ['/categories?include={category}&parent=0', 3],
  ['/categories?event={event}', 3],
  ['/categories/{category}', 1],
  ['/tags', 2],
  ['/tags?hide_empty=false&orderby=count&order=desc', 2],
  ['/tags?post={event}', 3],
  ['/tags/{tag}', 1],
  ['', 0],
  ['/doc', 0],
];

/** Returns the number of statements of one read, which must return 200, or 404 for an unknown id. */
async function count(path: string, token?: string): Promise<number> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
  statements.length = 0;
  const { status } = await app().client.get(filled, token);
  expect([filled, status]).toEqual([filled, path.endsWith('999999') ? 404 : 200]);
  return statements.length;
}

async function counted(token?: string): Promise<[string, number][]> {
  const counts: [string, number][] = [];
  for (const [path] of READS) counts.push([path, await count(path, token)]);
  return counts;
}

test('each read sends as many statements for ten events as for one', async () => {
  const withOne = await counted();
  expect(withOne).toEqual(READS);
  for (let n = 2; n <= 10; n += 1) await linkedEvent(n);
  expect((await app().client.get('/events')).body.events).toHaveLength(10);
  expect(await counted()).toEqual(withOne);
});

test('a read with a token sends one more statement', async () => {
  await count('/events', app().tokens.edi);
  const anonymous = await counted();
  const editor = await counted(app().tokens.edi);
  const more = editor.map(([path, n], index) => [path, n - (anonymous[index]?.[1] ?? 0)]);
  expect(more).toEqual(READS.map(([path]) => [path, 1]));
});

test('a create sends at most 20 statements and an import batch of 200 lines at most 32', async () => {
  const { client, tokens, app: nest } = app();
  const line = (n: number) => ({
    title: `Line ${n % 60}`,
    start_date: '2027-01-01',
    end_date: '2027-01-02',
    venue: { venue: `Line venue ${n}`, city: `City ${n % 7}` },
    organizer: [{ organizer: `Line organizer ${n}` }, { organizer: `Line organizer ${n % 5}` }],
    categories: ['Lines', 'Music'],
    tags: ['Line tag', ids.tag],
  });
  await client.post('/events', line(0), tokens.adm);
  statements.length = 0;
  expect((await client.post('/events', line(0), tokens.adm)).status).toBe(201);
  const ofOne = statements.length;
  // Servers need one more statement than SQLite, for the lock on names.
  expect(ofOne).toBeLessThanOrEqual(18);

  const known = { venue: ids.venue, organizer: [ids.organizer], categories: [ids.category], tags: [ids.tag] };
  statements.length = 0;
  expect((await client.post('/events', { ...line(0), ...known }, tokens.adm)).status).toBe(201);
  expect(statements.length).toBeLessThanOrEqual(15);

  const importer = nest.get(EventImporter);
  const context = await nest.get(CommandContext).read();
  const countOf = async (from: number, count: number) => {
    const bytesOf = (n: number) => Buffer.from(JSON.stringify({ ...line(n), external_id: n }));
    const batch = Array.from({ length: count }, (_, n) => ({ number: n + 1, bytes: bytesOf(from + n) }));
    statements.length = 0;
    expect((await importer.run(batch, context, false)).added).toBe(count);
    return statements.length;
  };
  await countOf(1000, 60);
  const ofTen = await countOf(2000, 10);
  const ofMany = await countOf(3000, 200);
  expect(ofTen).toBeLessThanOrEqual(26);
  // A larger batch sends more only for locks of equal records and for slug lookups in larger steps.
  expect(ofMany - ofTen).toBeLessThanOrEqual(6);
});

test('many new venues of one name in one event send one statement more than venues of different names', async () => {
  const { client, tokens } = app();
  const countOf = async (nameOf: (n: number) => string) => {
    const venue = Array.from({ length: 60 }, (_, n) => ({ venue: nameOf(n), website: `https://x.example/${n}` }));
    statements.length = 0;
    const made = await client.post('/events', { ...dates, title: nameOf(0), venue }, tokens.con);
    expect(made.body.venue).toHaveLength(60);
    return statements.length;
  };
  const dates = { start_date: '2027-01-01', end_date: '2027-01-02' };
  await countOf((n) => `Room number ${n}`);
  const different = await countOf((n) => `Studio number ${n}`);
  // The additional statement looks up free slugs in a larger step.
  expect(await countOf(() => 'Online')).toBe(different + 1);
});

test('HOOK-21: with webhooks a create and an import send the same statements as without', async () => {
  const { client, tokens, app: nest } = app();
  const importer = nest.get(EventImporter);
  const context = await nest.get(CommandContext).read();
  const line = (n: number) => ({
    title: `Told ${n}`,
    start_date: '2027-01-01',
    end_date: '2027-01-02',
    tags: [ids.tag],
  });
  const written = async (from: number) => {
    const batch = Array.from({ length: 60 }, (_, n) => {
      const bytes = Buffer.from(JSON.stringify({ ...line(from + n), external_id: from + n }));
      return { number: n + 1, bytes };
    });
    statements.length = 0;
    expect((await client.post('/events', line(from + 99), tokens.adm)).status).toBe(201);
    expect((await importer.run(batch, context, false)).added).toBe(60);
    return statements.map(({ sql }) => sql);
  };
  await written(30000);
  const without = await written(31000);
  for (let n = 0; n < 10; n += 1) {
    const url = `https://receiver.example/${n}`;
    expect((await client.post('/webhooks', { url }, tokens.adm)).status).toBe(201);
  }
  expect(await written(32000)).toEqual(without);
});

test('the counted statements of a read are SELECT statements', async () => {
  expect(await count('/events/{event}')).toBe(4);
  expect(statements.every(({ sql }) => sql.startsWith('SELECT'))).toBe(true);
});
