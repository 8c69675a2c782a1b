import { type TestApp, startBeside } from '../support/app.js';
import type { Client, Reply, Sent } from '../support/client.js';
import { useApp } from '../support/events.js';
import { category, event, organizer, tag, venue } from '../support/factories.js';
import { Random } from '../support/random.js';

/** Links contain the host. All instances get the same one, because each has its own port. */
const HOST = { host: 'localhost' };

/** Requests whose responses are cached, and requests whose responses are not. */
const READS = [
  '/events',
  '/events/',
  '/events?per_page=2&page=2',
  '/events?per_page=1&page=99',
  '/events?categories=music',
  '/events?tags=red&orderby=title&order=desc',
  '/events?venue=1&_fields=id,title,venue.venue',
  '/events?organizer=1&featured=true',
  '/events?search=one',
  '/events?start_date=2027-01-01&end_date=2027-12-31',
  '/events?starts_after=2027-01-01%2010:00&strict_dates=true',
  '/events?start_date=now',
  '/events?start_date=tomorrow&end_date=%2B1%20year',
  '/events?ends_before=1804698000',
  '/events?include=1,2,3',
  '/events?post_parent=0&hide_from_listings=false',
  '/events?hide_from_listings=true',
  '/events?status=draft',
  '/events?page=0',
  '/events?start_date=never',
  '/events/1',
  '/events/1?_fields=id,title',
  '/events/2?password=right',
  '/events/2?password=wrong',
  '/events/2',
  '/events/3',
  '/events/999',
  '/events/by-slug/one',
  '/events/by-slug/n%C3%B6',
  '/venues',
  '/venues?only_with_upcoming=true',
  '/venues?has_events=true&per_page=1',
  '/venues?event=1',
  '/venues/1',
  '/venues/by-slug/hall',
  '/organizers?search=ann',
  '/organizers/1',
  '/categories',
  '/categories?hide_empty=false&orderby=count&order=desc',
  '/categories/1',
  '/tags?search=red',
  '/tags/2',
];

/** Returns the response without the headers that differ with each request. */
function seen({ status, headers, text }: Reply) {
  const { date, 'x-request-id': id, ...rest } = headers;
  expect([typeof date, typeof id]).toEqual(['string', 'string']);
  return { status, headers: rest, text };
}

async function records({ client, tokens }: TestApp): Promise<void> {
  await venue(client, tokens.adm, { venue: 'Hall', image: 'https://x.example/i.png', geo_lat: 48, geo_lng: 2 });
  await organizer(client, tokens.adm, { organizer: 'Ann' });
  await category(client, tokens.adm, { name: 'Music' });
  await tag(client, tokens.adm, { name: 'Red' });
  const linked = { venue: 1, organizer: 1, categories: 'music', tags: 'red', cost: '$ 5' };
  await event(client, tokens.adm, { ...linked, title: 'One', featured: true, excerpt: 'One' });
  await event(client, tokens.adm, { ...linked, title: 'Two', password: 'right' });
  await event(client, tokens.adm, { ...linked, title: 'Three', status: 'draft' });
  await event(client, tokens.adm, { ...linked, title: 'Four', date_utc: '2026-11-20 10:00:00' });
}

/** Variants of a request for the same path. */
const WAYS: Record<string, Sent> = {
  plain: {},
  'with HEAD': { method: 'HEAD' },
  'from a page': { headers: { origin: 'https://app.example' } },
  'in German': { headers: { 'accept-language': 'de' } },
  'under a foreign host': { headers: { host: 'elsewhere.example' } },
};

describe('cached responses', () => {
  const app = useApp({ FAILED_ATTEMPTS: '10000', CORS_ORIGINS: 'https://app.example' });
  let without: { client: Client; close(): Promise<void> };
  beforeAll(async () => {
    await records(app());
    without = await startBeside(app(), {
      CACHE_ENTRIES: '0',
      FAILED_ATTEMPTS: '10000',
      CORS_ORIGINS: 'https://app.example',
    });
  });
  afterAll(() => without.close());

  test.each(READS)('GET %s returns the same bytes computed, cached, and without a cache', async (path) => {
    for (const [way, sent] of Object.entries(WAYS)) {
      const asked = { ...sent, headers: { ...HOST, ...sent.headers } };
      const expected = [way, seen(await without.client.send(path, asked))];
      for (let time = 1; time <= 3; time += 1) {
        expect([way, seen(await app().client.send(path, asked))]).toEqual(expected);
      }
    }
    for (const token of Object.values(app().tokens)) {
      const expected = seen(await without.client.send(path, { headers: HOST, token }));
      expect(seen(await app().client.send(path, { headers: HOST, token }))).toEqual(expected);
    }
  });

  test.each(READS)('GET %s with If-None-Match returns the same response with and without a cache', async (path) => {
    const { headers } = await app().client.send(path, { headers: HOST });
    const asked = { headers: { ...HOST, 'if-none-match': headers.etag ?? '"none"' } };
    const expected = seen(await without.client.send(path, asked));
    expect(expected.status === 304).toBe(headers.etag !== undefined);
    expect(seen(await app().client.send(path, asked))).toEqual(expected);
    expect(seen(await app().client.send(path, asked))).toEqual(expected);
  });
});

describe('cached responses after writes and clock changes', () => {
  const app = useApp();
  let without: { client: Client; close(): Promise<void> };
  beforeAll(async () => {
    await records(app());
    without = await startBeside(app(), { CACHE_ENTRIES: '0' });
  });
  afterAll(() => without.close());

  test('equal those of an instance without a cache, whichever instance writes', async () => {
    const random = new Random(7);
    const { tokens } = app();
    const setNow = (iso: string) => app().setNow(iso);
    let now = Date.parse('2026-11-20T08:39:00Z');
    const later = (minutes: number) => new Date(now + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');
    const write = (path: string, body: object) =>
      random.pick([app().client, without.client]).post(path, body, tokens.adm);
    const steps: (() => unknown)[] = [
      () => write(`/events/${random.between(1, 6)}`, { title: `Title ${random.between(1, 3)}` }),
      () => write(`/events/${random.between(1, 6)}`, { status: random.pick(['draft', 'publish', 'trash']) }),
      () => write(`/events/${random.between(1, 6)}`, { hide_from_listings: random.chance(0.5) }),
      () => write(`/events/${random.between(1, 6)}`, { date_utc: later(random.between(-60, 60)), status: 'publish' }),
      () => write('/venues/1', { venue: `Hall ${random.between(1, 3)}`, status: random.pick(['draft', 'publish']) }),
      () => write('/categories/1', { name: `Music ${random.between(1, 3)}` }),
      () => write('/events', { title: 'New', start_date: later(600), end_date: later(660), venue: 1, tags: 'red' }),
      () => setNow(new Date((now += random.between(1, 90) * 60_000)).toISOString()),
      // Moves the clock to one second before midnight; the next step adds a second.
      () => setNow(new Date((now = Math.ceil(now / 86_400_000) * 86_400_000 - 1000)).toISOString()),
      () => setNow(new Date((now += 1000)).toISOString()),
      () => setNow(new Date((now -= random.between(1, 90) * 60_000)).toISOString()),
    ];
    for (let step = 0; step < 60; step += 1) {
      await random.pick(steps)();
      for (const path of ['/events', '/events/1', random.pick(READS), random.pick(READS)]) {
        const expected = seen(await without.client.send(path, { headers: HOST }));
        expect([step, path, seen(await app().client.send(path, { headers: HOST }))]).toEqual([step, path, expected]);
      }
    }
  });

  test('a default list expires at the end of the day of the site', async () => {
    const shown = async () => (await app().client.get('/events?per_page=1&_fields=rest_url')).body.rest_url as string;
    app().setNow('2027-01-10T23:59:59Z');
    expect([await shown(), await shown()]).toEqual(Array(2).fill(expect.stringContaining('start_date=2027-01-09')));
    app().setNow('2027-01-11T00:00:00Z');
    expect(await shown()).toContain('start_date=2027-01-10');
    app().setNow('2027-01-10T23:59:59Z');
    expect(await shown()).toContain('start_date=2027-01-09');
  });
});

describe('cached lists with dates relative to now', () => {
  const app = useApp();
  beforeAll(async () => {
    const { client, tokens } = app();
    await event(client, tokens.adm, { start_date: '2026-11-20 09:00:00', end_date: '2026-11-20 10:00:00' });
  });

  test.each([
    ['start_date', [1, 1, 0, 0]],
    ['end_date', [0, 0, 0, 1]],
    ['starts_before', [0, 0, 1, 1]],
    ['starts_after', [1, 0, 0, 0]],
    ['ends_before', [0, 0, 0, 1]],
    ['ends_after', [1, 1, 1, 0]],
  ])('%s=now is evaluated anew each second, without any write', async (name, expected) => {
    const totals: number[] = [];
    for (const time of ['08:59:59', '09:00:00', '09:00:01', '10:00:01']) {
      app().setNow(`2026-11-20T${time}Z`);
      const { body } = await app().client.get(`/events?${name}=now&strict_dates=true`);
      totals.push(body.total as number);
    }
    expect(totals).toEqual(expected);
  });
});

describe.each([
  ['UTC', '2027-01-10T23:59:59Z', '2027-01-11T00:00:00Z'],
  ['America/New_York', '2027-01-11T04:59:59Z', '2027-01-11T05:00:00Z'],
  ['Asia/Kathmandu', '2027-01-10T18:14:59Z', '2027-01-10T18:15:00Z'],
])('a cached default list, site in %s', (SITE_TIMEZONE, last, first) => {
  const app = useApp({ SITE_TIMEZONE });

  test('expires at the end of the day of the site, not of UTC', async () => {
    const begin = async (now: string) => {
      app().setNow(now);
      const { body } = await app().client.get('/events?per_page=1&_fields=rest_url');
      return new URL(body.rest_url as string).searchParams.get('start_date');
    };
    expect([await begin(last), await begin(first), await begin(last)]).toEqual([
      '2027-01-09 00:00:00',
      '2027-01-10 00:00:00',
      '2027-01-09 00:00:00',
    ]);
  });
});
