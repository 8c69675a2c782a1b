import { startApp, type TestApp } from '../support/app.js';
import { insertEvents } from '../support/rows.js';
import { visit } from '../support/site.js';

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());
const locationsOf = async (path: string) =>
  [...(await visit(service.client, path)).text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(
    ([, url]) => new URL(url!).pathname,
  );

test('PAGE-41: 2,500 events are three files by id, without hidden, protected and long past ones', async () => {
  const at = (day: string) => {
    const [start_utc, end_utc] = [`${day} 10:00:00`, `${day} 11:00:00`];
    return { start_utc, end_utc, start_local: start_utc, end_local: end_utc };
  };
  const open = Array.from({ length: 2_500 }, (_, index) => ({
    slug: `open-${index}`,
    // Ended less than a year ago, or far ahead; not in the order of the ids.
    ...at(index % 10 === 0 ? '2025-11-21' : `20${30 - (index % 4)}-01-01`),
  }));
  const others = [
    { slug: 'hidden', hide_from_listings: 1, ...at('2027-01-01') },
    { slug: 'protected', password_hash: 'x', ...at('2027-01-01') },
    { slug: 'long-past', ...at('2025-11-18') },
    { slug: 'draft', status: 'draft', ...at('2027-01-01') } as const,
    { slug: 'scheduled', date_utc: '2027-01-01 00:00:00', public_from: '2027-01-01 00:00:00', ...at('2027-02-01') },
  ];
  await insertEvents(service, [...others, ...open]);
  expect(await locationsOf('/sitemap.xml')).toEqual([0, 1, 2, 3].map((part) => `/sitemap/${part}.xml`));
  const files = await Promise.all([1, 2, 3].map((part) => locationsOf(`/sitemap/${part}.xml`)));
  // The protected event is among the first thousand.
  expect(files.map((urls) => urls.length)).toEqual([999, 1_000, 501]);
  expect(files.flat()).toEqual(open.map(({ slug }) => `/event/${slug}/`));
  expect((await visit(service.client, '/sitemap/4.xml')).status).toBe(404);
  const overviews = await locationsOf('/sitemap/0.xml');
  expect(overviews).toEqual(['/', '/events/month/2027-01/', '/events/month/2028-01/']);
  const { text } = await visit(service.client, '/sitemap/1.xml');
  expect(text.match(/<lastmod>2026-11-01T00:00:00Z<\/lastmod>/g)).toHaveLength(999);
  const robots = await visit(service.client, '/robots.txt');
  expect(robots.text).toMatch(
    new RegExp(`^Sitemap: http://127\\.0\\.0\\.1:${service.client.port}/sitemap\\.xml$`, 'm'),
  );
});

test('PAGE-41: a file of protected events alone is empty, because the sitemap names it', async () => {
  const protectedEvents = Array.from({ length: 1_000 }, (_, index) => ({
    slug: `closed-${index}`,
    password_hash: 'x',
    start_utc: '2027-03-01 10:00:00',
    end_utc: '2027-03-01 11:00:00',
  }));
  await insertEvents(service, protectedEvents);
  expect(await locationsOf('/sitemap.xml')).toHaveLength(5);
  for (let part = 0; part <= 4; part += 1)
    expect([part, (await visit(service.client, `/sitemap/${part}.xml`)).status]).toEqual([part, 200]);
});
