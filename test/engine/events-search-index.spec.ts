import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/database/database.js';
import { EventSearch } from '../../src/events/search/event-search.js';
import { Environment } from '../../src/config/environment.js';
import { CommandContext } from '../../src/platform/http/command-context.js';
import { EventImporter } from '../../src/transfer/batch/event-importer.js';
import { startBeside } from '../support/app.js';
import type { Client } from '../support/client.js';
import { useApp } from '../support/events.js';
import { event } from '../support/factories.js';
import { Random } from '../support/random.js';
import { insertEvents } from '../support/rows.js';

/** The index is used from the first event on. Caches are off, so that each search reads the database. */
const app = useApp({ SEARCH_INDEX_FROM: '1', CACHE_ENTRIES: '0' });
const random = new Random(22);
/** Another process, which reads lists from the index of events. */
let beside: Awaited<ReturnType<typeof startBeside>>;

beforeAll(async () => {
  beside = await startBeside(app(), { SEARCH_INDEX_FROM: '1', CACHE_ENTRIES: '0', INDEX: 'on' });
});
afterAll(() => beside.close());

/** The texts consist of these pieces. A search may begin and end between them. */
const PIECES = [
  ...['a', 'I', 'the', 'and', 'www', 'com', 'Jazz', 'jazzy', 'Yoga', 'needle', 'xylophone', 'Zoë', 'Łódź', 'straße'],
  ...[
    'naïve',
    'l’été',
    "O'Neill",
    'Ærø',
    'ΑΘΗΝΑ',
    'Москва',
    'हिन्दी',
    'か',
    'が',
    'コンサート',
    '東京',
    '東京都',
    '京都',
  ],
  ...[
    'ไทย',
    '서울',
    '🎉',
    '🎻🎺',
    '👩‍👩‍👧',
    '2027',
    '12:30',
    '3.50',
    '100%',
    '50_50',
    '%',
    '_',
    '\\',
    '--',
    '&amp;',
    '&lt;b&gt;',
  ],
  ...['+a', '-b', '>c', '<d', '(e)', '~f', '*', '"g"', '@h', "it''s", '`', ';', '$1', '\u0301', '\u200b', '\u00a0'],
  ...[
    '𠮷野家',
    '𠮷'.repeat(70),
    'jazz-night',
    'Abc123'.repeat(30),
    'x'.repeat(33),
    'ab_cd',
    'п’ять',
    '⅔',
    'ﬁn',
    'e\u0301\u0327',
  ],
  ...['<b>bold</b>', '<em>a</em>b', '<p>new</p>', 'https://x.example/a?b=c', 'pneumonoultramicroscopic'.repeat(4)],
];

const text = (most: number) =>
  Array.from({ length: random.between(1, most) }, () => random.pick(PIECES) + random.pick(['', ' ', ' ', ' '])).join(
    '',
  );

const fields = (n: number) => ({
  title: `${random.pick(PIECES)} ${n}`,
  description: text(30),
  excerpt: random.chance(0.5) ? text(5) : '',
  password: random.chance(0.1) ? 'secret' : '',
});

const dates = { start_date: '2027-01-01', end_date: '2027-01-02' };

/** Returns a random search of pieces, parts of texts, phrases and excluded words. */
function someSearch(texts: readonly string[]): string {
  const part = (most: number) => {
    const units = [...random.pick(texts)];
    const from = random.between(0, units.length - 1);
    return units.slice(from, from + random.between(1, most)).join('');
  };
  const words = Array.from({ length: random.between(1, 4) }, () => {
    const kind = random.next();
    if (kind < 0.3) return random.pick(PIECES);
    if (kind < 0.6) return part(6);
    return `${kind < 0.7 ? '-' : ''}"${part(random.pick([14, 14, 40, 120])).replaceAll('"', '')}"`;
  });
  return words.join(' ');
}

const HOSTILE = [
  ...['%', '_', '__', '%%%', '"', '"a b', '-a b', '+jazz', '>jazz', '(jazz', '~jazz', 'jazz*', '"jazz" @4', '\\'],
  ...[
    "' OR 1=1 -- ",
    '%27',
    '<b>',
    'bold',
    'newneedle',
    'a',
    'ab',
    'the',
    'www',
    '東',
    '東京',
    '京都',
    '🎉',
    '🎻🎺',
    '\u{1f3bb}',
  ],
  ...['jazz-', '-night', 'zz-ni', '"jazz night"', 'jazz -night', 'jazz -"z n"', 'a -jazz', '2027 -🎉', '𠮷', '野'],
  ...['x'.repeat(32), 'x'.repeat(33), 'x'.repeat(34), '𠮷'.repeat(33), 'bc123'.repeat(9), 'logical', '_'],
  ...['a b c d e f g h i j k l m n o p q r s t', 'lodz', 'strasse', "it''s", 'nothing at all', '"jazz  yoga"'],
];

type Found = { status: number; total: number; ids: number[] };

async function found(client: Client, search: string, token?: string): Promise<Found> {
  const query = `search=${encodeURIComponent(search)}&per_page=50&start_date=2026-12-01&_fields=id`;
  const { status, body } = await client.get(`/events?${query}`, token);
  return { status, total: body.total, ids: (body.events ?? []).map(({ id }: { id: number }) => id) };
}

/** Expects the same results with and without the search index, and with the index of events. */
async function expectSame(search: string, token?: string): Promise<Found> {
  const environment = app().app.get(Environment);
  const withIndex = await found(app().client, search, token);
  const withBoth = await found(beside.client, search, token);
  environment.SEARCH_INDEX_FROM = 0;
  const without = await found(app().client, search, token);
  environment.SEARCH_INDEX_FROM = 1;
  expect({ search, ...withIndex }).toEqual({ search, ...without });
  expect({ search, ...withBoth }).toEqual({ search, ...without });
  return without;
}

async function expectSameSearches(texts: readonly string[], times: number): Promise<void> {
  const totals: number[] = [];
  for (const search of HOSTILE) totals.push((await expectSame(search)).total);
  for (let n = 0; n < times; n += 1) {
    totals.push((await expectSame(someSearch(texts), random.chance(0.3) ? app().tokens.edi : undefined)).total);
  }
  // A test in which searches find nothing or every event would prove little.
  expect(new Set(totals).size).toBeGreaterThan(10);
}

async function indexed(): Promise<{ seq: number | undefined; words: number }> {
  const database = app().app.get(Database);
  const [index] = await database.query<{ seq: number }>('SELECT seq FROM search_index');
  const [{ n } = { n: 0 }] = await database.query<{ n: number }>('SELECT count(*) AS n FROM search_words');
  return { seq: index?.seq, words: Number(n) };
}

describe('a search finds the same events with and without the index', () => {
  const texts: string[] = [];
  const keepUp = () => app().app.get(EventSearch).updateIndex();

  beforeAll(async () => {
    const bodies = Array.from({ length: 300 }, (_, n) => fields(n));
    const lines = bodies.map((body, n) => Buffer.from(JSON.stringify({ ...body, ...dates, external_id: n })));
    const batch = lines.map((bytes, n) => ({ number: n + 1, bytes }));
    const context = await app().app.get(CommandContext).read();
    expect((await app().app.get(EventImporter).run(batch, context, false)).added).toBe(300);
    texts.push(...bodies.flatMap(({ title, description }) => [title, description]));
  });

  test('EV-LIST-22, EV-LIST-23: after the index was created', async () => {
    expect(await indexed()).toEqual({ seq: undefined, words: 0 });
    await keepUp();
    expect((await indexed()).words).toBeGreaterThan(100);
    await expectSameSearches(texts, 60);
  });

  test('EV-LIST-22, EV-LIST-23: while the index lacks the latest changes', async () => {
    const { client, tokens } = app();
    const { seq } = await indexed();
    const ids = (await client.get('/events?per_page=50')).body.events.map(({ id }: { id: number }) => id);
    for (const id of ids.slice(0, 20)) {
      const body = fields(id);
      texts.push(body.title, body.description);
      expect((await client.put(`/events/${id}`, body, tokens.adm)).status).toBe(200);
    }
    for (const id of ids.slice(20, 25)) await client.delete(`/events/${id}?force=true`, tokens.adm);
    for (const id of ids.slice(25, 30)) await client.delete(`/events/${id}`, tokens.adm);
    for (let n = 0; n < 5; n += 1) await event(client, tokens.adm, { ...fields(1000 + n), ...dates });
    await expectSameSearches(texts, 40);
    expect((await indexed()).seq).toBe(seq);
  });

  test('EV-LIST-22, EV-LIST-23: after the index was updated', async () => {
    const { seq } = await indexed();
    await keepUp();
    expect((await indexed()).seq).toBeGreaterThan(seq!);
    await expectSameSearches(texts, 40);
  });

  test('EV-LIST-22: an event is not found by the words that it had before', async () => {
    const { client, tokens } = app();
    const { id } = await event(client, tokens.adm, { ...dates, title: 'Quagga zebu' });
    const steps: [title: string, found: Record<string, boolean>][] = [
      ['Quagga zebu', { quagga: true, okapi: false, uagg: true, 'zebu -quagga': false }],
      ['Okapi zebu', { quagga: false, okapi: true, uagg: false, kap: true, 'zebu -quagga': true, '"okapi z"': true }],
      ['Quagga two', { quagga: true, okapi: false, kap: false, 'okapi quagga': false, 'quagga -okapi': true }],
    ];
    for (const [title, expected] of steps) {
      expect((await client.put(`/events/${id}`, { title }, tokens.adm)).status).toBe(200);
      for (const isIndexed of [false, true]) {
        if (isIndexed) await keepUp();
        for (const [search, isFound] of Object.entries(expected)) {
          expect([title, isIndexed, search, (await expectSame(search)).ids.includes(id)]).toEqual([
            title,
            isIndexed,
            search,
            isFound,
          ]);
        }
      }
    }
  });

  test('EV-LIST-22: while two processes update the index at once', async () => {
    const { client, tokens } = app();
    const ids = (await client.get('/events?per_page=50')).body.events.map(({ id }: { id: number }) => id);
    const both = [app(), beside].map(async ({ app: nest }) => {
      for (let times = 0; times < 10; times += 1) await nest.get(EventSearch).updateIndex();
    });
    const changes = ids.map(async (id: number) => {
      const body = fields(id);
      texts.push(body.title, body.description);
      await client.put(`/events/${id}`, body, tokens.adm);
    });
    await Promise.all([...both, ...changes]);
    await keepUp();
    await expectSameSearches(texts, 20);
  });

  test('EV-LIST-22: after changes were purged that the index lacked', async () => {
    const { app: nest, client, tokens } = app();
    await event(client, tokens.adm, { ...dates, title: 'Purged' });
    await nest.get(Database).inTransaction((tx) => tx.execute('DELETE FROM changes'));
    expect((await expectSame('purged')).total).toBe(1);
    await keepUp();
    const { seq } = await indexed();
    const [{ version } = { version: 0 }] = await nest
      .get(Database)
      .query<{ version: number }>('SELECT version FROM data_version');
    expect(seq).toBe(version);
    expect((await expectSame('purged')).total).toBe(1);
  });

  test('EV-LIST-22: after SQL changed a text and increased data_version', async () => {
    const { app: nest, client, tokens } = app();
    const { id } = await event(client, tokens.adm, { ...dates, title: 'Before' });
    await keepUp();
    await nest.get(Database).inTransaction(async (tx) => {
      await tx.update('events', id, { search_text: 'afterwards' });
      await tx.execute('UPDATE data_version SET version = version + 1');
    });
    expect((await expectSame('afterwards')).ids).toEqual([id]);
    await keepUp();
    expect((await expectSame('afterwards')).ids).toEqual([id]);
  });
});

describe('a search with an index of several blocks', () => {
  const service = useApp({ SEARCH_INDEX_FROM: '1', CACHE_ENTRIES: '0' });
  const insert = (search_text: string, ids: readonly number[]) =>
    insertEvents(
      service(),
      ids.map((id) => ({ id, title: search_text, search_text })),
    );
  const idsOf = async (word: string) => {
    const { body } = await service().client.get(`/events?search=${word}&orderby=id&per_page=50&_fields=id`);
    return (body.events as { id: number }[]).map(({ id }) => id);
  };

  test('EV-LIST-22: finds events of all blocks, also events that are newer than the index', async () => {
    const keepUp = () => service().app.get(EventSearch).updateIndex();
    const [first, later] = [
      [1, 16_383, 16_384, 32_767, 32_768, 50_000],
      [2, 16_382, 16_385, 32_766, 32_769, 50_001],
    ];
    await insert('xylophone', first);
    await keepUp();
    expect(await idsOf('xylophone')).toEqual(first);
    await insert('saxophone', later);
    expect(await idsOf('saxophone')).toEqual(later);
    await keepUp();
    expect(await idsOf('saxophone')).toEqual(later);
    expect(await idsOf('phone')).toEqual([...first, ...later].toSorted((a, b) => a - b));
  });
});

describe('a search', () => {
  const service = useApp({ SEARCH_INDEX_FROM: '3' });
  const known = async () => {
    const [row] = await service().app.get(Database).query<{ seq: number }>('SELECT seq FROM search_index');
    return row?.seq;
  };
  /** Searches until the index has reached the expected change. */
  const searchUntil = async (isEnough: (seq: number | undefined) => boolean) => {
    for (let times = 0; times < 500; times += 1) {
      expect((await service().client.get('/events?search=needle')).body.total).toBe(1);
      if (isEnough(await known())) return;
      await sleep(10);
    }
    throw new Error('the index stays as it is');
  };

  test('creates and updates the index once there are enough events and changes', async () => {
    const { app: nest, client, tokens } = service();
    const change = (count: number) =>
      nest.get(Database).inTransaction((tx) => {
        for (let id = 1; id <= count; id += 1) tx.recordChange('event.updated', id, 0);
        return Promise.resolve();
      });
    await event(client, tokens.adm, { title: 'Needle' });
    await event(client, tokens.adm, { title: 'Hay' });
    await client.get('/events?search=needle');
    await nest.get(EventSearch).updateIndex();
    expect(await known()).toBeUndefined();

    await event(client, tokens.adm, { title: 'Straw' });
    await searchUntil((seq) => seq !== undefined);
    // Waits until the build has ended, which would take over the next changes.
    await nest.get(EventSearch).updateIndex();
    const first = await known();
    await change(100);
    await client.get('/events?search=needle');
    expect(await known()).toBe(first);
    await change(500);
    await searchUntil((seq) => seq !== first);
  });
});
