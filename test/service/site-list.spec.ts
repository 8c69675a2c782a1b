import { startApp, startOwnApp, type TestApp } from '../support/app.js';
import { category, event } from '../support/factories.js';
import { addressesOf, textOf, titlesOf, visit } from '../support/site.js';

const RECORDS = ['/event/x/', '/venue/x/', '/organizer/x/', '/tag/x/', '/events/category/x/'];

describe('the pages of an ordinary service', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startApp();
  });
  afterAll(() => service.close());
  const write = (fields: object) => event(service.client, service.tokens.edi, { ...fields });

  test('PAGE-31: an empty calendar tells visitors that events will come, and its operator what to do', async () => {
    const page = await visit(service.client, '/');
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain('Events will appear here.');
    expect(page.text).toContain('kalends import events.jsonl');
    expect(addressesOf(page)).toContain('/calendar/events/v1/doc');
    expect(page.text).not.toMatch(/sqlite|dev\/shm|0\.1\.0/);
    await write({ title: 'First', start_date: '2026-12-01 10:00', end_date: '2026-12-01 11:00' });
    expect(titlesOf(await visit(service.client, '/'))).toEqual(['First']);
  });

  test('PAGE-08, PAGE-10: running events stand first under "On now"; ended and hidden ones are absent; no upper bound', async () => {
    await write({ title: 'Running', start_date: '2026-11-18 10:00', end_date: '2026-11-22 11:00' });
    await write({ title: 'Ended', start_date: '2026-11-18 10:00', end_date: '2026-11-19 23:59:59' });
    await write({
      title: 'Hidden',
      start_date: '2026-12-02 10:00',
      end_date: '2026-12-02 11:00',
      hide_from_listings: true,
    });
    await write({ title: 'Far', start_date: '2029-12-02 10:00', end_date: '2029-12-02 11:00' });
    const page = await visit(service.client, '/');
    expect(titlesOf(page)).toEqual(['Running', 'First', 'Far']);
    expect(textOf(page)).toMatch(/On now .*since 18 Nov, until 22 Nov/);
    expect(textOf(page)).toContain('3 events from Friday 20 November');
    const past = await visit(service.client, '/events/past/');
    expect(titlesOf(past)).toEqual(['Ended']);
  });

  test('PAGE-02: programs that prefer JSON are redirected as before; everybody else gets pages', async () => {
    const { client } = service;
    for (const path of ['/', '/event/first/']) {
      const program = await client.raw(path, { headers: { Accept: 'application/json' } });
      expect([program.status, program.headers.vary]).toEqual([302, expect.stringContaining('Accept')]);
      for (const accept of ['*/*', 'text/html', undefined]) {
        const page = await client.raw(path, { headers: accept === undefined ? {} : { Accept: accept } });
        expect([path, accept, page.headers['content-type']]).toEqual([path, accept, 'text/html; charset=UTF-8']);
        expect(page.headers.vary).toMatch(/\bAccept\b/);
      }
    }
    const home = await client.raw('/', { headers: { Accept: 'application/json' } });
    expect(home.headers.location).toMatch(/\/calendar\/events\/v1\/doc$/);
    const first = await client.raw('/event/first', { headers: { Accept: 'application/json' } });
    expect(first.headers.location).toMatch(/\/events\/by-slug\/first$/);
  });

  test('PAGE-04: pages have a language by prefix or Accept-Language; links keep the prefix; a slash is added', async () => {
    const { client } = service;
    const moved = await visit(client, '/events/past?page=1');
    expect([moved.status, moved.headers.location]).toEqual([308, '/events/past/?page=1']);
    // Also after the page itself was cached.
    for (let time = 1; time <= 2; time += 1) await visit(client, '/events/past/?page=1');
    expect((await visit(client, '/events/past?page=1')).status).toBe(308);
    expect((await visit(client, '/de')).headers.location).toBe('/de/');
    const german = await visit(client, '/de/');
    expect(german.text).toContain('<html lang="de"');
    expect(german.headers.vary).not.toContain('Accept-Language');
    expect(addressesOf(german)).toEqual(
      expect.arrayContaining(['/de/event/first/', '/de/search/', '/de/events/month/']),
    );
    const negotiated = await visit(client, '/', { headers: { 'Accept-Language': 'fr;q=0.9, de;q=0.1' } });
    expect(negotiated.text).toContain('<html lang="fr"');
    expect(negotiated.headers.vary).toContain('Accept-Language');
    expect((await visit(client, '/xx/event/first/')).status).toBe(404);
  });

  test('PAGE-09, PAGE-29: pages of lists, their bounds, and lists of terms', async () => {
    const { client, tokens } = service;
    const music = await category(client, tokens.adm, { name: 'Music' });
    await category(client, tokens.adm, { name: 'Jazz', parent: music.id });
    await category(client, tokens.adm, { name: 'Unused' });
    for (let count = 1; count <= 42; count += 1) {
      const [start, end] = [10, 11].map((hour) => `2027-01-${String(1 + (count % 28)).padStart(2, '0')} ${hour}:00`);
      await write({ title: `Many ${count}`, start_date: start, end_date: end, categories: ['Jazz'] });
    }
    const pages = [1, 2, 3].map((number) => visit(client, `/?page=${number}`));
    expect((await Promise.all(pages)).map((page) => titlesOf(page).length)).toEqual([20, 20, 5]);
    const beyond = await visit(client, '/?page=4');
    expect([beyond.status, addressesOf(beyond).filter((href) => href === '/').length > 1]).toEqual([404, true]);
    for (const page of ['0', 'x', '10001']) {
      const wrong = await visit(client, `/?page=${page}`);
      expect([page, wrong.status, wrong.headers['cache-control']]).toEqual([page, 400, 'private, no-store']);
      expect(wrong.text).toContain('the page number');
    }
    expect(textOf(await visit(client, '/events/category/music/'))).toContain('42 events');
    expect(textOf(await visit(client, '/events/category/unused/'))).toContain('No upcoming events here.');
    expect((await visit(client, '/events/category/nothing/')).status).toBe(404);
    expect((await visit(client, '/events/category/JAZZ/')).status).toBe(200);
    const past = await visit(client, '/events/category/music/past/');
    expect(textOf(past)).toContain('No past events here.');
  });

  test('PAGE-33, PAGE-35: a page has an ETag, which changes with the records shown; unknown parameters have no effect', async () => {
    const { client, tokens } = service;
    const tagOf = async (path = '/') => (await visit(client, path)).headers.etag;
    const before = await tagOf();
    expect(await tagOf('/?utm_source=x')).toBe(before);
    expect((await visit(client, '/?utm_source=x')).text).not.toContain('utm_source');
    expect((await visit(client, '/', { headers: { 'If-None-Match': before! } })).status).toBe(304);
    await event(client, tokens.edi, { title: 'Draft', status: 'draft' });
    expect(await tagOf()).toBe(before);
    await write({ title: 'New', start_date: '2026-11-25 10:00', end_date: '2026-11-25 11:00' });
    expect(await tagOf()).not.toBe(before);
    const today = await tagOf();
    service.setNow('2026-11-21T08:39:00Z');
    expect(await tagOf()).not.toBe(today);
    service.setNow('2026-11-20T08:39:00Z');
  });

  test('PAGE-26, PAGE-36: pages are anonymous, set no cookies, and tell browsers what they may load', async () => {
    const { client, tokens } = service;
    const anonymous = await visit(client, '/');
    for (const authorization of ['Basic d3Jvbmc6d3Jvbmc=', `Bearer ${tokens.edi}`]) {
      const page = await visit(client, '/', { headers: { Authorization: authorization } });
      expect([page.status, page.text]).toEqual([200, anonymous.text]);
    }
    const { headers } = anonymous;
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/) as string,
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=0, must-revalidate',
    });
    expect(Object.keys(headers).filter((name) => /^(x-tec|set-cookie)/.test(name))).toEqual([]);
    expect(anonymous.text).not.toMatch(/<script(?! type="application\/ld\+json")| style=/);
  });

  test('PAGE-27, PAGE-32: other methods get 405; OPTIONS gets 204; problems are pages only for those who ask for HTML', async () => {
    const { client } = service;
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const refused = await visit(client, '/', { method });
      expect([method, refused.status, refused.headers.allow]).toEqual([method, 405, 'GET, HEAD, OPTIONS']);
    }
    const options = await visit(client, '/', { method: 'OPTIONS' });
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
    const missing = await visit(client, '/nothing');
    expect([missing.status, missing.headers['content-type']]).toEqual([404, 'text/html; charset=UTF-8']);
    for (const accept of ['*/*', 'application/json, text/html;q=0.5']) {
      const { status, body } = await client.raw('/nothing', { headers: { Accept: accept } });
      expect([accept, status, body.code]).toEqual([accept, 404, 'rest_no_route']);
    }
    const mounted = await visit(client, '/calendar/events/v1/nothing');
    expect(mounted.body.code).toBe('rest_no_route');
  });

  test('PAGE-06, PAGE-42: the style sheet and the icons have lasting addresses', async () => {
    const { client } = service;
    const [css = ''] = addressesOf(await visit(client, '/')).filter((href) => href.startsWith('/pages/'));
    const sheet = await visit(client, css);
    expect([sheet.status, sheet.headers['content-type'], sheet.headers['cache-control']]).toEqual([
      200,
      'text/css; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
    expect((await visit(client, '/favicon.svg')).headers['content-type']).toBe('image/svg+xml');
    expect((await visit(client, '/favicon.ico')).status).toBe(200);
    expect((await visit(client, '/pages/other-1.css')).status).toBe(404);
  });

  test('PAGE-07: under an unknown host pages are private', async () => {
    const page = await visit(service.client, '/', { headers: { Host: 'elsewhere.example' } });
    expect(page.headers['cache-control']).toBe('private, no-store');
  });
});

test('PAGE-01: PAGES=auto leaves the pages to the website at SITE_URL; PAGES=off leaves the redirects', async () => {
  const statusesOf = async (settings: Record<string, string>) => {
    const service = await startOwnApp(settings);
    try {
      const replies = [];
      for (const path of ['/', ...RECORDS.slice(0, 3), '/events/past/', '/de/'])
        replies.push(await visit(service.client, path));
      return replies.map(({ status }) => status);
    } finally {
      await service.close();
    }
  };
  const SITE_URL = 'https://www.example.com';
  expect(await statusesOf({ SITE_URL })).toEqual([302, 404, 404, 404, 404, 404]);
  expect(await statusesOf({ SITE_URL, PAGES: 'on' })).toEqual([200, 404, 404, 404, 200, 200]);
  expect(await statusesOf({ PAGES: 'off' })).toEqual([302, 302, 302, 302, 404, 404]);
});

test('PAGE-04, PAGE-06, PAGE-09: LANGUAGES, BASE_PATH and MAX_PER_PAGE', async () => {
  const service = await startOwnApp({ LANGUAGES: 'fr', BASE_PATH: '/api', MAX_PER_PAGE: '2' });
  try {
    const { client, tokens } = service;
    for (const title of ['A', 'B', 'C']) await event(client, tokens.edi, { title });
    const page = await visit(client, '/', { headers: { 'Accept-Language': 'de' } });
    expect(page.text).toContain('<html lang="fr"');
    expect(addressesOf(page)).toContain('/api/calendar/events/v1/doc');
    expect(titlesOf(page)).toEqual(['A', 'B', 'C']);
    expect((await visit(client, '/de/')).status).toBe(404);
  } finally {
    await service.close();
  }
});
