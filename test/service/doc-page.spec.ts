import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Log } from '../../src/platform/observability/log.js';
import { startApp, type TestApp } from '../support/app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startApp({ BASE_PATH: '/site', TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => service.close());

const MOUNT = '/site/calendar/events/v1';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

/** Sends a request as a browser does. Skips the OpenAPI check, because the files of the page are not documented. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  // With If-None-Match and without this header fetch sends Cache-Control: no-cache.
  const all = { accept: BROWSER, 'cache-control': 'max-age=0', ...headers };
  return fetch(new URL(path, `http://127.0.0.1:${service.client.port}`), { method, headers: all });
}

/** Returns the files that a page loads, as relative URLs. */
function relativeFilesOf(html: string): string[] {
  return [...html.matchAll(/<(?:link|script)[^>]* (?:src|href)="([^"]*)"/g)].map(([, path = '']) => path);
}

/** Returns the files that a page loads, as absolute URLs. */
function filesOf(html: string, page: string): string[] {
  return relativeFilesOf(html).map((path) => new URL(path, page).href);
}

/** Returns the bytes of a gzipped response. */
async function wireSize(url: string, accept: string): Promise<number> {
  const { headers } = await get(url, { accept, 'accept-encoding': 'gzip' });
  return Number(headers.get('content-length'));
}

/** Returns the modules that a module imports, and those that they import. */
async function importsOf(file: string, known = new Set<string>()): Promise<Set<string>> {
  for (const [, path = ''] of (await (await get(file)).text()).matchAll(/ from '(\.[^']*)'/g)) {
    const { href } = new URL(path, file);
    if (known.has(href)) continue;
    await importsOf(href, known.add(href));
  }
  return known;
}

describe('GET {root}/doc for browsers', () => {
  test.each([
    [BROWSER, 'text/html'],
    ['text/html', 'text/html'],
    ['TEXT/HTML', 'text/html'],
    ['text/html, application/json', 'text/html'],
    ['application/json;q=0.5, text/html;q=0.9', 'text/html'],
    ['text/*', 'text/html'],
    ['*/*;q=0.1, text/html;q=0.2', 'text/html'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/json, text/html', 'application/json'],
    ['application/json, text/html;q=0.9', 'application/json'],
    ['text/html;q=0, */*', 'application/json'],
    ['application/json,*/*', 'application/json'],
    ['image/png', 'application/json'],
    ['rubbish', 'application/json'],
    ['', 'application/json'],
  ])('DOC-07: Accept: %s gets %s', async (accept, type) => {
    const { status, headers, text, body } = await service.client.send('/doc', { headers: { accept } });
    expect([status, headers['content-type']]).toEqual([200, `${type}; charset=UTF-8`]);
    if (type === 'text/html') expect(text).toMatch(/^<!doctype html>[^]*swagger-ui-bundle\.js/);
    else expect(body.openapi).toMatch(/^3\.0/);
  });

  test('DOC-07: a request without Accept gets JSON', async () => {
    const { headers } = await service.client.get('/doc');
    expect(headers['content-type']).toBe('application/json; charset=UTF-8');
  });

  test('DOC-07: errors and all other routes return JSON', async () => {
    for (const path of ['', '/events', '/events/0', '/nothing', '/doc/nothing']) {
      const { headers } = await service.client.send(path, { headers: { accept: BROWSER } });
      expect([path, headers['content-type']]).toEqual([path, 'application/json; charset=UTF-8']);
    }
  });

  test('DOC-08: the title and the labels of the page are in its language', async () => {
    const pages = { '': 'Kalends: the interface', '/de': 'Kalends: die Schnittstelle', '/fr': 'Kalends : l’interface' };
    for (const [language, title] of Object.entries(pages)) {
      const html = await (await get(`${language}${MOUNT}/doc`)).text();
      expect(html).toContain(`<title>${title}</title>`);
      const [, labels = ''] = /id="labels">(.*?)<\/script>/.exec(html) ?? [];
      const { Execute } = JSON.parse(labels) as Record<string, string>;
      expect([language, Execute]).toEqual([
        language,
        { '': undefined, '/de': 'Ausführen', '/fr': 'Exécuter' }[language],
      ]);
    }
    const asked = await get(`${MOUNT}/doc`, { 'accept-language': 'fr-CH, de;q=0.9' });
    expect(await asked.text()).toContain('<html lang="fr">');
  });

  test.each(['', '/de', '/fr'])('DOC-07: below %s the service itself has every file of the page', async (language) => {
    for (const mount of [MOUNT, '/wp-json/tribe/events/v1']) {
      for (const page of [`${language}${mount}/doc`, `${language}${mount}/doc/`, `${language}${mount}/doc/?x=/`]) {
        const answer = await get(page);
        const html = await answer.text();
        expect(html).toContain(`<html lang="${language.slice(1) || 'en'}">`);
        const files = filesOf(html, answer.url);
        expect(files).toHaveLength(5);
        for (const file of files) {
          expect(new URL(file).pathname).toMatch(new RegExp(`^${language}${mount}/doc/assets/[0-9a-f]{16}/[\\w.-]+$`));
          expect((await get(file, {}, 'HEAD')).status).toBe(200);
        }
      }
    }
  });

  test('DOC-07: URLs are relative, so that a gateway may add a prefix', async () => {
    const gateway = { 'x-forwarded-prefix': '/team/calendar', 'x-forwarded-host': 'calendar.example.com' };
    const html = await (await get(`${MOUNT}/doc`, gateway)).text();
    for (const path of relativeFilesOf(html)) expect(path).toMatch(/^doc\/assets\//);
    expect(filesOf(html, 'https://calendar.example.com/team/calendar/site/calendar/events/v1/doc')[0]).toContain(
      '/team/calendar/site/calendar/events/v1/doc/assets/',
    );
  });

  test('DOC-07: the page may only load its own files and call the API', async () => {
    const { headers } = await get(`${MOUNT}/doc`, { 'x-forwarded-host': 'a.example', 'x-forwarded-proto': 'https' });
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self' https://a.example",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    const html = await (await get(`${MOUNT}/doc`)).text();
    // Inline scripts contain only data, because a policy without 'unsafe-inline' blocks inline code.
    expect(html).toContain('<script type="application/json" id="labels">');
    expect(html).not.toMatch(/<script(?![^>]*(src=|type="application\/json"))|<style|\son\w+=|\sstyle=/);
  });

  test.each(['localhost:99999', '256.1.1.1', '[::::]', 'ex^ample'])(
    'DOC-07: serves the page under the invalid host %s',
    async (host) => {
      const { status, headers } = await service.client.send('/doc', { headers: { accept: BROWSER, host } });
      expect([status, headers['content-security-policy']]).toEqual([
        200,
        expect.stringContaining(' http://localhost;'),
      ]);
    },
  );

  test('DOC-07: the page supports HEAD, ETag and 304', async () => {
    const { headers } = await get(`${MOUNT}/doc`);
    expect(headers.get('vary')).toBe('Authorization, Accept, Accept-Language, Accept-Encoding');
    expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    const tag = headers.get('etag') as string;
    const again = await get(`${MOUNT}/doc`, { 'if-none-match': tag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const document = await get(`${MOUNT}/doc`, { accept: '*/*', 'if-none-match': tag });
    expect([document.status, document.headers.get('etag') === tag]).toEqual([200, false]);
    const head = await get(`${MOUNT}/doc`, {}, 'HEAD');
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, '']);
    expect(head.headers.get('content-type')).toBe('text/html; charset=UTF-8');
  });
});

describe('the files of the page', () => {
  const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', png: 'image/png' };
  let files: string[];
  beforeAll(async () => {
    const { client } = service;
    const page = `http://localhost:${client.port}${MOUNT}/doc`;
    files = filesOf(await (await get(page)).text(), page);
  });

  test('may be cached as immutable, because their URLs change with their content', async () => {
    for (const file of files) {
      const { status, headers } = await get(file);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('content-type')).toBe(types[file.split('.').at(-1) as keyof typeof types]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      const tag = headers.get('etag') as string;
      expect(tag).toMatch(/^"[0-9a-f]{16}(-gzip)?"$/);
      const again = await get(file, { 'if-none-match': tag });
      expect([again.status, await again.text()]).toEqual([304, '']);
      const head = await get(file, {}, 'HEAD');
      expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, '']);
    }
  });

  test.each([
    ['range', 'bytes=0-9'],
    ['range', 'bytes=99999999-'],
    ['if-match', '"other"'],
    ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    ['if-modified-since', 'Fri, 01 Jan 2100 00:00:00 GMT'],
    ['if-none-match', '"other"'],
  ])('are sent whole in spite of the header %s: %s', async (name, value) => {
    const [file = ''] = files;
    const whole = Buffer.from(await (await get(file)).arrayBuffer());
    const answer = await get(file, { [name]: value });
    expect([answer.status, answer.headers.get('accept-ranges')]).toEqual([200, null]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(whole)).toBe(true);
  });

  test('cause no logged error if the client resets the connection', async () => {
    const file = files.find((name) => name.endsWith('bundle.js')) as string;
    const logged: unknown[] = [];
    service.app.get(Log).error = (message: unknown) => void logged.push(message);
    for (const delay of [0, 1, 2, 4, 8, 16]) {
      const socket = connect(service.client.port, '127.0.0.1', () =>
        socket.write(`GET ${new URL(file).pathname} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
      );
      await once(socket, 'connect');
      if (delay > 0) await sleep(delay);
      socket.resetAndDestroy();
      await sleep(30);
    }
    expect(logged).toEqual([]);
  });

  test('may not be cached under a forwarded host, or with credentials', async () => {
    const [file = ''] = files;
    for (const headers of [
      { 'x-forwarded-host': 'evil.example' },
      { authorization: `Bearer ${service.tokens.adm}` },
    ] as Record<string, string>[]) {
      expect((await get(file, headers)).headers.get('cache-control')).toBe('private, no-store');
    }
  });

  test('are no routes: other methods and paths return 404, and the index does not list them', async () => {
    const [file = ''] = files;
    const { pathname } = new URL(file);
    const unknown = [
      ['POST', pathname],
      ['DELETE', pathname],
      ['OPTIONS', pathname],
      ['GET', pathname.replace(/[0-9a-f]{16}/, '0000000000000000')],
      ['GET', pathname.replace(/[^/]*$/, 'package.json')],
      ['GET', pathname.replace(/[^/]*$/, '..%2f..%2fpackage.json')],
      ['GET', `${pathname}.map`],
      ['GET', pathname.replace(/\/[^/]*$/, '')],
      ['GET', `${MOUNT}/doc/assets`],
    ] as const;
    for (const [method, path] of unknown) {
      const { status, body } = await service.client.raw(path, { method });
      expect([method, path, status, body.code]).toEqual([method, path, 404, 'rest_no_route']);
    }
    const index = await service.client.get('');
    expect(Object.keys(index.body.routes as object).filter((key) => key.includes('doc'))).toEqual([
      '/calendar/events/v1/doc',
    ]);
  });

  test('import other modules by relative URLs that exist', async () => {
    const imports = await importsOf(files.find((file) => file.endsWith('start.browser.js')) as string);
    expect(imports.size).toBe(4);
    for (const file of imports) {
      const { status, headers } = await get(file);
      expect([file, status, headers.get('content-type')]).toEqual([file, 200, types.js]);
    }
  });

  test('and the document are less than 600 kB on the wire together', async () => {
    const page = `http://localhost:${service.client.port}${MOUNT}/doc`;
    const imports = await importsOf(files.find((file) => file.endsWith('start.browser.js')) as string);
    const sizes = await Promise.all([
      ...[page, ...files, ...imports].map((url) => wireSize(url, BROWSER)),
      wireSize(page, 'application/json'),
    ]);
    expect(sizes.every((size) => size > 0)).toBe(true);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(600_000);
  });

  test('have the same names in every instance', async () => {
    const second = await startApp();
    try {
      const { port } = second.app.getHttpServer().address() as AddressInfo;
      const page = `http://localhost:${port}/calendar/events/v1/doc`;
      const others = filesOf(await (await get(page)).text(), page);
      const names = (list: string[]) => list.map((file) => file.replace(/^.*\/assets\//, ''));
      expect(names(others)).toEqual(names(files));
    } finally {
      await second.close();
    }
  });
});
