import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

const SCREENSHOTS = 'coverage/screenshots/pages';
const tools = createRequire(new URL('../../tools/package.json', import.meta.url));
const AXE = readFileSync(tools.resolve('axe-core'), 'utf8');
/** WCAG 2.2 AA, and what axe recommends beyond. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];
const IMAGE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360"><rect fill="#789" width="640" height="360"/></svg>';

/** A page of the site in a browser, with what it asked for and what the browser complained about. */
export interface SitePage {
  readonly page: Page;
  /** URLs of requests, in their order. */
  readonly requests: string[];
  readonly complaints: string[];
}

/** Opens a page in a window of its own. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<SitePage> {
  const shown = await openWindow(browser, url, options);
  await go(shown, url);
  return shown;
}

/**
 * Opens an empty window for the pages of the host of `url`. Requests to other hosts get an image. A window takes a second of
 * processor time, so tests that only look at pages share one.
 */
export async function openWindow(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<SitePage> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  const { host } = new URL(url);
  await page.route(
    (asked) => asked.host !== host,
    (route) => route.fulfill({ contentType: 'image/svg+xml', body: IMAGE }),
  );
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('console', (message) => {
    // Pages of errors have their status.
    const isStatus = /the server responded with a status of/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !isStatus) complaints.push(message.text());
  });
  return { page, requests, complaints };
}

/** Goes to a page. Forgets what the page before asked for. */
export async function go({ page, requests, complaints }: SitePage, url: string): Promise<void> {
  requests.length = 0;
  complaints.length = 0;
  await page.goto(url, { waitUntil: 'load' });
  // Also loads the images further below.
  await page.evaluate('document.querySelectorAll("img").forEach((image) => { image.loading = "eager"; })');
  await page.waitForLoadState('networkidle');
}

export function close({ page }: SitePage): Promise<void> {
  return page.context().close();
}

/** Sets the width of the window, in pixels, and the colours that the reader prefers. */
export async function look(
  { page }: SitePage,
  { width, scheme }: { readonly width: number; readonly scheme?: 'light' | 'dark' },
): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  if (scheme !== undefined) await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
}

/** Returns what axe finds: the rule and the elements. */
export async function axe({ page }: SitePage): Promise<string[]> {
  if (!(await page.evaluate<boolean>('typeof axe === "object"'))) await page.evaluate(AXE);
  const found = await page.evaluate<{ id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[]>(
    `axe.run(document, { runOnly: ${JSON.stringify(TAGS)}, resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Returns by how many pixels the page is wider than the window. */
export function overflow({ page }: SitePage): Promise<number> {
  return page.evaluate<number>('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
}

export async function screenshot({ page }: SitePage, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}
