import { Database } from '../../src/database/database.js';
import { TABLES } from '../../src/database/sql/tables.js';
import type { Transaction } from '../../src/database/connection/transaction.js';
import type { EventRow } from '../../src/events/event.entity.js';
import { EVENT } from '../../src/events/event.kind.js';
import { EventsService } from '../../src/events/events.service.js';
import { Environment } from '../../src/config/environment.js';
import { CommandContext } from '../../src/platform/http/command-context.js';
import { insertPosts } from '../../src/posts/post.store.js';
import { EventImporter } from '../../src/transfer/batch/event-importer.js';
import { startApp, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';

type Body = Reply['body'];
type Fields = Record<string, unknown>;

let batch: TestApp;
let single: TestApp;

beforeAll(async () => {
  batch = await startApp();
  single = await startApp();
});
afterAll(() => Promise.all([batch.close(), single.close()]));

async function importAll(lines: readonly Fields[]) {
  const context = await batch.app.get(CommandContext).read();
  const numbered = lines.map((line, index) => ({ number: index + 1, bytes: Buffer.from(JSON.stringify(line)) }));
  return batch.app.get(EventImporter).run(numbered, { ...context, nowUtc: '2026-11-20 08:39:00' }, false);
}

/** Returns all listed records. Slugs identify them, because ids depend on the order of creation. */
async function everything({ client, tokens }: TestApp) {
  const list = async (path: string, name: string) =>
    (await client.get(`${path}per_page=100&status=any`, tokens.adm)).body[name] as Body[];
  const slugs = (records: Body) => [records].flat().map(({ slug }: Body) => slug as string);
  const events = await list('/events?start_date=2020-01-01&', 'events');
  const posts = [...(await list('/venues?', 'venues')), ...(await list('/organizers?', 'organizers'))];
  const terms = [
    ...((await client.get('/categories?hide_empty=false&per_page=100')).body.categories as Body[]),
    ...((await client.get('/tags?hide_empty=false&per_page=100')).body.tags as Body[]),
  ];
  return {
    events: events
      .map(({ title, slug, status, excerpt, image, venue, organizer, categories, tags }) => ({
        ...{ title, slug, status, excerpt, image: image.url as string | undefined },
        ...{ venue: slugs(venue), organizer: slugs(organizer), categories: slugs(categories), tags: slugs(tags) },
      }))
      .sort((a, b) => (a.excerpt < b.excerpt ? -1 : 1)),
    posts: posts
      .map(({ venue, organizer, slug, phone, status, image }) => [venue ?? organizer, slug, phone, status, image?.url])
      .sort(),
    terms: terms.map(({ name, slug, taxonomy, count }) => [name, slug, taxonomy, count]).sort(),
  };
}

const hall = (fields: Fields = {}) => ({ venue: 'Hall', ...fields });
const LINES: Fields[] = [
  { title: 'Yoga', venue: hall(), organizer: { organizer: 'Ann' }, categories: ['Sport', 'New one'], tags: ['Red'] },
  {
    title: 'Yoga',
    venue: hall({ phone: '1' }),
    organizer: [{ organizer: 'ANN' }, { organizer: 'Bob' }],
    tags: ['RED'],
  },
  { title: 'YOGA!', venue: hall({ phone: '2' }), categories: ['new-one', 'sport'], image: 'https://x.example/a.png' },
  { title: 'Yoga', venue: { venue: 'hall' }, image: 'https://x.example/a.png', tags: ['red', 'Blue'] },
  { title: 'Other', venue: [hall({ phone: '1' }), hall(), hall({ phone: '1' })], status: 'draft' },
  { title: 'Yoga', slug: 'sent', venue: hall({ image: 'https://x.example/a.png' }), organizer: [] },
  { title: 'Yoga', slug: 'sent', venue: { venue: '!!!' }, image: 'https://x.example/b.png' },
  {
    title: '???',
    organizer: [
      { organizer: 'Ann', status: 'trash' },
      { organizer: 'Ann', status: 'trash' },
    ],
  },
  { title: 'In the trash', status: 'trash', organizer: { organizer: 'Ann', author: 1 }, categories: ['…'] },
  { title: 'In the trash', venue: [{ venue: 'Pit', status: 'trash' }, { venue: 'Pit' }, { venue: 'pit', phone: '3' }] },
  { title: 'Last', venue: null, categories: [], organizer: { organizer: 'Ann', status: 'draft' }, tags: 'a,b' },
].map((line, n) => ({ ...line, excerpt: `Line ${n}`, start_date: '2027-01-01', end_date: '2027-01-02' }));

test('a batch creates the same records as its lines posted one by one', async () => {
  for (const line of LINES) expect((await single.client.post('/events', line, single.tokens.adm)).status).toBe(201);
  expect(await importAll(LINES)).toEqual({
    ...{ added: LINES.length, known: 0, rejectedLines: 0, rejected: [] },
    losses: { altered: [{ line: 7, field: 'slug', before: 'sent', after: 'sent-2' }], ignored: [] },
  });
  const made = await everything(batch);
  const expected = await everything(single);
  // A name without letters gets its id as slug.
  const bySlug = (slug: string) => (/^\d+$/.test(slug) ? 'its id' : slug);
  const normal = (value: unknown) =>
    JSON.parse(JSON.stringify(value), (_, v) => (typeof v === 'string' ? bySlug(v) : v));
  expect(normal(made)).toEqual(normal(expected));
  expect(made.events.map(({ slug }) => slug)).toContain('yoga-4');
});

test('a batch writes one row per record to the change record, in one commit', async () => {
  const query = <Row>(sql: string) => batch.app.get(Database).query<Row>(sql);
  const rows = await query<{ seq: number; kind: string; record_id: number }>(
    `SELECT seq, kind, record_id FROM ${TABLES.changes}`,
  );
  expect(new Set(rows.map(({ seq }) => seq)).size).toBe(1);
  const counted = async (table: string) =>
    Number((await query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n);
  for (const [noun, table] of [
    ['event', TABLES.events],
    ['venue', TABLES.venues],
    ['organizer', TABLES.organizers],
  ] as const) {
    const made = rows.filter(({ kind }) => kind === `${noun}.created`);
    expect(new Set(made.map(({ record_id }) => record_id)).size).toBe(await counted(table));
    expect(made).toHaveLength(await counted(table));
  }
  expect(rows.filter(({ kind }) => /^(category|tag)\.created$/.test(kind))).toHaveLength(await counted(TABLES.terms));
});

test.each(['adm', 'con'] as const)(
  '%s: inline venues of one event are those created or reused by single requests (VO-15, VO-16)',
  async (role) => {
    const arena = (fields: Fields = {}) => ({ venue: `Arena ${role}`, ...fields });
    const slug = `arena-${role}`;
    const [website, other] = ['https://a.example/', 'https://b.example/'];
    // A contributor may not add images.
    const picture = role === 'adm' ? { image: 'https://x.example/arena.png' } : { zip: '1' };
    const venues = [
      arena({ website }),
      arena({ phone: '9', show_map: false }),
      arena({ venue: `ARENA ${role}` }),
      arena({ website, phone: '' }),
      arena({ website: other, phone: '9' }),
      arena({ phone: '9' }),
      arena({ phone: '9', show_map: true }),
      arena({ slug }),
      arena({ slug: `${slug}-2`, phone: '9' }),
      arena({ slug, phone: '9' }),
      arena({ slug: 'sent', website }),
      arena({ status: 'trash' }),
      arena({ status: 'draft', website }),
      arena({ status: 'draft' }),
      arena({ status: 'publish' }),
      arena({ status: 'pending', phone: '9' }),
      arena({ status: 'future', website }),
      arena({ date: '2030-01-01 10:00' }),
      arena({ date_utc: '2020-01-01 10:00', phone: '9' }),
      arena({ date_utc: '2020-01-01 10:00' }),
      arena({ status: 'future' }),
      arena({ geo_lat: 1e-7, geo_lng: 0.1 }),
      arena({ geo_lat: 0.0000001, geo_lng: 0.1, stateprovince: 'X' }),
      arena({ stateprovince: 'X' }),
      arena({ state: 'IL', country: 'US', stateprovince: 'IL' }),
      arena({ state: 'IL', stateprovince: 'IL', city: 'Springfield' }),
      arena({ city: 'Springfield' }),
      arena({ description: 'Text', ...picture }),
      arena(picture),
      arena({ description: '<p>Text</p>' }),
    ];
    const token = single.tokens[role];
    const made: string[] = [];
    for (const venue of venues) made.push((await single.client.post('/venues', venue, token)).body.slug as string);
    const dates = { start_date: '2027-01-01', end_date: '2027-01-02' };
    const reply = await batch.client.post('/events', { ...dates, title: 'Many', venue: venues }, batch.tokens[role]);
    expect(reply).toMatchObject({ status: 201 });
    const linked = [...new Set(made)].filter((one) => !one.endsWith('trashed'));
    expect((reply.body.venue as Body[]).map((venue) => venue.slug as string)).toEqual(linked);
    expect(linked.length).toBeGreaterThan(10);
    expect(linked.length).toBeLessThan(venues.length - 6);
  },
);

test('rejects a line that fails only when it is written, and imports the lines around it', async () => {
  const line = (title: string, fields: Fields = {}) => ({
    title,
    start_date: '2027-02-01',
    end_date: '2027-02-02',
    ...fields,
  });
  const { body: venue } = await batch.client.post('/venues', { venue: 'Short-lived' }, batch.tokens.adm);
  const database = batch.app.get(Database);
  // The venue is deleted between the check and the write.
  const late = Object.create(database, {
    inTransaction: {
      value: async (work: (tx: Transaction) => Promise<unknown>) => {
        await database.inTransaction((tx) =>
          tx.execute(`DELETE FROM ${TABLES.venues} WHERE id = ?`, [venue.id as number]),
        );
        return database.inTransaction(work);
      },
    },
  }) as Database;
  const importer = new EventImporter(late, batch.app.get(EventsService), batch.app.get(Environment));
  const context = await batch.app.get(CommandContext).read();
  const lines = [line('Before'), line('Gone', { venue: venue.id }), line('After'), { title: 'No dates' }];
  const result = await importer.run(
    lines.map((one, index) => ({ number: index + 1, bytes: Buffer.from(JSON.stringify(one)) })),
    context,
    false,
  );
  expect(result).toMatchObject({ added: 2, known: 0, rejectedLines: 2 });
  expect(result.rejected).toMatchObject([
    { line: 2, field: 'venue', reason: `venue refers to something that does not exist: ${venue.id}.` },
    { line: 4, field: 'start_date', reason: 'start_date is required.' },
    { line: 4, field: 'end_date', reason: 'end_date is required.' },
  ]);
});

test('a slug taken by another writer between lookup and insert duplicates no record', async () => {
  const database = batch.app.get(Database);
  const [{ id: _id, ...row }] = (await database.query(`SELECT * FROM ${TABLES.events} LIMIT 1`)) as [EventRow];
  // The rows exactly fill one statement before their slugs get numbers.
  const plain = { ...row, slug: 'taken', title: 'Taken', description: '' };
  const texts = Object.values(plain).filter((value) => typeof value === 'string');
  const free = 2000 - texts.join('').length;
  const rows = Array.from({ length: 500 }, () => ({ ...plain, description: 'x'.repeat(free) }));
  const answered = await database.inTransaction((tx) => {
    let isTaken = false;
    const query = async (sql: string, params?: readonly (string | number | null)[]) => {
      const found = await tx.query(sql, params);
      if (!isTaken && sql.startsWith('SELECT slug') && params?.includes('taken-500')) {
        isTaken = true;
        await tx.insert(TABLES.events, { ...plain, title: 'Of another', slug: 'taken-500' });
      }
      return found;
    };
    return insertPosts(Object.create(tx, { query: { value: query } }) as Transaction, EVENT, rows);
  });
  const made = await database.query<{ id: number; slug: string }>(
    `SELECT id, slug FROM ${TABLES.events} WHERE title = 'Taken' ORDER BY id`,
  );
  expect(made).toHaveLength(500);
  expect(made).toEqual(answered);
  expect(made.at(-1)?.slug).toBe('taken-501');
});
