import { gzipSync } from 'node:zlib';
import { Log } from '../../src/platform/observability/log.js';
import { startApp, startBeside, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { PROGRAM } from '../support/site.js';
import { answersOf, overSocket } from '../support/socket.js';

const E = { title: 'T', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };
const V = { venue: 'Hall' };
const O = { organizer: 'Ann' };
const NO_ROUTE = {
  code: 'rest_no_route',
  message: 'No route was found matching the URL and request method.',
  data: { status: 404 },
};
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

let service: TestApp;
let adm: string;
beforeAll(async () => {
  service = await startApp();
  adm = service.tokens.adm;
});
afterAll(() => service.close());

const get = (path: string, headers: Record<string, string> = {}) => service.client.send(path, { headers });
const create = async (extra: object = {}): Promise<Reply['body']> => {
  const { status, body } = await service.client.post('/events', { ...E, ...extra }, adm);
  expect(status).toBe(201);
  return body;
};
/** Runs `work` against a service with other settings. */
const withSettings = async (settings: Record<string, string>, work: (other: TestApp) => Promise<void>) => {
  const other = await startApp(settings);
  try {
    await work(other);
  } finally {
    await other.close();
  }
};

/** Expects that every API link in bodies and headers begins with the base URL and the mount. */
async function expectLinksWithin({ client, tokens }: TestApp, base: string, mount: string) {
  const parent = await client.raw(`${mount}/categories`, {
    method: 'POST',
    token: tokens.adm,
    body: { name: `Parent in ${mount}` },
  });
  const child = { name: `Child in ${mount}`, parent: parent.body.id };
  const { body } = await client.raw(`${mount}/categories`, { method: 'POST', token: tokens.adm, body: child });
  const sent = { ...E, categories: [body.id], tags: [`Tag in ${mount}`], venue: { venue: 'Hall' } };
  const made = await client.raw(`${mount}/events`, { method: 'POST', token: tokens.adm, body: sent });
  await client.raw(`${mount}/events`, { method: 'POST', token: tokens.adm, body: E });
  const replies = [parent, made];
  for (const path of ['', `/events/${made.body.id}`, `/events/by-slug/${made.body.slug}`]) {
    replies.push(await client.raw(mount + path));
  }
  for (const collection of ['events', 'categories', 'tags', 'venues', 'organizers']) {
    replies.push(await client.raw(`${mount}/${collection}?per_page=1&page=1`));
  }
  replies.push(await client.raw(`${mount}/events?per_page=1&page=2`));
  const links = replies.flatMap(({ text, headers }) => [
    ...(text.match(/https?:[^"\\]*\/v\d[^"\\]*/g) ?? []),
    ...(headers.link?.match(/(?<=<)[^>]+/g) ?? []),
    ...[headers.location, headers['x-tec-api-root']].filter((link) => link !== undefined),
  ]);
  expect(links.length).toBeGreaterThan(40);
  expect(links.filter((link) => !`${link}/`.startsWith(`${base}${mount}/`))).toEqual([]);
}

describe('URLs', () => {
  test('GEN-01: a trailing slash is tolerated', async () => {
    for (const path of ['/events', '/categories', '/doc', '']) {
      const [without, slashed] = [await get(path), await get(`${path}/`)];
      expect(slashed.status).toBe(200);
      expect(slashed.text).toBe(without.text);
    }
  });

  test('GEN-02: language prefixes lead to the same routes, and links begin with them', async () => {
    for (const language of ['en', 'de', 'fr']) {
      const { status, headers, body } = await service.client.raw(`/${language}${service.client.mount}/events`);
      expect(status).toBe(200);
      expect(body.rest_url).toContain(`/${language}/calendar/events/v1/events/?page=1`);
      expect(headers['x-tec-api-root']).toMatch(new RegExp(`/${language}/calendar/events/v1/$`));
      await expectLinksWithin(service, `http://127.0.0.1:${service.client.port}`, `/${language}/calendar/events/v1`);
    }
    const unknown = await service.client.raw(`/xx${service.client.mount}/events`);
    expect([unknown.status, unknown.body]).toEqual([404, NO_ROUTE]);
  });

  test('GEN-03: links stay on the compat mount', async () => {
    for (const mount of ['/wp-json/tribe/events/v1', '/de/wp-json/tribe/events/v1']) {
      const { status, body } = await service.client.raw(`${mount}/events`);
      expect(status).toBe(200);
      expect(body.rest_url).toContain(`:${service.client.port}${mount}/events/?`);
      await expectLinksWithin(service, `http://127.0.0.1:${service.client.port}`, mount);
    }
  });

  test('GEN-04: languages precede BASE_PATH, which precedes the mount; COMPAT_MOUNTS replaces the default', () =>
    withSettings({ BASE_PATH: '/api', COMPAT_MOUNTS: '/old/v0,/x' }, async ({ client }) => {
      expect((await client.raw('/de/api/calendar/events/v1/events')).status).toBe(200);
      expect((await client.raw('/api/calendar/events/v1/events')).status).toBe(200);
      expect((await client.raw('/old/v0/events')).status).toBe(200);
      expect((await client.raw('/fr/x/events')).status).toBe(200);
      expect((await client.raw('/calendar/events/v1/events')).body).toEqual(NO_ROUTE);
      expect((await client.raw('/wp-json/tribe/events/v1/events')).body).toEqual(NO_ROUTE);
      expect((await client.raw('/', PROGRAM)).headers.location).toMatch(/\/api\/calendar\/events\/v1\/doc$/);
    }));

  test('GEN-05: links begin with PUBLIC_URL; global_id uses SITE_URL, PUBLIC_URL or the installation id', async () => {
    const links = async (other: TestApp) => {
      const { headers, body } = await other.client.post('/events', E, other.tokens.adm);
      const list = await other.client.get('/events');
      return { location: headers.location, ...body, list: list.body.rest_url, root: list.headers['x-tec-api-root'] };
    };
    const { global_id: unset } = await links(service);
    expect(unset).toMatch(/^[0-9a-f]{12}\.kalends\?id=\d+$/);
    await withSettings({ PUBLIC_URL: 'https://example.com:8443/site' }, async (other) => {
      const found = await links(other);
      for (const name of ['location', 'rest_url', 'list', 'root', 'url']) {
        expect(found[name]).toMatch(/^https:\/\/example\.com:8443\/site\//);
      }
      expect(found.global_id).toBe(`example.com/site?id=${found.id}`);
      await expectLinksWithin(other, 'https://example.com:8443/site', '/de/calendar/events/v1');
    });
    await withSettings({ PUBLIC_URL: 'https://api.example', SITE_URL: 'https://site.example/x' }, async (other) => {
      const found = await links(other);
      expect(found.rest_url).toMatch(/^https:\/\/api\.example\//);
      expect(found.url).toMatch(/^https:\/\/site\.example\/x\/event\//);
      expect(found.global_id).toBe(`site.example/x?id=${found.id}`);
      // The base differs from that of another installation, so that global ids are unique.
      expect(found.global_id.split('?')[0]).not.toBe(unset.split('?')[0]);
    });
  });

  test('GEN-05: an event, venue and organizer with one id have different global ids, equal in all processes', () =>
    withSettings({}, async (other) => {
      const { id } = (await other.client.post('/events', { ...E, venue: V, organizer: O }, other.tokens.adm)).body;
      const idsFrom = async ({ client }: Pick<TestApp, 'client'>, host = 'localhost') => {
        const { body } = await client.send(`/events/${id}`, { headers: { host } });
        expect([body.venue.id, body.organizer[0].id]).toEqual([id, id]);
        return [body, body.venue, ...body.organizer].map(({ global_id, global_id_lineage }) => {
          expect(global_id_lineage).toEqual([global_id]);
          return global_id as string;
        });
      };
      const ids = await idsFrom(other);
      const [base] = ids[0]!.split('?');
      expect(ids).toEqual([`${base}?id=${id}`, `${base}/venue?id=${id}`, `${base}/organizer?id=${id}`]);
      expect(await idsFrom(other, 'elsewhere.example')).toEqual(ids);
      const beside = await startBeside(other);
      expect(await idsFrom(beside)).toEqual(ids);
      await beside.close();
    }));

  test('GEN-06: uses forwarded headers only from TRUST_PROXY', async () => {
    const headers = {
      'x-forwarded-host': 'example.com',
      'x-forwarded-proto': 'https',
      'x-forwarded-prefix': '/site',
      'x-forwarded-for': '198.51.100.7',
    };
    expect((await get('/events', headers)).headers['x-tec-api-root']).toMatch(/^http:\/\/127\.0\.0\.1:/);
    await withSettings({ TRUST_PROXY: '127.0.0.1' }, async ({ client }) => {
      const { headers: answered } = await client.send('/events', { headers });
      expect(answered['x-tec-api-root']).toBe('https://example.com/site/calendar/events/v1/');
    });
    await withSettings({ FAILED_ATTEMPTS: '1' }, async ({ app, client }) => {
      const warned: unknown[] = [];
      app.get(Log).warn = (line) => void warned.push(line);
      const from = async (address: string) =>
        (await client.send('/events', { token: 'wrong', headers: { 'x-forwarded-for': address } })).status;
      // Attempts count for the peer, because an untrusted client can forge X-Forwarded-For.
      expect([await from('198.51.100.7'), await from('198.51.100.8')]).toEqual([401, 429]);
      // A proxy that is missing in TRUST_PROXY is logged once, not for every request.
      expect(warned).toEqual([expect.objectContaining({ peer: '127.0.0.1' })]);
    });
    for (const TRUST_PROXY of ['true', '*']) await expect(startApp({ TRUST_PROXY })).rejects.toThrow(/TRUST_PROXY/);
  });

  test.each([
    '/nothing',
    '/events/abc',
    '/events/1.5',
    '/events/-1',
    '/events/+1',
    '/events/1/x',
    '//events',
    '/events//',
    '/events//1',
    '/Events',
    '/EVENTS/1',
    '/events/by-slug/%E0%A4%A',
    '/events/by-slug/%',
    '/events/by-slug/a%2Fb',
    '/events/by-slug/a%2fb',
    '/events/by-slug/a%00',
    '/events/by-slug/%FF',
    '/events/by-slug/a/b',
    '/events/../events',
    '/events#1',
    '/categories/by-slug/a',
    '/tags/by-slug/a',
    '/doc/x',
  ])('GEN-07: GET %s is an unknown path', async (path) => {
    const { status, headers, body } = await get(path);
    expect([status, body]).toEqual([404, NO_ROUTE]);
    expect(headers['content-type']).toBe('application/json; charset=UTF-8');
  });

  test.each(['/events/by-slug/', '/events/by-slug', '/venues/foo%20bar', '/venues/foo+bar'])(
    'GEN-08: GET %s is an unknown path',
    async (path) => {
      const { status, body } = await get(path);
      expect([status, body]).toEqual([404, NO_ROUTE]);
    },
  );
});

describe('methods', () => {
  const RECORD = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
  const COLLECTION = 'GET, HEAD, POST, OPTIONS';

  test.each(['events', 'venues', 'organizers', 'categories', 'tags'])(
    'GEN-09: /%s returns 405 for PUT, PATCH, DELETE and unknown methods',
    async (collection) => {
      for (const method of ['PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
        const { status, headers, body } = await service.client.send(`/${collection}`, { method });
        expect([status, headers.allow]).toEqual([405, COLLECTION]);
        expect(body).toEqual({ ...NO_ROUTE, data: { status: 405 } });
      }
    },
  );

  test('GEN-09: /doc and the index are read-only', async () => {
    for (const path of ['', '/doc']) {
      const { status, headers, body } = await service.client.post(path, {});
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(body).toEqual({ ...NO_ROUTE, data: { status: 405 } });
    }
  });

  test('GEN-10: HEAD returns the same as GET without a body, also for errors', async () => {
    for (const path of ['/events', '', '/doc', '/events/0', '/nothing', '/events?page=x']) {
      const [got, head] = [await get(path), await service.client.send(path, { method: 'HEAD' })];
      expect(head.text).toBe('');
      const same = (reply: Reply) => ({ ...reply.headers, date: '', 'x-request-id': '' });
      expect([head.status, same(head)]).toEqual([got.status, same(got)]);
    }
  });

  test('GEN-10: OPTIONS lists the endpoints, whatever the id or slug', async () => {
    const list = await service.client.send('/events', { method: 'OPTIONS' });
    expect([list.status, list.headers.allow]).toEqual([200, COLLECTION]);
    expect(list.body.endpoints.map(({ methods }: { methods: string[] }) => methods)).toEqual([['GET'], ['POST']]);
    for (const path of ['/events/0', '/events/by-slug/none', '/venues/99999999999999999999']) {
      const { status, headers, body } = await service.client.send(path, { method: 'OPTIONS' });
      expect([status, headers.allow]).toEqual([200, RECORD]);
      expect(body.endpoints).toHaveLength(3);
    }
    expect((await service.client.send('/nothing', { method: 'OPTIONS' })).status).toBe(404);
    expect((await service.client.raw('/nothing', { method: 'OPTIONS' })).status).toBe(404);
  });

  test('GEN-11: no parameter and no header changes the method', async () => {
    const sent = { method: 'POST', token: adm, body: E };
    expect((await service.client.send('/events?_method=DELETE', sent)).status).toBe(201);
    const headers = { 'X-HTTP-Method-Override': 'DELETE' };
    expect((await service.client.send('/events', { ...sent, headers })).status).toBe(201);
  });
});

describe('headers', () => {
  test('GEN-12: every response is JSON and has the headers of the API version and root', async () => {
    const replies = [
      await get(''),
      await get('/events'),
      await get('/doc'),
      await get('/nothing'),
      await get('/events/0'),
      await service.client.raw('/nothing'),
      await service.client.raw('/', PROGRAM),
      await service.client.post('/events', {}),
      await service.client.send('/events', { method: 'OPTIONS' }),
      await service.client.send('/events', { method: 'PUT' }),
    ];
    for (const { headers } of replies) {
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=UTF-8',
        'x-content-type-options': 'nosniff',
        'x-tec-api-version': 'v1',
        'x-tec-api-root': `http://127.0.0.1:${service.client.port}/calendar/events/v1/`,
      });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers).not.toHaveProperty('set-cookie');
    }
  });

  test('GEN-13: returns a valid X-Request-Id and replaces an invalid one', async () => {
    const idOf = async (id: string) => (await get('', { 'x-request-id': id })).headers['x-request-id'];
    expect(await idOf('abc')).toBe('abc');
    expect(await idOf('A.b_c-9'.padEnd(128, 'x'))).toBe('A.b_c-9'.padEnd(128, 'x'));
    for (const id of ['x'.repeat(200), 'a b', 'é', 'a,b', '<x>']) expect(await idOf(id)).toMatch(/^[0-9a-f-]{36}$/);
    const folded = 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: a\r\n b\r\nConnection: close\r\n\r\n';
    expect(await overSocket(service.client.port, [folded])).not.toMatch(/x-request-id: a\b/i);
  });

  test('GEN-14: ignores unknown parameters', async () => {
    expect((await get('/events?_cb=1&fbclid=x&_embed&constructor=1&__proto__=2&hasOwnProperty[x]=3')).status).toBe(200);
  });

  test('GEN-15: every origin may read', async () => {
    for (const path of ['/events', '/nothing', `/events?a=${'x'.repeat(8192)}`]) {
      const { headers } = await get(path, { origin: 'https://app.example' });
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-expose-headers']).toMatch(/X-TEC-Total, .*ETag/);
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  describe('GEN-16: CORS for web pages that write', () => {
    const A = 'https://a.example';
    const OTHER = 'https://other.example';
    const cors = ({ headers }: Reply) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
    const preflight = ({ client }: TestApp, origin: string, method: string, path = '/events') =>
      client.send(path, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': method } });
    const call = ({ client, tokens }: TestApp, origin: string, method: string, path = '/events') =>
      client.send(path, { method, headers: { origin }, token: tokens.adm, body: method === 'GET' ? undefined : E });
    const EXPOSED = {
      'access-control-expose-headers':
        'X-TEC-Total, X-TEC-TotalPages, X-TEC-PerPage, X-WP-Total, X-WP-TotalPages, Link, Location, ETag, X-Request-Id, ' +
        'X-TEC-API-VERSION, X-TEC-API-ROOT, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, ' +
        'X-Kalends-Ignored, X-Kalends-Reused, X-Kalends-Changes-Lag',
    };
    const ASKED = {
      ...EXPOSED,
      'access-control-allow-headers':
        'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-WP-Nonce, X-Request-Id',
      'access-control-max-age': '600',
    };
    const READING = {
      ...ASKED,
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    };
    const WRITING = {
      ...ASKED,
      'access-control-allow-origin': A,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    };

    test('by default every origin may read and none may write', async () => {
      for (const method of ['GET', 'HEAD']) {
        const { status, text, headers } = await preflight(service, A, method);
        expect([status, text, cors({ headers } as Reply)]).toEqual([204, '', READING]);
      }
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'get']) {
        const asked = await preflight(service, A, method);
        expect([asked.status, asked.text, cors(asked)]).toEqual([204, '', {}]);
      }
      const made = await call(service, A, 'POST');
      expect([made.status, cors(made)]).toEqual([201, {}]);
      const path = `/events/${made.body.id}`;
      expect(cors(await call(service, A, 'GET', path))).toEqual({ ...EXPOSED, 'access-control-allow-origin': '*' });
      // Failed writes and unknown routes get no CORS headers either.
      for (const [method, where] of [
        ['PUT', path],
        ['DELETE', path],
        ['POST', '/nothing'],
        ['PROPFIND', '/events'],
        ['POST', `/events?a=${'x'.repeat(8192)}`],
      ] as const) {
        const reply = await call(service, A, method, where);
        expect([method, where.slice(0, 20), cors(reply)]).toEqual([method, where.slice(0, 20), {}]);
      }
      expect((await get('/events', { origin: A })).headers.vary).not.toMatch(/Origin/);
    });

    test('a listed origin is echoed and may write, another origin gets no CORS headers', () =>
      withSettings({ CORS_ORIGINS: `${A},https://b.example` }, async (other) => {
        for (const method of ['GET', 'POST']) expect(cors(await preflight(other, A, method))).toEqual(WRITING);
        for (const method of ['GET', 'POST']) {
          const reply = await call(other, A, method);
          expect(cors(reply)).toEqual({ ...EXPOSED, 'access-control-allow-origin': A });
          expect(reply.headers.vary).toMatch(/Origin/);
        }
        for (const reply of [
          await preflight(other, OTHER, 'GET'),
          await preflight(other, OTHER, 'POST'),
          await call(other, OTHER, 'GET'),
          await call(other, OTHER, 'POST'),
          await call(other, '*', 'GET'),
        ]) {
          expect(cors(reply)).toEqual({});
          expect(reply.headers.vary).toMatch(/Origin/);
        }
      }));

    test('`*,https://a.example`: https://a.example may write, all other origins may read', () =>
      withSettings({ CORS_ORIGINS: `*,${A}` }, async (other) => {
        expect(cors(await preflight(other, A, 'POST'))).toEqual(WRITING);
        expect(cors(await preflight(other, OTHER, 'GET'))).toEqual(READING);
        expect(cors(await preflight(other, OTHER, 'POST'))).toEqual({});
        expect(cors(await call(other, A, 'POST'))).toEqual({ ...EXPOSED, 'access-control-allow-origin': A });
        expect(cors(await call(other, OTHER, 'POST'))).toEqual({});
        for (const [origin, allowed] of [
          [A, A],
          [OTHER, '*'],
          ['null', '*'],
        ] as const) {
          const reply = await call(other, origin, 'GET');
          expect(cors(reply)).toEqual({ ...EXPOSED, 'access-control-allow-origin': allowed });
          expect(reply.headers.vary).toMatch(/Origin/);
        }
        // The same holds for requests that are rejected before routing.
        for (const [method, origin, allowed] of [
          ['GET', OTHER, '*'],
          ['GET', A, A],
          ['POST', A, A],
          ['POST', OTHER, undefined],
        ] as const) {
          const head = `${method} /calendar/events/v1/events HTTP/1.1\r\nHost: localhost\r\nOrigin: ${origin}\r\n: x\r\n\r\n`;
          const [refused] = await answersOf(other.client.port, [head], 10);
          expect([refused?.status, refused?.headers['access-control-allow-origin']]).toEqual([400, allowed]);
          expect(refused?.headers.vary).toBe('Authorization, Origin');
        }
      }));

    test('an empty CORS_ORIGINS removes all CORS headers', () =>
      withSettings({ CORS_ORIGINS: '' }, async (other) => {
        for (const reply of [
          await preflight(other, A, 'GET'),
          await call(other, A, 'GET'),
          await call(other, A, 'POST'),
        ]) {
          expect(cors(reply)).toEqual({});
          expect(reply.headers.vary ?? '').not.toMatch(/Origin/);
        }
      }));
  });
});

describe('caching and conditions', () => {
  test('GEN-17: a public record has validators and returns 304 for a matching If-None-Match', async () => {
    const { id } = await create({ title: 'Validators' });
    const { status, headers } = await get(`/events/${id}`);
    expect(status).toBe(200);
    expect(headers.etag).toMatch(/^"\d+-[\w-]+"$/);
    expect(headers['last-modified']).toBe('Fri, 20 Nov 2026 08:39:00 GMT');
    expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    expect(headers.vary).toContain('Authorization');
    for (const tag of [headers.etag, `W/${headers.etag}`, `"x", ${headers.etag}`, '*']) {
      const again = await get(`/events/${id}`, { 'if-none-match': tag as string });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
    }
    expect((await get(`/events/${id}`, { 'if-none-match': '"x"' })).status).toBe(200);
    expect((await get(`/events/${id}`, { 'if-modified-since': headers['last-modified'] as string })).status).toBe(200);
  });

  test.each([
    ['venue', 'venues', 'venue', { venue: { venue: 'Changing Hall' } }],
    ['the second venue', 'venues', 'venue', { venue: [{ venue: 'Still Hall' }, { venue: 'Second Hall' }] }],
    ['organizer', 'organizers', 'organizer', { organizer: [{ organizer: 'Still Ann' }, { organizer: 'Eve' }] }],
    ['category', 'categories', 'name', { categories: ['Still category', 'Unlike it'] }],
    ['tag', 'tags', 'name', { tags: ['Still tag', 'Unlike that'] }],
  ])(
    'GEN-17: Last-Modified is the latest change of the event or of its linked records: %s',
    async (_what, kind, name, sent) => {
      const made = await create(sent);
      const read = async () => {
        const { status, headers, body } = await get(`/events/${made.id}`);
        return { status, modified: headers['last-modified'], tag: headers.etag, body };
      };
      const shown = [made[kind] ?? made[name]].flat() as { id: number }[];
      const { id } = shown.at(-1)!;
      const before = await read();
      expect(before.modified).toBe('Fri, 20 Nov 2026 08:39:00 GMT');
      try {
        service.setNow('2026-11-20T09:30:00Z');
        expect((await service.client.put(`/${kind}/${id}`, { [name]: `Renamed ${kind}` }, adm)).status).toBe(200);
        const own = await get(`/${kind}/${id}`);
        expect(own.headers['last-modified']).toBe('Fri, 20 Nov 2026 09:30:00 GMT');
        const after = await read();
        expect([after.status, after.modified]).toEqual([200, 'Fri, 20 Nov 2026 09:30:00 GMT']);
        expect(after.tag).not.toBe(before.tag);
        // The event itself has not changed; Last-Modified is the later of both times.
        expect(after.body.modified).toBe(before.body.modified);
        service.setNow('2026-11-20T09:45:00Z');
        await service.client.put(`/events/${made.id}`, { featured: true }, adm);
        expect((await read()).modified).toBe('Fri, 20 Nov 2026 09:45:00 GMT');
      } finally {
        service.setNow('2026-11-20T08:39:00Z');
      }
    },
  );

  test('GEN-17: a new draft does not change the ETags that anonymous callers get', async () => {
    const { id } = await create({ title: 'Seen' });
    const tags = async () => [await get('/events'), await get(`/events/${id}`)].map(({ headers }) => headers.etag);
    const before = await tags();
    await create({ title: 'Unseen', status: 'draft' });
    expect(await tags()).toEqual(before);
  });

  test('GEN-18: responses that a shared cache must not store are private', async () => {
    const { id } = await create({ title: 'Private answers' });
    const cacheOf = async (reply: Promise<Reply>) => (await reply).headers['cache-control'];
    expect(await cacheOf(service.client.get('/events', adm))).toBe('private, no-store');
    expect(await cacheOf(get(`/events/${id}?password=x`))).toBe('private, no-store');
    expect(await cacheOf(get('/events', { host: 'evil.example' }))).toBe('private, no-store');
    expect(await cacheOf(get('/events', { host: 'a b' }))).toBe('private, no-store');
    expect(await cacheOf(get('/events', { host: 'localhost:8080' }))).toBe('public, max-age=0, must-revalidate');
    expect(await cacheOf(get('/nothing'))).toBe('private, no-store');
    expect(await cacheOf(service.client.post('/events', E, adm))).toBe('private, no-store');
  });

  test.each([
    ['unset', {}, { localhost: true, '127.0.0.1': true, 'site.example': false }],
    ['empty', { ALLOWED_HOSTS: '' }, { localhost: false, '127.0.0.1': false, 'site.example': false }],
    ['named', { ALLOWED_HOSTS: 'Site.Example:8080' }, { localhost: false, '127.0.0.1': false, 'site.example': true }],
    ['unset beside SITE_URL', { SITE_URL: 'https://site.example' }, { localhost: true, 'site.example': true }],
    ['unset beside PUBLIC_URL', { PUBLIC_URL: 'https://site.example' }, { localhost: true, 'site.example': true }],
    ['empty beside PUBLIC_URL', { PUBLIC_URL: 'https://site.example', ALLOWED_HOSTS: '' }, { 'site.example': false }],
  ])('GEN-18: responses are public only for allowed hosts, ALLOWED_HOSTS %s', (_what, settings, hosts) =>
    withSettings(settings, async ({ client }) => {
      for (const [host, isPublic] of Object.entries(hosts)) {
        const { headers } = await client.send('/events', { headers: { host } });
        expect([host, headers['cache-control']?.startsWith('public')]).toEqual([host, isPublic]);
      }
    }),
  );

  test.each([
    ['events', E, 'title'],
    ['venues', { venue: 'Matched Hall' }, 'venue'],
    ['organizers', { organizer: 'Matched Ann' }, 'organizer'],
    ['categories', { name: 'Matched category' }, 'name'],
    ['tags', { name: 'Matched tag' }, 'name'],
  ])('GEN-19: PUT /%s with If-Match needs the current revision', async (collection, body, name) => {
    const made = await service.client.post(`/${collection}`, body, adm);
    const path = `/${collection}/${made.body.id}`;
    const put = (tag: string, value: string) =>
      service.client.send(path, { method: 'PUT', token: adm, headers: { 'if-match': tag }, body: { [name]: value } });
    const first = made.headers.etag as string;
    expect((await put(first, 'Two')).status).toBe(200);
    const refused = await put(first, 'Three');
    expect([refused.status, refused.body.code]).toEqual([412, 'rest_precondition_failed']);
    expect((await service.client.get(path, adm)).body[name]).toBe('Two');
    const reduced = (await get(`${path}?_fields=id`)).headers.etag as string;
    expect((await put(reduced, 'Four')).status).toBe(200);
    const current = (await get(path)).headers.etag as string;
    expect((await put(`"9-x", W/${current}`, 'Five')).status).toBe(200);
    expect((await put('*', 'Six')).status).toBe(200);
  });

  test('GEN-20: DELETE with If-Match needs the current revision', async () => {
    const { id } = await create();
    const remove = (tag: string) =>
      service.client.send(`/events/${id}`, { method: 'DELETE', token: adm, headers: { 'if-match': tag } });
    expect((await remove('"0-old"')).status).toBe(412);
    expect((await remove('*')).status).toBe(200);
  });
});

describe('sparse responses', () => {
  test('GEN-21: _fields selects members of a record', async () => {
    const { id } = await create({ venue: { venue: 'Blue Room', city: 'Lyon' } });
    expect((await get(`/events/${id}?_fields=id,venue.city`)).body).toEqual({ id, venue: { city: 'Lyon' } });
    expect((await get(`/events/${id}?_fields[]=id&_fields[]=slug,venue.city`)).body).toHaveProperty('slug');
    expect((await get(`/events/${id}?_fields=constructor,nope`)).body).toEqual({});
    expect((await get('/events/0?_fields=code')).body).toHaveProperty('message');
    expect((await get('?_fields=namespace')).body).toHaveProperty('routes');
  });

  test('GEN-22: _fields selects members of a collection and of its records', async () => {
    await create();
    const { total } = (await get('/events')).body;
    expect((await get('/events?_fields=total')).body).toEqual({ total });
    const reduced = (await get('/events?_fields=id,title')).body;
    expect(Object.keys(reduced)).toEqual(expect.arrayContaining(['events', 'rest_url', 'total', 'total_pages']));
    expect(Object.keys(reduced.events[0])).toEqual(['id', 'title']);
    const both = (await get('/events?_fields=total,id')).body;
    expect([Object.keys(both), Object.keys(both.events[0])]).toEqual([['events', 'total'], ['id']]);
    const full = (await get('/events?_fields=total,events,id,code')).body;
    expect(Object.keys(full)).toEqual(['events', 'total']);
    expect(Object.keys(full.events[0]).length).toBeGreaterThan(30);
    expect((await get('/events?_fields=total,code')).body).toEqual({ total });
  });
});

describe('values in the path, the query and the body', () => {
  test('GEN-23: parses a form like the equivalent JSON', async () => {
    const tag = async (name: string) => (await service.client.post('/tags', { name }, adm)).body.id as number;
    const [one, two] = [await tag('Form one'), await tag('Form two')];
    const form = new URLSearchParams({ ...E, title: 'Café' }).toString();
    const body = `${form}&organizer[0][organizer]=A&tags[]=${one}&tags[]=${two}&venue[venue]=H`;
    const made = await service.client.send('/events', { method: 'POST', token: adm, headers: FORM, body });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ title: 'Café', venue: { venue: 'H' }, organizer: [{ organizer: 'A' }] });
    expect(made.body.tags.map(({ id }: { id: number }) => id)).toEqual([one, two]);
  });

  test('GEN-23: accepts unescaped UTF-8 in a form and rejects other encodings', async () => {
    const post = (body: Buffer) =>
      service.client.send('/categories', { method: 'POST', token: adm, headers: FORM, body });
    const made = await post(Buffer.from('name=Café raw'));
    expect([made.status, made.body.name]).toEqual([201, 'Café raw']);
    const refused = await post(Buffer.from('name=Caf\xe9', 'latin1'));
    expect([refused.status, Object.keys(refused.body.data.params)]).toEqual([400, ['name']]);
  });

  test('GEN-24: reads the query on every method, and the body overrides it', async () => {
    const { status } = await service.client.send(`/events?${new URLSearchParams(E).toString()}`, {
      method: 'POST',
      token: adm,
    });
    expect(status).toBe(201);
    const made = await service.client.post('/events?title=Query', { ...E, title: 'Body' }, adm);
    expect(made.body.title).toBe('Body');
  });

  test('GEN-24: accepts all fields of an event in the query', async () => {
    const parent = await create();
    const flags = ['all_day', 'show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured', 'ticketed'];
    const query = new URLSearchParams({
      title: 'All in the query',
      start_date: '2027-03-10',
      end_date: '2027-03-11',
      timezone: 'Europe/Paris',
      description: 'a & b',
      excerpt: 'c',
      slug: 'All of it',
      status: 'private',
      author: String(service.userIds.edi),
      date: '2026-01-02 03:04:05',
      date_utc: '2026-01-02 03:04:05',
      image: 'https://x.example/query.png',
      cost: '20€',
      website: 'https://x.example/?a=1&b=2',
      post_parent: String(parent.id),
      categories: 'Query one,Query two',
      'tags[]': 'Query tag',
      'venue[venue]': 'Query hall',
      'venue[city]': 'Lyon',
      'organizer[0][organizer]': 'Query Ann',
      'organizer[1][organizer]': 'Query Bob',
      ...Object.fromEntries(flags.map((flag) => [flag, 'true'])),
    });
    const { status, body } = await service.client.send(`/events?${query.toString()}`, { method: 'POST', token: adm });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      title: 'All in the query',
      start_date: '2027-03-10 00:00:00',
      end_date: '2027-03-11 23:59:59',
      timezone: 'Europe/Paris',
      description: '<p>a &amp; b</p>',
      excerpt: '<p>c</p>',
      slug: 'all-of-it',
      status: 'private',
      author: String(service.userIds.edi),
      date: '2026-01-02 03:04:05',
      image: { url: 'https://x.example/query.png' },
      cost: '20€',
      website: 'https://x.example/?a=1&b=2',
      post_parent: parent.id,
      categories: [{ name: 'Query one' }, { name: 'Query two' }],
      tags: [{ name: 'Query tag' }],
      venue: { venue: 'Query hall', city: 'Lyon' },
      organizer: [{ organizer: 'Query Ann' }, { organizer: 'Query Bob' }],
      ...Object.fromEntries(flags.map((flag) => [flag, true])),
    });
  });

  test('GEN-25: only the path selects the record', async () => {
    const [mine, other] = [await create(), await create()];
    const { status, body } = await service.client.put(
      `/events/${mine.id}?id=${other.id}`,
      { id: other.id, title: 'X' },
      adm,
    );
    expect([status, body.id, body.title]).toEqual([200, mine.id, 'X']);
    expect((await get(`/events/${other.id}`)).body.title).toBe('T');
  });

  test('GEN-26: a slug in the body of a by-slug route is the new slug', async () => {
    await create({ slug: 'gen-26-a' });
    const { status, body } = await service.client.put('/events/by-slug/gen-26-a', { slug: 'gen-26-b' }, adm);
    expect([status, body.slug]).toEqual([200, 'gen-26-b']);
    expect((await get('/events/by-slug/gen-26-a')).status).toBe(404);
  });

  test.each([
    [
      'events',
      { ...E, venue: { venue: 'Back' }, organizer: [{ organizer: 'Ann' }, { organizer: 'Bob' }], cost: '20€' },
    ],
    ['events', { ...E, description: 'a\n\nb', website: 'https://x.example/?a=1&b=2', all_day: true, tags: ['New'] }],
    [
      'events',
      { ...E, timezone: 'Europe/Paris', start_date: '2027-10-31T02:30:00+01:00', end_date: '2027-10-31 05:00:00' },
    ],
    [
      'venues',
      { venue: 'Derived', country: 'US', state: 'IL', province: 'P', geo_lat: 1, geo_lng: 2, show_map: false },
    ],
    ['organizers', { organizer: 'Back Bob', email: 'bob@example.com', description: 'x' }],
    ['categories', { name: 'Back category', description: 'x' }],
    ['tags', { name: 'Back tag' }],
  ])(
    'GEN-27: the body of GET /%s/{id} can be sent back by PUT, and changes nothing but modified',
    async (collection, fields) => {
      const made = await service.client.post(`/${collection}`, fields, adm);
      expect(made.status).toBe(201);
      const path = `/${collection}/${made.body.id}`;
      const read = async () => (await service.client.get(path, adm)).body;
      const before = await read();
      expect((await service.client.put(path, before, adm)).status).toBe(200);
      const lasting = (body: object) => ({
        ...body,
        ...('modified' in body ? { modified: '', modified_utc: '' } : {}),
      });
      expect(lasting(await read())).toEqual(lasting(before));
    },
  );

  test('GEN-27: a derived stateprovince that is sent back is still derived', async () => {
    const fields = { venue: 'Still derived', country: 'US', state: 'IL' };
    const { id } = (await service.client.post('/venues', fields, adm)).body;
    const { body } = await service.client.get(`/venues/${id}`, adm);
    await service.client.put(`/venues/${id}`, body, adm);
    expect((await service.client.put(`/venues/${id}`, { state: 'WI' }, adm)).body.stateprovince).toBe('WI');
  });

  test('GEN-28: an update without any field changes nothing, not even modified', async () => {
    const { id } = await create();
    const before = await get(`/events/${id}`);
    service.setNow('2026-11-20T09:00:00Z');
    try {
      for (const body of [{}, { nope: 1, url: 'x' }]) {
        expect((await service.client.put(`/events/${id}`, body, adm)).status).toBe(200);
      }
      expect((await get(`/events/${id}`)).text).toBe(before.text);
    } finally {
      service.setNow('2026-11-20T08:39:00Z');
    }
  });
});

describe('size limits', () => {
  test('GEN-30: returns 414 for a URL of more than 8,192 bytes', async () => {
    const address = (length: number) => `${service.client.mount}/events?a=`.padEnd(length, 'x');
    expect((await service.client.raw(address(8192))).status).toBe(200);
    const { status, body } = await service.client.raw(address(8193));
    expect([status, body]).toEqual([
      414,
      { code: 'rest_uri_too_long', message: 'The address of the request is too long.', data: { status: 414 } },
    ]);
    expect((await service.client.raw('/nothing'.padEnd(8193, 'x'))).status).toBe(414);
  });

  test('GEN-30: returns 414 for more than 1,000 query parameters', async () => {
    expect((await get(`/events?${'a&'.repeat(1000)}`)).status).toBe(200);
    expect((await get(`/events?${'a&'.repeat(1001)}`)).status).toBe(414);
  });

  test('GEN-30: returns 413 for too many values or form members', async () => {
    const values = await service.client.post('/events', { a: Array.from({ length: 9999 }, () => 1) });
    expect([values.status, values.body.code]).toEqual([413, 'rest_body_too_large']);
    const form = { method: 'POST', headers: FORM };
    expect((await service.client.send('/events', { ...form, body: 'a&'.repeat(1001) })).status).toBe(413);
    expect((await service.client.send('/events', { ...form, body: 'a&'.repeat(1000) })).status).toBe(400);
  });

  test('GEN-30: rejects a list of 1,001 items and names it', async () => {
    const ids = Array.from({ length: 1001 }, (_, index) => index + 1);
    const { status, body } = await service.client.post('/events', { ...E, tags: ids }, adm);
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['tags']]);
  });

  test('ERR-03: responds to a body of 10 MB without a connection reset', async () => {
    const large = Buffer.alloc(10 * 1024 * 1024, 'x');
    const statuses = async (path: string, headers: Record<string, string> = {}, method = 'POST') =>
      (await service.client.send(path, { method, body: large, headers })).status;
    expect(await statuses('/events')).toBe(413);
    expect(await statuses('/events', { 'content-type': 'text/plain' })).toBe(415);
    expect(await statuses('/events', FORM)).toBe(413);
    expect(await statuses('/events', {}, 'GET')).toBe(200);
    expect((await service.client.raw('/nothing', { method: 'POST', body: large })).status).toBe(404);
  });

  test('ERR-03: returns 413 for too large a decompressed body, and rest_invalid_json for invalid gzip', async () => {
    const packed = { 'content-encoding': 'gzip' };
    const post = (body: Buffer, headers: Record<string, string>) =>
      service.client.send('/events', { method: 'POST', body, headers });
    expect((await post(gzipSync(Buffer.alloc(50 * 1024 * 1024)), packed)).status).toBe(413);
    expect((await post(gzipSync('{}'), packed)).body.code).toBe('rest_missing_callback_param');
    expect((await post(Buffer.from('{}'), packed)).body.code).toBe('rest_invalid_json');
    expect((await post(Buffer.from('{}'), { 'content-encoding': 'rot13' })).status).toBe(415);
  });

  const head = (...lines: string[]) =>
    `${['POST /calendar/events/v1/events HTTP/1.1', 'Host: localhost', 'Connection: close', ...lines].join('\r\n')}\r\n\r\n`;

  test('ERR-02: processes a chunked body like any other', async () => {
    const chunked = head('Transfer-Encoding: chunked', 'Content-Type: application/json');
    expect(await overSocket(service.client.port, [chunked, '2\r\n{}\r\n0\r\n\r\n'])).toMatch(
      /rest_missing_callback_param/,
    );
    expect(await overSocket(service.client.port, [chunked, '0\r\n\r\n'])).toMatch(/rest_missing_callback_param/);
    const text = head('Transfer-Encoding: chunked', 'Content-Type: text/plain');
    expect(await overSocket(service.client.port, [text, '2\r\n{}\r\n0\r\n\r\n'])).toMatch(/^HTTP\/1.1 415/);
    expect(await overSocket(service.client.port, [text, '0\r\n\r\n'])).toMatch(/rest_missing_callback_param/);
  });

  test('ERR-02: sends 100 Continue to a client that expects it', async () => {
    const waiting = head('Content-Type: application/json', 'Content-Length: 2', 'Expect: 100-continue');
    expect(await overSocket(service.client.port, [waiting, '{}'])).toMatch(/^HTTP\/1.1 100 .*\r\n\r\nHTTP\/1.1 400/);
  });

  test('ERR-02: serves other requests after a body that breaks off', async () => {
    const broken = head('Content-Type: application/json', 'Content-Length: 1000');
    await overSocket(service.client.port, [broken, '{"a":'], 200);
    expect((await get('/events')).status).toBe(200);
  });

  test('GEN-30: returns 431 for headers beyond the limit of the server', async () => {
    const answer = await overSocket(service.client.port, [head(`X-Long: ${'x'.repeat(40_000)}`)]);
    expect(answer).toMatch(/^HTTP\/1.1 431/);
  });
});

describe('outside the mounts, without pages', () => {
  let site: TestApp;
  beforeAll(async () => {
    site = await startApp({ PAGES: 'off' });
  });
  afterAll(() => site.close());
  const root = () => `http://127.0.0.1:${site.client.port}/calendar/events/v1`;

  test('GEN-31: / redirects to the documentation', async () => {
    const { status, headers, text } = await site.client.raw('/');
    expect([status, headers.location, text]).toEqual([302, `${root()}/doc`, '']);
    expect((await site.client.raw('/', { method: 'HEAD' })).status).toBe(302);
  });

  test('GEN-31: while SITE_URL is unset, page URLs redirect to the records', async () => {
    const { url, slug } = (await site.client.post('/events', { ...E, title: 'Fête 東京' }, site.tokens.adm)).body;
    const path = new URL(url as string).pathname;
    const { status, headers } = await site.client.raw(path);
    expect([status, headers.location]).toEqual([302, `${root()}/events/by-slug/${encodeURIComponent(slug)}`]);
    expect((await site.client.raw('/venue/a-b')).headers.location).toBe(`${root()}/venues/by-slug/a-b`);
    expect((await site.client.raw('/organizer/x/')).headers.location).toBe(`${root()}/organizers/by-slug/x`);
  });

  test('GEN-31: page URLs of terms redirect by slug; unknown terms get their own 404', async () => {
    const category = (await site.client.post('/categories', { name: 'Élan vital' }, site.tokens.adm)).body;
    const tag = (await site.client.post('/tags', { name: 'Human' }, site.tokens.adm)).body;
    const follow = async (url: string) => (await site.client.raw(new URL(url).pathname)).headers.location;
    expect(await follow(category.url)).toBe(`${root()}/categories/${category.id}`);
    expect(await follow(tag.url)).toBe(`${root()}/tags/${tag.id}`);
    const unknown = [await site.client.raw('/events/category/none/'), await site.client.raw('/tag/none')];
    expect(unknown.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'rest-category-not-found'],
      [404, 'rest-tag-not-found'],
    ]);
  });

  test('GEN-31: with SITE_URL set, page URLs are unknown paths', () =>
    withSettings({ SITE_URL: 'https://site.example' }, async ({ client }) => {
      for (const path of ['/event/x/', '/venue/x', '/organizer/x', '/tag/x', '/events/category/x']) {
        expect((await client.raw(path)).body).toEqual(NO_ROUTE);
      }
      expect((await client.raw('/')).status).toBe(302);
    }));

  test.each(['/event/%E0%A4%A', '/event/a%2Fb', '/event/a%00', '/event/', '/event/a/b', '/Event/a', '/favicon.ico'])(
    'GEN-31: %s is an unknown path',
    async (path) => {
      expect((await site.client.raw(path)).body).toEqual(NO_ROUTE);
    },
  );

  test('GEN-31: / and page URLs are read-only', async () => {
    for (const path of ['/', '/event/x']) {
      const { status, headers } = await site.client.raw(path, { method: 'POST', body: {} });
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    }
  });
});
