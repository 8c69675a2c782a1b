import { HtmlValidate } from 'html-validate';
import type { Browser } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { startBrowser } from '../support/browser.js';
import { fillSite, PAGES } from '../support/site-records.js';
import { visit } from '../support/site.js';
import { axe, close, go, look, openWindow, overflow, screenshot, type SitePage } from './site-page.js';

/** `npm run nightly` sets `whole`: each language, colour scheme and width. Else English in two of the settings. */
const isWhole = process.env.PAGES_WALK === 'whole';
const LANGUAGES = isWhole ? ['en', 'de', 'fr'] : ['en'];
const SETTINGS = isWhole
  ? (['light', 'dark'] as const).flatMap((scheme) => [1440, 390, 320].map((width) => ({ scheme, width })))
  : ([
      { scheme: 'light', width: 1440 },
      { scheme: 'dark', width: 390 },
    ] as const);
/** What readers may set (WCAG 1.4.4, 1.4.12). */
const LARGE = 'html { font-size: 200% !important }';
const SPACED =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }';

let service: TestApp;
let browser: Browser;
beforeAll(async () => {
  service = await startApp({ SITE_NAME: 'Lyon Nights', SITE_TIMEZONE: 'Europe/Paris' });
  browser = await startBrowser();
  await fillSite(service);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await service.close();
});
const at = (language: string, path: string) =>
  `http://127.0.0.1:${service.client.port}${language === 'en' ? '' : `/${language}`}${path}`;

describe.each(LANGUAGES)('in the language %s', (language) => {
  const [first] = SETTINGS;
  let window: SitePage;
  let windows: readonly SitePage[];
  beforeAll(async () => {
    const options = { locale: language };
    window = await openWindow(browser, at(language, '/'), { ...options, bypassCSP: true });
    windows = [
      await openWindow(browser, at(language, '/'), { ...options, javaScriptEnabled: true }),
      await openWindow(browser, at(language, '/'), { ...options, javaScriptEnabled: false }),
    ];
  });
  afterAll(() => Promise.all([window, ...windows].map(close)));

  test.each(Object.entries(PAGES))(
    'PAGE-43: axe finds nothing on %s; it fits each window, at each width, with large and with spaced text',
    async (name, path) => {
      await look(window, first);
      await go(window, at(language, path));
      for (const { scheme, width } of SETTINGS) {
        await look(window, { scheme, width });
        await screenshot(window, [name, width, scheme, language].join('-'));
        expect([width, scheme, await axe(window)]).toEqual([width, scheme, []]);
      }
      for (const [width, css] of [[320], [768], [1440], [390, LARGE], [1280, LARGE], [320, SPACED]] as const) {
        await look(window, { width });
        if (css !== undefined) await window.page.addStyleTag({ content: css });
        expect([width, css, await overflow(window)]).toEqual([width, css, 0]);
        if (css !== undefined) await window.page.evaluate('document.head.lastElementChild.remove()');
      }
    },
    120_000,
  );

  test.each(Object.entries(PAGES))(
    'PAGE-43, PAGE-44: %s has the same text without scripts, and asks for its style sheet only',
    async (name, path) => {
      const texts = [];
      for (const shown of windows) {
        await look(shown, first);
        await go(shown, at(language, path));
        texts.push(await shown.page.locator('body').innerText());
        expect(shown.complaints).toEqual([]);
        // Only images of records come from other hosts; only a frame has a script.
        const own = shown.requests.filter((url) => url.startsWith(at('en', '/')) && !/favicon/.test(url));
        const isFrame = name.startsWith('embed') && shown === windows[0];
        expect(own.map((url) => url.replace(/^.*(\.\w+)$/, '$1')).slice(1)).toEqual(
          isFrame ? ['.css', '.js'] : ['.css'],
        );
        const foreign = shown.requests.filter((url) => !url.startsWith(at('en', '/')));
        expect(foreign).toEqual(name === 'event' ? ['https://pictures.example/rack.png'] : []);
      }
      expect(texts[1]).toBe(texts[0]);
      expect(texts[0]!.length).toBeGreaterThan(50);
    },
    120_000,
  );
});

test.skipIf(isWhole).each(['de', 'fr'])(
  'PAGE-43: the longer words of %s fit a narrow window with large text',
  async (language) => {
    const window = await openWindow(browser, at(language, '/'), { locale: language, bypassCSP: true });
    await look(window, { width: 390 });
    for (const path of [PAGES.list, PAGES.month, PAGES.event, PAGES.subscribe]) {
      await go(window, at(language, path));
      await window.page.addStyleTag({ content: LARGE });
      expect([path, await overflow(window)]).toEqual([path, 0]);
    }
    await close(window);
  },
  120_000,
);

describe.each(['en', 'de', 'fr'])('markup in the language %s', (language) => {
  const validator = new HtmlValidate({
    extends: ['html-validate:recommended', 'html-validate:document'],
    rules: {
      'no-inline-style': 'error',
      'require-sri': 'off',
      // A table that scrolls is a section with a name.
      'aria-label-misuse': ['error', { allowAnyNamable: true }],
      // Preact closes void elements, as in `<meta/>`, which HTML allows.
      'void-style': 'off',
      // The password of an event is nobody's own: browsers should not keep it (pages P4.6).
      'autocomplete-password': 'off',
    },
  });

  test.each(Object.entries(PAGES))('PAGE-43: html-validate finds nothing on %s', async (_, path) => {
    const { text } = await visit(service.client, language === 'en' ? path : `/${language}${path}`);
    const { results } = await validator.validateString(text);
    const found = results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message, line }) => `${ruleId} ${line}: ${message}`),
    );
    expect(found).toEqual([]);
    expect(text).toContain(`<html lang="${language}"`);
  });
});
