import type { DataSource } from 'typeorm';
import { Database } from '../../src/database/database.js';
import { TABLES } from '../../src/database/sql/tables.js';
import { Clock } from '../../src/config/clock.js';
import type { TestApp } from '../support/app.js';
import { useApp } from '../support/events.js';
import { category, event, organizer, tag, venue } from '../support/factories.js';
import { insertEvent } from '../support/rows.js';
import { recordStatements } from '../support/statements.js';

const IMAGE = 'https://x.example/i.png';

/** The private data sources of `Database`, from which a test opens a second `Database`. */
type Sources = { reader: DataSource; writer: DataSource };

/** Creates an event with a linked record of each kind. */
async function linkedEvent({ client, tokens }: TestApp, title: string, fields: Record<string, unknown> = {}) {
  return event(client, tokens.adm, { title, venue: 1, organizer: 1, categories: 'music', tags: 'red', ...fields });
}

async function linkedRecords({ client, tokens }: TestApp): Promise<void> {
  await venue(client, tokens.adm, { venue: 'Hall', image: IMAGE });
  await organizer(client, tokens.adm, { organizer: 'Ann' });
  await category(client, tokens.adm, { name: 'Music' });
  await tag(client, tokens.adm, { name: 'Red' });
}

describe('cached reads', () => {
  const app = useApp({ INDEX: 'off' });

  test('an equal read queries only the data version; a new read also queries the rows of its events', async () => {
    await linkedRecords(app());
    const { id } = await linkedEvent(app(), 'One');
    const statements = recordStatements(app());
    const takes = async (path: string) => {
      statements.length = 0;
      await app().client.get(path);
      return statements.length;
    };
    const counted: [string, number, number][] = [];
    const paths = [
      '/events',
      '/events?categories=music',
      `/events/${id}`,
      '/venues',
      '/venues/1',
      '/categories',
      '/categories/1',
      '',
    ];
    for (const path of paths) {
      await app().client.get(path);
      counted.push([path, await takes(path), await takes(`${path}${path.includes('?') ? '&' : '?'}unknown=1`)]);
    }
    expect(counted).toEqual([
      ['/events', 1, 2],
      // Two further statements look up the category and its descendants.
      ['/events?categories=music', 1, 4],
      [`/events/${id}`, 1, 2],
      ['/venues', 1, 2],
      ['/venues/1', 1, 2],
      ['/categories', 1, 1],
      ['/categories/1', 1, 1],
      ['', 0, 0],
    ]);
  });
});

describe('cached reads are never stale', () => {
  const app = useApp();
  const total = async (path = '/events') => Number((await app().client.get(path)).body.total);
  const musicCount = async () =>
    Number((await app().client.get('/categories?hide_empty=false')).body.categories[0].count);

  test('a write through the service shows in the next read, in totals, counts and linked records', async () => {
    const { client, tokens } = app();
    await linkedRecords(app());
    const { id } = await linkedEvent(app(), 'One');
    const shown = async () => (await client.get(`/events/${id}`)).body;
    expect([await total(), await musicCount(), (await shown()).categories[0].count]).toEqual([1, 1, 1]);
    const second = await linkedEvent(app(), 'Two');
    expect([await total(), await musicCount(), (await shown()).categories[0].count]).toEqual([2, 2, 2]);
    await client.post('/venues/1', { venue: 'Renamed' }, tokens.adm);
    await client.post('/categories/1', { name: 'Songs' }, tokens.adm);
    await client.post('/organizers/1', { organizer: 'Eve' }, tokens.adm);
    const { venue: place, categories, organizer: people } = await shown();
    expect([place.venue, categories[0].name, people[0].organizer]).toEqual(['Renamed', 'Songs', 'Eve']);
    await client.delete('/venues/1', tokens.adm);
    expect((await shown()).venue).toEqual([]);
    await client.post('/venues/1', { status: 'publish' }, tokens.adm);
    expect((await shown()).venue).toMatchObject({ id: 1 });
    await client.delete(`/events/${second.id}`, tokens.adm);
    expect([await total(), await musicCount()]).toEqual([1, 1]);
  });

  test('a write of another process shows in the next read', async () => {
    const { client, tokens, app: nest } = app();
    const made = await venue(client, tokens.adm, { venue: 'Before' });
    const { id } = await linkedEvent(app(), 'Other process', { venue: made.id });
    const before = await total();
    const { reader, writer } = nest.get<Database, Sources>(Database);
    const other = new Database(reader, writer, nest.get(Clock), {
      cacheEntries: 0,
      cacheStaleness: 0,
      readTimeout: 3,
      writeTimeout: 5,
    });
    other.open();
    await client.get(`/events/${id}`);
    await other.inTransaction(async (tx) => {
      await tx.update(TABLES.venues, made.id as number, { title: 'After' });
      await tx.update(TABLES.events, id as number, { hide_from_listings: 1 });
      tx.recordChange('venue.updated', made.id as number, 0);
      tx.recordChange('event.updated', id as number, 0);
    });
    expect((await client.get(`/events/${id}`)).body.venue.venue).toBe('After');
    expect(await total()).toBe(before - 1);
  });

  test('a scheduled record counts from its publication date on, without a write', async () => {
    const { client, tokens } = app();
    const setNow = (iso: string) => app().setNow(iso);
    const place = await venue(client, tokens.adm, { venue: 'Soon', date_utc: '2026-11-20 10:00:00' });
    const { id } = await linkedEvent(app(), 'Now', { venue: place.id });
    await linkedEvent(app(), 'Later', { date_utc: '2026-11-20 09:00:00' });
    const shown = async () => (await client.get(`/events/${id}`)).body.venue;
    const [events, music] = [await total(), await musicCount()];
    expect(await shown()).toEqual([]);
    setNow('2026-11-20T08:59:59Z');
    expect([await total(), await musicCount()]).toEqual([events, music]);
    setNow('2026-11-20T09:00:00Z');
    expect([await total(), await musicCount()]).toEqual([events + 1, music + 1]);
    expect(await shown()).toEqual([]);
    setNow('2026-11-20T10:00:00Z');
    expect(await shown()).toMatchObject({ id: place.id });
    // The cache also follows a clock that is set back.
    setNow('2026-11-20T08:59:59Z');
    expect([await total(), await musicCount()]).toEqual([events, music]);
    expect(await shown()).toEqual([]);
  });

  test('callers with different rights do not share cached totals', async () => {
    const { client, tokens } = app();
    await linkedEvent(app(), 'Draft', { status: 'draft' });
    const open = await total();
    const all = Number((await client.get('/events', tokens.edi)).body.total);
    expect(all).toBeGreaterThan(open);
    expect(await total()).toBe(open);
  });

  test('concurrent reads see each write that was acknowledged before they began', async () => {
    const { client, tokens } = app();
    const made = await venue(client, tokens.adm, { venue: 'Venue 0' });
    const { id } = await linkedEvent(app(), 'Watched', { venue: made.id });
    let running = true;
    const noise = Array.from({ length: 4 }, async () => {
      while (running) await client.get(`/events/${id}`);
    });
    for (let n = 1; n <= 15; n += 1) {
      await client.post(`/venues/${made.id}`, { venue: `Venue ${n}` }, tokens.adm);
      expect((await client.get(`/events/${id}`)).body.venue.venue).toBe(`Venue ${n}`);
    }
    running = false;
    await Promise.all(noise);
  });
});

describe('a database without its data version', () => {
  const app = useApp();

  test('is read without the cache, and writes fail until the version is restored', async () => {
    const { client, tokens, app: nest } = app();
    await linkedRecords(app());
    const { id } = await linkedEvent(app(), 'One');
    const database = nest.get(Database);
    const change = (sql: string) => database.inTransaction((tx) => tx.query(sql));
    const shown = async () => (await client.get(`/events/${id}`)).body.venue.venue;
    await change(`DELETE FROM ${TABLES.dataVersion}`);
    expect(await shown()).toBe('Hall');
    await change(`UPDATE ${TABLES.venues} SET title = 'Changed'`);
    expect(await shown()).toBe('Changed');
    expect((await client.post('/venues/1', { venue: 'Lost' }, tokens.adm)).status).toBe(500);
    expect(await shown()).toBe('Changed');
    await change(`INSERT INTO ${TABLES.dataVersion} (id, version, epoch) VALUES (1, 1000, '0123abcd')`);
    expect((await client.post('/venues/1', { venue: 'Kept' }, tokens.adm)).status).toBe(200);
    expect(await shown()).toBe('Kept');
  });
});

describe('a cache of three entries', () => {
  const app = useApp({ CACHE_ENTRIES: '3' });

  test('is cleared when it is full, and the responses stay the same', async () => {
    await linkedRecords(app());
    await linkedEvent(app(), 'One');
    await insertEvent(app(), { title: 'Two', terms: [1, 2] });
    const first = (await app().client.get('/events')).text;
    expect((await app().client.get('/events')).text).toBe(first);
    expect(JSON.parse(first)).toMatchObject({ total: 2, events: [{ categories: [{ count: 2 }] }, {}] });
  });
});

describe('a cache of fifty entries', () => {
  const app = useApp({ CACHE_ENTRIES: '50', INDEX: 'off' });

  test('does not cache records whose long texts exceed its capacity', async () => {
    const { client, tokens } = app();
    await linkedRecords(app());
    await linkedEvent(app(), 'One');
    const statements = recordStatements(app());
    const again = async (path: string) => {
      await client.get(path);
      statements.length = 0;
      await client.get(`${path}?unknown=1`);
      return statements.length;
    };
    expect([await again('/events'), await again('/categories')]).toEqual([2, 1]);
    const description = 'long '.repeat(6_000);
    await client.post('/venues/1', { description }, tokens.adm);
    expect([await again('/events'), await again('/categories')]).toEqual([3, 1]);
    await client.post('/categories/1', { description }, tokens.adm);
    expect([await again('/events'), await again('/categories')]).toEqual([4, 2]);
  });
});
