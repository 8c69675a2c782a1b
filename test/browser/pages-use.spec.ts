import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { startBrowser } from '../support/browser.js';
import { event } from '../support/factories.js';
import { type Gateway, PREFIX, startNginx } from '../support/nginx.js';
import { addressesOf, visit } from '../support/site.js';
import { fillSite, PAGES } from '../support/site-records.js';
import { Client } from '../support/client.js';
import { receive } from '../support/gzipped.js';
import { close, openPage, screenshot } from './site-page.js';

let service: TestApp;
let browser: Browser;
let gateway: Gateway;
beforeAll(async () => {
  service = await startApp({ SITE_NAME: 'Lyon Nights', SITE_TIMEZONE: 'Europe/Paris', TRUST_PROXY: '127.0.0.1' });
  browser = await startBrowser();
  gateway = await startNginx([service.client.port]);
  await fillSite(service);
  const long = { title: 'Long', start_date: '2027-01-04', end_date: '2027-01-21', all_day: true };
  await event(service.client, service.tokens.edi, long);
  const beside = { title: 'Beside', start_date: '2027-01-08 10:00', end_date: '2027-01-12 12:00' };
  await event(service.client, service.tokens.edi, beside);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await gateway.stop();
  await service.close();
});
const at = (path: string) => `http://127.0.0.1:${service.client.port}${path}`;

/** What has the focus: its place in the document, whether its outline is seen, and what covers its middle. */
interface Focus {
  readonly place: number;
  readonly text: string;
  readonly outline: number;
  readonly isVisible: boolean;
  readonly isCovered: boolean;
}

const FOCUS = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  const box = element.getClientRects()[0];
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const top = document.elementFromPoint(x, y);
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return {
    place: [...document.querySelectorAll('*')].indexOf(element),
    text: (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 60),
    outline: outlineStyle === 'none' ? 0 : parseFloat(outlineWidth),
    isVisible: box.width > 0 && box.height > 0 && y >= 0 && y <= innerHeight,
    isCovered: top !== null && !element.contains(top) && !top.contains(element),
  };
})()`;

/** Presses Tab until the focus leaves the page. */
async function walk(page: Page): Promise<Focus[]> {
  const found: Focus[] = [];
  for (let count = 0; count < 300; count += 1) {
    await page.keyboard.press('Tab');
    const focus = await page.evaluate<Focus | null>(FOCUS);
    if (focus === null) return found;
    found.push(focus);
  }
  throw new Error('the focus never leaves the page');
}

describe.each([
  ['list', '/', 1440],
  ['month', PAGES.month, 1440],
  ['month, narrow', PAGES.month, 390],
  ['event', PAGES.event, 1440],
  ['event, narrow', PAGES.event, 390],
])('the keyboard alone: %s', (name, path, width) => {
  test('PAGE-43: Tab reaches every link and field, in the order of the document, with an outline that is seen', async () => {
    const shown = await openPage(browser, at(path), { viewport: { width, height: 900 } });
    const { page } = shown;
    const all = await page.evaluate<number>(
      `[...document.querySelectorAll('a[href], button, input:not([type=hidden]), [tabindex="0"], summary')].filter((one) => one.checkVisibility()).length`,
    );
    const focused = await walk(page);
    expect([name, focused.length]).toEqual([name, all]);
    expect(focused.map(({ place }) => place)).toEqual(focused.map(({ place }) => place).toSorted((a, b) => a - b));
    expect(focused.filter(({ outline }) => outline < 2)).toEqual([]);
    expect(focused.filter(({ isVisible, isCovered }) => !isVisible || isCovered)).toEqual([]);
    await close(shown);
  }, 120_000);
});

test('PAGE-43: Enter skips to the content, opens "n more", an event, and the month of the header', async () => {
  const shown = await openPage(browser, at(PAGES.month));
  const { page } = shown;
  const focusOn = async (text: RegExp) => {
    for (let count = 0; count < 300; count += 1) {
      await page.keyboard.press('Tab');
      if (text.test((await page.evaluate<Focus | null>(FOCUS))?.text ?? '')) return;
    }
    throw new Error(`no focus on ${text.source}`);
  };
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('content');
  await focusOn(/^\d+ more on /);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/events/day/2026-12-11/');
  await focusOn(/^Long Night/);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/event/long-night/');
  await focusOn(/^Month$/);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/events/month/2026-11/');
  await close(shown);
}, 120_000);

interface Box {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

test.each([PAGES.month, '/events/month/2027-01/'])(
  'PAGE-13: no bar of %s overlaps another one, or leaves the columns of its days',
  async (path) => {
    const shown = await openPage(browser, at(path));
    const boxes = (selector: string) =>
      shown.page.evaluate<Box[]>(
        `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          return { text: one.textContent, left, right, top, bottom };
        })`,
      );
    const bars = await boxes('.k-bar');
    expect(bars.length).toBeGreaterThan(4);
    const pairs = bars.flatMap((a, index) => bars.slice(index + 1).map((b) => [a, b] as const));
    const overlap = ([a, b]: readonly [Box, Box]) =>
      a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    expect(pairs.filter(overlap)).toEqual([]);
    const cells = await boxes('.k-grid td');
    const mores = await boxes('.k-more');
    for (const bar of bars) {
      // A bar begins and ends at the edges of cells of its week.
      const week = cells.filter(({ top, bottom }) => top <= bar.top && bar.bottom <= bottom + 1);
      expect([bar.text, week.length]).toEqual([bar.text, 7]);
      expect(Math.min(...week.map(({ left }) => Math.abs(left - bar.left)))).toBeLessThan(12);
      expect(Math.min(...week.map(({ right }) => Math.abs(right - bar.right)))).toBeLessThan(12);
      expect(mores.filter((more) => overlap([more, bar]))).toEqual([]);
    }
    const widths = bars.filter(({ text }) => text === 'Long').map(({ left, right }) => right - left);
    const cell = cells[0]!.right - cells[0]!.left;
    expect(widths.map((width) => Math.round(width / cell))).toEqual(path === PAGES.month ? [] : [7, 7, 4]);
    await close(shown);
  },
);

describe('/embed/ in the page of another host', () => {
  let host: Server;
  let html = '';
  beforeAll(async () => {
    host = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(html));
    await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
  });
  afterAll(() => new Promise((done) => host.close(done)));

  test.each(['auto', 'dark'])(
    'PAGE-37: its frame follows the height of the page in it; links open on top (theme %s)',
    async (theme) => {
      const script = `<script src="${at('/embed.js')}" data-view="list" data-limit="12" data-theme="${theme}" async></script>`;
      html = `<!DOCTYPE html><html lang="en"><title>Host</title><h1>Host</h1>${script}<p>After</p></html>`;
      const { port } = host.address() as AddressInfo;
      const page = await browser.newPage({ viewport: { width: 700, height: 900 }, colorScheme: 'light' });
      // Another origin, and another site.
      await page.goto(`http://localhost:${port}/`);
      const frame = page.frameLocator('iframe');
      await frame.locator('h3 a').first().waitFor();
      const inside = page.frames()[1]!;
      const inner = () => inside.evaluate<number>('document.body.scrollHeight');
      const outer = () => page.evaluate<number>('document.querySelector("iframe").getBoundingClientRect().height');
      await expect.poll(async () => Math.abs((await inner()) - (await outer())), { timeout: 20_000 }).toBeLessThan(3);
      expect(await outer()).not.toBe(600);
      expect(await frame.locator('h3').count()).toBe(12);
      expect(await page.locator('iframe').getAttribute('title')).toBe('Events');
      const paper = await inside.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      expect(paper).toBe(theme === 'dark' ? 'rgb(23, 22, 20)' : 'rgb(251, 250, 247)');
      await frame.locator('h3 a').first().click();
      await page.waitForURL('**/event/**');
      expect(page.url()).toMatch(new RegExp(`^${at('/event/')}`));
      await page.close();
    },
  );
});

test('PAGE-46: on paper there is no navigation, and links of the text are followed by their addresses', async () => {
  const shown = await openPage(browser, at(PAGES.event));
  const { page } = shown;
  await page.emulateMedia({ media: 'print' });
  await screenshot(shown, 'event-print');
  for (const selector of ['.k-views', '.k-search', '.k-foot', '.k-skip', '.k-beside', '.k-facts .k-buttons'])
    expect([selector, await page.locator(selector).first().isVisible()]).toEqual([selector, false]);
  for (const selector of ['h1', '.k-facts dl', '.k-prose'])
    expect([selector, await page.locator(selector).first().isVisible()]).toEqual([selector, true]);
  const printed = await page.evaluate<string>(
    'getComputedStyle(document.querySelector(".k-prose a"), "::after").content',
  );
  expect(printed).toContain('https://talks.example/seven');
  await close(shown);
});

test('PAGE-46: with forced colours bars and today keep their borders', async () => {
  const shown = await openPage(browser, at('/events/month/2026-11/'), { forcedColors: 'active' });
  const border = (selector: string) =>
    shown.page.evaluate<number>(
      `(({ borderTopStyle, borderTopWidth }) => borderTopStyle === 'none' ? 0 : parseFloat(borderTopWidth))(getComputedStyle(document.querySelector(${JSON.stringify(selector)})))`,
    );
  expect(await border('.k-solid')).toBeGreaterThan(0);
  expect(await border('.k-is-today .k-number')).toBeGreaterThanOrEqual(3);
  await screenshot(shown, 'month-forced-colours');
  await close(shown);
});

test('PAGE-44: the first view of a list, an event and a month is small', async () => {
  const sizeOf = async (path: string) =>
    Number(
      (await receive(service.client.port, path, { 'accept-encoding': 'gzip', accept: 'text/html' })).headers[
        'content-length'
      ],
    );
  const css = addressesOf(await visit(service.client, '/')).find((href) => href.endsWith('.css')) ?? '';
  const sheet = await sizeOf(css);
  const sizes = { list: await sizeOf('/'), event: await sizeOf(PAGES.event), month: await sizeOf(PAGES.month), sheet };
  expect(sizes.sheet).toBeLessThan(4 * 1024);
  expect(sizes.list + sheet).toBeLessThan(8 * 1024);
  expect(sizes.event + sheet).toBeLessThan(8 * 1024);
  expect(sizes.month + sheet).toBeLessThan(12 * 1024);
});

test('PAGE-05: behind a gateway with a prefix every address of a page has the prefix, and leads somewhere', async () => {
  const behind = new Client(gateway.port, `${PREFIX}/calendar/events/v1`, {
    document: async () => (await service.client.get('/doc')).body as object,
  });
  const origin = `http://127.0.0.1:${gateway.port}`;
  const seen = new Map<string, number>();
  for (const language of ['', '/de']) {
    for (const path of Object.values(PAGES)) {
      const page = await visit(behind, PREFIX + language + path);
      expect([path, page.text]).toEqual([path, expect.stringContaining(`href="${origin}${PREFIX}/`)]);
      for (const href of addressesOf(page)) {
        const url = new URL(href, `${origin}${PREFIX}${language}${path}`);
        if (url.origin !== origin || href.startsWith('#')) continue;
        expect([path, url.pathname]).toEqual([path, expect.stringMatching(new RegExp(`^${PREFIX}/`))]);
        if (!seen.has(url.pathname)) seen.set(url.pathname, (await visit(behind, url.pathname + url.search)).status);
      }
    }
  }
  const expected = (path: string) =>
    path.endsWith('/event/nothing/') ? 404 : path.endsWith('/event/closed/') ? 403 : 200;
  // `/events/month/` leads to the month of today.
  const wrong = [...seen].filter(
    ([path, status]) => status !== expected(path) && !(status === 302 && path.endsWith('/month/')),
  );
  expect(wrong).toEqual([]);
  expect(seen.size).toBeGreaterThan(60);
}, 120_000);
