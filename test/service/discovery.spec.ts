import type { Reply } from '../support/client.js';
import { startApp } from '../support/app.js';
import { useApp } from '../support/events.js';

const NO_ROUTE = { code: 'rest_no_route', data: { status: 404 } };

describe('the discovery route of compatibility mounts', () => {
  const app = useApp();
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    app().client.raw(path, { method, headers });

  test('GEN-38: GET /wp-json/ names the service and its namespaces', async () => {
    const origin = `http://127.0.0.1:${app().client.port}`;
    const reply = await get('/wp-json/', { host: `127.0.0.1:${app().client.port}` });
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(
      `{"name":"Kalends","description":"","url":"${origin}","home":"${origin}","gmt_offset":0,"timezone_string":"UTC",` +
        '"namespaces":["tribe/events/v1"],"authentication":{},"routes":{}}',
    );
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=UTF-8',
      'cache-control': 'public, max-age=0, must-revalidate',
      'x-tec-api-root': `${origin}/calendar/events/v1/`,
      'x-tec-api-version': 'v1',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
    });
    for (const path of ['/wp-json', '/de/wp-json/', '/fr/wp-json', '/wp-json/?_fields=name&context=edit']) {
      const same = await get(path, { host: `127.0.0.1:${app().client.port}` });
      expect([path, same.status, same.text]).toEqual([path, 200, reply.text]);
    }
  });

  test('GEN-38: returns 404 for other paths below /wp-json/ and for similar paths', async () => {
    const paths = [
      '/wp-json/wp/v2',
      '/wp-json/wp/v2/posts',
      '/wp-json//',
      '/xx/wp-json/',
      '/WP-JSON/',
      '/wp-json/tribe',
    ];
    for (const path of [...paths, '/wp-json/tribe/events', '/wp-json%2F', '/wp-json/%00', '/de/de/wp-json/']) {
      const { status, body } = await get(path);
      expect([path, status, body]).toMatchObject([path, 404, NO_ROUTE]);
    }
    expect((await get('/wp-json/tribe/events/v1/')).body.namespace).toBe('tribe/events/v1');
  });

  test('1.1: supports HEAD, OPTIONS, preflights and If-None-Match, and returns 405 for other methods', async () => {
    const { headers, text } = await get('/wp-json/');
    const head = await get('/wp-json/', {}, 'HEAD');
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', headers.etag]);
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(text)));
    const known = await get('/wp-json', { 'if-none-match': headers.etag as string });
    expect([known.status, known.text]).toEqual([304, '']);
    const options = await get('/wp-json/', {}, 'OPTIONS');
    expect([options.status, options.headers.allow]).toEqual([200, 'GET, HEAD, OPTIONS']);
    expect(options.body).toMatchObject({ methods: ['GET'], endpoints: [{ methods: ['GET'], args: {} }] });
    const asked = { origin: 'https://a.example', 'access-control-request-method': 'GET' };
    const preflight = await get('/wp-json/', asked, 'OPTIONS');
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*']);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      const reply = await app().client.raw('/wp-json/', { method, token: app().tokens.adm });
      expect([reply.status, reply.headers.allow, reply.body.code]).toEqual([
        405,
        'GET, HEAD, OPTIONS',
        'rest_no_route',
      ]);
    }
    expect((await get('/wp-json/', { authorization: 'Bearer wrong' })).status).toBe(401);
  });
});

test('GEN-38, SITE_NAME: the response depends on settings, gateway headers and the current time', async () => {
  const service = await startApp({
    SITE_NAME: 'Jazz & "Wein"',
    SITE_TIMEZONE: 'Europe/Berlin',
    TRUST_PROXY: '127.0.0.1',
    BASE_PATH: '/wp-json',
    COMPAT_MOUNTS: '/wp-json/tribe/events/v1,/shop/wp-json/tribe/events/v1,/plain',
  });
  const forwarded = { 'x-forwarded-host': 'example.com', 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/site' };
  const index = (path: string): Promise<Reply> => service.client.raw(path, { headers: forwarded });
  const winter = await index('/wp-json/');
  expect(winter.body).toEqual({
    name: 'Jazz & "Wein"',
    description: '',
    url: 'https://example.com/site',
    home: 'https://example.com/site',
    gmt_offset: 1,
    timezone_string: 'Europe/Berlin',
    namespaces: ['tribe/events/v1', 'calendar/events/v1'],
    authentication: {},
    routes: {},
  });
  expect(winter.headers['x-tec-api-root']).toBe('https://example.com/site/wp-json/calendar/events/v1/');
  expect((await index('/shop/wp-json/')).body.namespaces).toEqual(['tribe/events/v1']);
  service.setNow('2027-07-01T00:00:00Z');
  const summer = await index('/wp-json/');
  expect(summer.body).toEqual({ ...winter.body, gmt_offset: 2 });
  expect(summer.headers.etag).not.toBe(winter.headers.etag);
  await service.close();
});

test('GEN-38: returns 404 without COMPAT_MOUNTS, and an empty timezone_string for a fixed offset', async () => {
  const without = await startApp({ COMPAT_MOUNTS: '', BASE_PATH: '/wp-json' });
  for (const path of ['/wp-json/', '/wp-json', '/de/wp-json/']) {
    const { status, body } = await without.client.raw(path);
    expect([status, body]).toMatchObject([404, NO_ROUTE]);
  }
  await without.close();
  const fixed = await startApp({ SITE_TIMEZONE: '-05:30', SITE_URL: 'https://site.example:8443/x' });
  const { body } = await fixed.client.raw('/wp-json/');
  expect(body).toMatchObject({ name: 'site.example', gmt_offset: -5.5, timezone_string: '' });
  expect([body.url, body.home]).toEqual(['https://site.example:8443/x', 'https://site.example:8443/x']);
  await fixed.close();
});
