import { parseFeed } from '@rowanmanning/feed-parser';
import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { startBrowser } from '../support/browser.js';
import { category, event } from '../support/factories.js';
import { visit } from '../support/site.js';
import { fillSite } from '../support/site-records.js';

let service: TestApp;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  service = await startApp({ SITE_NAME: 'Lyon Nights', ALLOWED_HOSTS: 'a.example,b.example' });
  browser = await startBrowser();
  page = await browser.newPage();
  await fillSite(service);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await service.close();
});

/** Returns the names of the elements below the root of a document, as Chromium reads it. A mistake in the XML fails. */
async function elementsOf(xml: string): Promise<{ root: string; names: string[]; texts: string[] }> {
  return page.evaluate<{ root: string; names: string[]; texts: string[] }>(`(() => {
    const parsed = new DOMParser().parseFromString(${JSON.stringify(xml)}, 'application/xml');
    const error = parsed.querySelector('parsererror');
    if (error !== null) throw new Error(error.textContent);
    const { documentElement: root } = parsed;
    return {
      root: root.namespaceURI + ' ' + root.localName,
      names: [...new Set([...root.querySelectorAll('*')].map((one) => one.localName))],
      texts: [...root.querySelectorAll('loc')].map((one) => one.textContent),
    };
  })()`);
}

test('PAGE-40: a parser of others reads every entry of the Atom feed, by date of publication', async () => {
  const { client, tokens } = service;
  await event(client, tokens.edi, {
    title: 'Rock & "Roll"',
    description: '<p>A &amp; B</p>',
    date: '2026-11-19 08:00:00',
    start_date: '2027-02-01 10:00',
    end_date: '2027-02-01 11:00',
  });
  const { text } = await visit(client, '/events.atom');
  const feed = parseFeed(text);
  expect([feed.meta.type, feed.meta.version, feed.title, feed.language]).toEqual(['atom', '1.0', 'Lyon Nights', 'en']);
  const { body } = await client.get('/events?ends_after=2026-11-19&per_page=100');
  const expected = body.events as { title: string; url: string }[];
  expect(feed.items).toHaveLength(expected.length);
  expect(new Set(feed.items.map(({ url }) => url))).toEqual(new Set(expected.map(({ url }) => url)));
  const last = feed.items.at(-1)!;
  // The parser decodes the entities of the HTML, too.
  expect([last.title, last.content]).toEqual(['Rock & "Roll"', '<p>A & B</p>']);
  const dates = feed.items.map(({ published }) => published!.getTime());
  expect(dates).toEqual(dates.toSorted((a, b) => b - a));
});

test('PAGE-40: the feed has what RFC 4287 demands, and its ids stay under another host', async () => {
  const { client } = service;
  const feedAt = async (host: string, path = '/events.atom') =>
    (await visit(client, path, { headers: { Host: host } })).text;
  const [one, other] = [await feedAt('a.example'), await feedAt('b.example')];
  const { root } = await elementsOf(one);
  expect(root).toBe('http://www.w3.org/2005/Atom feed');
  const idsOf = (text: string) => [...text.matchAll(/<id>([^<]*)<\/id>/g)].map(([, id]) => id as string);
  expect(idsOf(one)).toEqual(idsOf(other));
  expect(new Set(idsOf(one)).size).toBe(idsOf(one).length);
  expect([one, other]).toEqual([
    expect.stringContaining('//a.example/event/'),
    expect.stringContaining('//b.example/event/'),
  ]);
  const [head = '', ...entries] = one.split('<entry>');
  const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
  for (const part of [head, ...entries]) {
    for (const name of ['id', 'title', 'updated'])
      expect([name, part.match(new RegExp(`<${name}>`, 'g'))?.length]).toEqual([name, 1]);
    expect(/<updated>([^<]*)</.exec(part)?.[1]).toMatch(timestamp);
    expect(part).toMatch(/<link rel="alternate" type="text\/html" href="http/);
  }
  expect(head).toContain('<author><name>Lyon Nights</name></author>');
  expect(head).toContain('rel="self" type="application/atom+xml" href="http://a.example/events.atom"');
  await category(client, service.tokens.adm, { name: 'Quiet' });
  const music = parseFeed(await feedAt('a.example', '/events.atom?category=music'));
  const { body } = await client.get('/events?categories=music&ends_after=2026-11-19&per_page=100');
  expect([music.items.length, music.title]).toEqual([body.total, 'Lyon Nights: Music']);
  const empty = await feedAt('a.example', '/events.atom?category=quiet');
  expect([parseFeed(empty).items, empty.includes('<updated>1970-01-01T00:00:00Z</updated>')]).toEqual([[], true]);
});

test('PAGE-41: sitemaps and OpenSearch are XML by their schemas', async () => {
  const { client } = service;
  const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';
  const index = await elementsOf((await visit(client, '/sitemap.xml')).text);
  expect([index.root, index.names]).toEqual([`${namespace} sitemapindex`, ['sitemap', 'loc']]);
  for (const url of index.texts) {
    const part = await elementsOf((await visit(client, new URL(url).pathname)).text);
    expect([part.root, part.names.toSorted()]).toEqual([
      `${namespace} urlset`,
      url.endsWith('/0.xml') ? ['loc', 'url'] : ['lastmod', 'loc', 'url'],
    ]);
    for (const place of part.texts)
      expect([place, (await visit(client, new URL(place).pathname)).status]).toEqual([place, 200]);
  }
  const search = await elementsOf((await visit(client, '/opensearch.xml')).text);
  expect(search.root).toBe('http://a9.com/-/spec/opensearch/1.1/ OpenSearchDescription');
  expect(search.names).toEqual(['ShortName', 'Description', 'InputEncoding', 'Url']);
});
