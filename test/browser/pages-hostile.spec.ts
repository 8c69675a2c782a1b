import { parseFeed } from '@rowanmanning/feed-parser';
import type { Browser } from 'playwright-core';
import { ORGANIZER } from '../../src/organizers/organizer.kind.js';
import { VENUE } from '../../src/venues/venue.kind.js';
import { startApp, type TestApp } from '../support/app.js';
import { startBrowser } from '../support/browser.js';
import { organizer, venue } from '../support/factories.js';
import { insertEvent, linkEvent } from '../support/rows.js';
import { addressesOf, titlesOf, visit } from '../support/site.js';
import { go, look, openWindow, overflow, type SitePage } from './site-page.js';

let service: TestApp;
let browser: Browser;
let shown: SitePage;
beforeAll(async () => {
  service = await startApp();
  browser = await startBrowser();
  shown = await openWindow(browser, at('/'));
}, 120_000);
afterAll(async () => {
  await browser.close();
  await service.close();
});
const at = (path: string) => `http://127.0.0.1:${service.client.port}${path}`;
const times = {
  start_utc: '2026-12-11 10:00:00',
  end_utc: '2026-12-11 11:00:00',
  start_local: '2026-12-11 10:00:00',
  end_local: '2026-12-11 11:00:00',
};
const textIn = ({ page }: SitePage, selector: string) =>
  page.evaluate<string | null>(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? null`);

/** Titles as no write stores them: tags are dropped there. Pages must not rely on that. */
const TITLES: Readonly<Record<string, string>> = {
  script: `</title><script>alert(1)</script><img src=x onerror=alert(2)>`,
  quotes: `"quoted" 'too' & <b>bold</b> ]]> --> \\u003c`,
  direction: 'حفلة \u202e abc \u2066 (عربي)',
  emoji: '🎺'.repeat(500),
};

test.each(Object.entries(TITLES))(
  'PAGE-23: a title with %s is shown as text everywhere, and the policy has nothing to report',
  async (slug, title) => {
    const id = await insertEvent(service, { slug, title, description: title, ...times });
    const place = await venue(service.client, service.tokens.edi, { venue: `Hall ${slug}`, city: 'Lyon' });
    const people = await organizer(service.client, service.tokens.edi, {
      organizer: `Ann ${slug}`,
      email: `a&b+${slug}@x.example`,
    });
    await linkEvent(service, id, VENUE, [place.id as number]);
    await linkEvent(service, id, ORGANIZER, [people.id as number]);
    await go(shown, at(`/event/${slug}/`));
    const { page } = shown;
    expect(await page.title()).toBe(`${title.replace(/\s+/g, ' ')} – Kalends`);
    expect(await textIn(shown, 'h1')).toBe(title);
    const data = JSON.parse((await textIn(shown, 'script[type="application/ld+json"]')) ?? '') as { name: string };
    expect(data.name).toBe(title);
    const og = await page.evaluate<string>(`document.querySelector('meta[property="og:title"]').content`);
    expect(og).toBe(title);
    const mail = await page.evaluate<string>(`document.querySelector('a[href^="mailto:"]').getAttribute('href')`);
    expect(mail).toBe(`mailto:a&b+${slug}@x.example`);
    expect(await page.evaluate('document.scripts.length')).toBe(1);
    expect(shown.complaints).toEqual([]);
    for (const path of ['/', '/events/month/2026-12/', '/events/day/2026-12-11/', '/search/?q=hall']) {
      await go(shown, at(path));
      expect([path, shown.complaints, await page.evaluate('document.scripts.length')]).toEqual([path, [], 0]);
      if (path !== '/search/?q=hall') {
        const titles = await page.evaluate<string[]>(
          `[...document.querySelectorAll('h3 a')].map((a) => a.textContent)`,
        );
        expect([path, titles]).toEqual([path, expect.arrayContaining([title])]);
      }
    }
    const feed = parseFeed((await visit(service.client, '/events.atom')).text);
    const entry = feed.items.find(({ url }) => url?.endsWith(`/event/${slug}/`));
    // The parser decodes the entities of texts, too.
    expect(entry?.title).toBe(title.trim());
  },
  120_000,
);

test('PAGE-22: a word of 10 MB wraps, and is in no list', async () => {
  const word = 'x'.repeat(10 * 1024 * 1024);
  await insertEvent(service, { slug: 'long-word', title: 'Long word', description: `<p>${word}</p>`, ...times });
  const page = await visit(service.client, '/event/long-word/');
  expect([page.status, page.text.includes(word)]).toEqual([200, true]);
  for (const href of addressesOf(page)) expect(href.length).toBeLessThan(2_000);
  expect(page.text.length).toBeLessThan(word.length + 20_000);
  const list = await visit(service.client, '/');
  expect([titlesOf(list).includes('Long word'), list.text.length < 100_000]).toEqual([true, true]);
  // A browser lays out a tenth of it in seconds.
  await insertEvent(service, {
    slug: 'wide',
    title: 'w'.repeat(500),
    description: `<p>${word.slice(0, 1_000_000)}</p><table><tr><td>${'y'.repeat(5_000)}</td></tr></table>`,
    ...times,
  });
  for (const path of ['/event/wide/', '/', '/events/month/2026-12/', '/events/day/2026-12-11/']) {
    for (const width of [320, 1440]) {
      await look(shown, { width });
      await go(shown, at(path));
      expect([path, width, await overflow(shown)]).toEqual([path, width, 0]);
    }
  }
}, 180_000);
