import { TABLES } from '../../src/database/sql/tables.js';
import { Database } from '../../src/database/database.js';
import { UsersService } from '../../src/platform/auth/users.service.js';
import { Log } from '../../src/platform/observability/log.js';
import { NOW, startApp, type TestApp } from '../support/app.js';
import { startLosable } from '../support/outage.js';
import { overSocket } from '../support/socket.js';
import { until } from '../support/until.js';

const E = { title: 'T', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };
const COLLECTIONS = ['events', 'venues', 'organizers', 'categories', 'tags'] as const;
const NOUNS = { events: 'event', venues: 'venue', organizers: 'organizer', categories: 'category', tags: 'tag' };
const SYNTAX_ERROR = {
  code: 'rest_invalid_json',
  message: 'Invalid JSON body passed.',
  data: { status: 400, json_error_code: 4, json_error_message: 'Syntax error' },
};

let service: TestApp;
beforeAll(async () => {
  service = await startApp({ FAILED_ATTEMPTS: '1000' });
});
afterAll(() => service.close());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  service.client.send(path, { method: 'POST', body, headers });
const basic = (login: string, token: string) => `Basic ${Buffer.from(`${login}:${token}`).toString('base64')}`;

describe('bodies', () => {
  test('ERR-01: rejects malformed JSON on any path of a mount', async () => {
    for (const path of ['/events', '/events/1', '/doc', '', '/nothing', '/events/by-slug/a%2Fb']) {
      const { status, body } = await post(path, '{"a":');
      expect([status, body]).toEqual([400, SYNTAX_ERROR]);
    }
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect((await service.client.send('/events/1', { method, body: '{' })).body).toEqual(SYNTAX_ERROR);
    }
  });

  test('ERR-01: rejects a body that is not UTF-8', async () => {
    const { status, body } = await post('/events', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]));
    expect([status, body.code, body.data.json_error_code]).toEqual([400, 'rest_invalid_json', 5]);
  });

  test.each([
    ['a list', '[1]', 6],
    ['a text', '"x"', 6],
    ['65 nested lists', '['.repeat(65) + ']'.repeat(65), 1],
    ['3,000 nested lists', '['.repeat(3000) + ']'.repeat(3000), 1],
  ])('ERR-02: rejects a body that is %s', async (_, text, code) => {
    const { status, body } = await post('/events', text);
    expect([status, body.code, body.data.json_error_code]).toEqual([400, 'rest_invalid_json', code]);
  });

  test('ERR-02: treats null and an empty body like {}', async () => {
    const missing = (await post('/events', {})).text;
    expect((await post('/events', 'null')).text).toBe(missing);
    expect((await post('/events', '')).text).toBe(missing);
    expect((await post('/events', undefined)).text).toBe(missing);
    expect((await post('/events', '', { 'content-type': 'text/plain' })).text).toBe(missing);
  });

  test.each([
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/xml',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded; charset=latin1',
    'application/jsonp',
    'json',
    '',
  ])('ERR-03: rejects a body of type "%s"', async (type) => {
    const { status, body } = await post('/events', '{}', { 'content-type': type });
    expect([status, body.code]).toEqual([415, 'rest_unsupported_media_type']);
    const outside = await service.client.raw('/x', { method: 'POST', body: '{}', headers: { 'content-type': type } });
    expect([outside.status, outside.body.code]).toEqual([404, 'rest_no_route']);
  });

  test.each(['application/json; charset=UTF-8', 'Application/Problem+JSON', 'application/json;charset="utf-8"'])(
    'ERR-03: accepts a body of type "%s"',
    async (type) => {
      expect((await post('/events', '{}', { 'content-type': type })).body.code).toBe('rest_missing_callback_param');
    },
  );

  test('ERR-03: rejects a body above MAX_BODY_BYTES, and accepts one of exactly that size', async () => {
    const small = await startApp({ MAX_BODY_BYTES: '2048' });
    try {
      const send = (length: number) =>
        small.client.send('/events', { method: 'POST', body: '{"a":"'.padEnd(length - 2, 'x') + '"}' });
      expect((await send(2048)).body.code).toBe('rest_missing_callback_param');
      const { status, body } = await send(2049);
      expect([status, body.code]).toEqual([413, 'rest_body_too_large']);
    } finally {
      await small.close();
    }
  });
});

describe('parameters', () => {
  const names = (body: { data: { params: object } }) => Object.keys(body.data.params);

  test('ERR-04: lists missing parameters', async () => {
    const { status, body } = await post('/events', {});
    expect(status).toBe(400);
    expect(body).toEqual({
      code: 'rest_missing_callback_param',
      message: 'Missing parameter(s): title, start_date, end_date',
      data: { status: 400, params: ['title', 'start_date', 'end_date'] },
    });
  });

  test('ERR-05: treats null as missing, and reports missing parameters without invalid ones', async () => {
    expect((await post('/events', { ...E, title: null })).body.data.params).toEqual(['title']);
    const { body } = await post('/events', { start_date: E.start_date, end_date: 'x' });
    expect([body.code, body.data.params]).toEqual(['rest_missing_callback_param', ['title']]);
  });

  test('ERR-06, ERR-07: reports all invalid parameters in one response, in the order of the contract', async () => {
    const wrong = { featured: 'perhaps', website: 'x', title: '', end_date: 'y', all_day: 7, author: 'me' };
    const { status, body } = await post('/events', { ...E, ...wrong });
    const expected = ['title', 'end_date', 'author', 'all_day', 'website', 'featured'];
    expect([status, body.code, names(body)]).toEqual([400, 'rest_invalid_param', expected]);
    expect(body.message).toBe(`Invalid parameter(s): ${expected.join(', ')}`);
    expect(Object.keys(body.data.details)).toEqual(expected);
    for (const name of expected) {
      const { code, ...rest } = body.data.details[name];
      expect(code).toMatch(/^rest_/);
      expect(rest).toEqual({ message: body.data.params[name], data: null });
    }
  });

  test('ERR-06: names a parameter whose value is not UTF-8', async () => {
    const { status, body } = await service.client.get('/events?search=%FF&page=1');
    expect([status, names(body)]).toEqual([400, ['search']]);
  });

  test('ERR-08: checks formats first, then the rights of the caller, then referenced records', async () => {
    expect((await post('/events', { ...E, end_date: 'x' })).status).toBe(400);
    for (const extra of [{}, { author: 999 }, { venue: 999 }, { post_parent: 999 }]) {
      const { status, headers, body } = await post('/events', { ...E, ...extra });
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="calendar"']);
      expect(body).toEqual({
        code: 'rest_forbidden',
        message: 'Sorry, you are not allowed to do that.',
        data: { status: 401 },
      });
    }
    const { body } = await service.client.post('/events', { ...E, end_date: 'x', venue: 999 }, service.tokens.edi);
    expect(names(body)).toEqual(['end_date', 'venue']);
  });
});

describe('records', () => {
  test('ERR-09: a caller without write access does not learn whether a record exists', async () => {
    for (const collection of COLLECTIONS) {
      for (const method of ['PUT', 'DELETE']) {
        const send = (token?: string) => service.client.send(`/${collection}/999`, { method, token, body: {} });
        expect((await send()).status).toBe(401);
        expect((await send(service.tokens.sub)).status).toBe(403);
        const { status, body } = await send(service.tokens.edi);
        expect([status, body.code]).toEqual([404, `rest-${NOUNS[collection]}-not-found`]);
      }
    }
  });

  test('ERR-10: returns 404 for id 0, huge ids, and the id of another resource', async () => {
    for (const id of ['0', '99999999999999999999', '00000000000000000000001', '9'.repeat(400)]) {
      const { status, body } = await service.client.get(`/events/${id}`);
      expect([status, body.code]).toEqual([404, 'rest-event-not-found']);
    }
    const { body } = await service.client.post('/venues', { venue: 'Hall' }, service.tokens.adm);
    expect((await service.client.get(`/events/${body.id}`)).body.code).toBe('rest-event-not-found');
  });

  test('ERR-11: each resource has its own 404, by id and by slug', async () => {
    for (const collection of COLLECTIONS) {
      const noun = NOUNS[collection];
      const expected = (which: string) => ({
        code: `rest-${noun}-not-found`,
        message: `${noun[0]?.toUpperCase()}${noun.slice(1)} with ${which} does not exist.`,
        data: { status: 404 },
      });
      expect((await service.client.get(`/${collection}/2389`)).body).toEqual(expected('ID 2389'));
      if (collection === 'categories' || collection === 'tags') continue;
      expect((await service.client.get(`/${collection}/by-slug/none`)).body).toEqual(expected('slug "none"'));
    }
  });
});

describe('credentials', () => {
  const INVALID = { code: 'invalid_credentials', message: 'The credentials are not valid.', data: { status: 401 } };
  const send = (authorization: string, path = '/events') => service.client.send(path, { headers: { authorization } });

  test('AUTH-01: accepts a token as Bearer and as Basic credentials', async () => {
    const { adm } = service.tokens;
    const [{ login } = { login: '' }] = await service.app
      .get(Database)
      .query<{ login: string }>(`SELECT login FROM ${TABLES.users} WHERE id = ?`, [service.userIds.adm]);
    for (const authorization of [`Bearer ${adm}`, `bearer  ${adm}`, basic(login, adm)]) {
      expect((await send(authorization, '/events?status=draft')).status).toBe(200);
      expect((await post('/events', E, { authorization })).status).toBe(201);
    }
  });

  test('AUTH-02: returns the same 401 for all invalid credentials, on every route of a mount', async () => {
    const users = service.app.get(UsersService);
    const expired = await users.issueToken(service.userIds.adm, { expiresUtc: '2026-11-20 08:39:00' });
    const wrong = [
      'Bearer wrong',
      `Bearer ${expired}`,
      basic('nobody', service.tokens.adm),
      basic('', service.tokens.adm),
      basic('administrator5', ''),
      `Digest ${service.tokens.adm}`,
      `Bearer${service.tokens.adm}`,
      `Bearer ${service.tokens.adm} x`,
      'Bearer nullundefined',
      'Bearer null undefined',
      'Bearer, null',
      'Basic null',
      'Basic Og==',
      'Basic !!!',
      `Basic ${Buffer.from('nocolon').toString('base64')}`,
      service.tokens.adm,
      '',
    ];
    for (const authorization of wrong) {
      const { status, headers, body } = await send(authorization);
      expect([authorization, status, body]).toEqual([authorization, 401, INVALID]);
      expect(headers['www-authenticate']).toBe('Bearer realm="calendar"');
    }
    for (const path of ['', '/doc', '/nothing', '/events/0'])
      expect((await send('Bearer wrong', path)).status).toBe(401);
  });

  test('AUTH-03: treats a scheme without a token as anonymous, and counts no failed attempt', async () => {
    const strict = await startApp({ FAILED_ATTEMPTS: '1' });
    try {
      const none = [
        'Bearer',
        'Bearer ',
        'bearer',
        'Bearer null',
        'BEARER  Null ',
        'Bearer undefined',
        'Basic',
        'basic ',
      ];
      for (const authorization of none) {
        const read = await strict.client.send('/events', { headers: { authorization } });
        expect([authorization, read.status]).toEqual([authorization, 200]);
        expect(read.headers['cache-control']).toMatch(/^public/);
        const write = await strict.client.send('/events', { method: 'POST', body: E, headers: { authorization } });
        expect([authorization, write.status, write.body.code]).toEqual([authorization, 401, 'rest_forbidden']);
      }
    } finally {
      await strict.close();
    }
  });

  test('AUTH-03: ignores nonces and cookies', async () => {
    const { status } = await service.client.send('/events', { headers: { 'x-wp-nonce': 'junk', cookie: 'a=b' } });
    expect(status).toBe(200);
  });

  test('AUTH-17: rejects a token from the second of its expiry on', async () => {
    const expiresUtc = '2026-11-20 09:00:00';
    const token = await service.app.get(UsersService).issueToken(service.userIds.edi, { expiresUtc });
    const statusAt = async (iso: string) => {
      service.setNow(iso);
      return (await service.client.get('/events', token)).status;
    };
    try {
      expect([await statusAt('2026-11-20T08:59:59Z'), await statusAt('2026-11-20T09:00:00Z')]).toEqual([200, 401]);
    } finally {
      service.setNow(NOW);
    }
  });

  test('AUTH-17: stores the minute of the last use of a token, and updates it with each use', async () => {
    const { id, token } = await service.newUser('editor');
    const users = service.app.get(UsersService);
    const [user] = (await users.list()).filter((one) => one.id === id);
    const lastUse = async () => (await users.tokens(user!.login))[0]?.last_used_utc;
    expect(await lastUse()).toBeNull();
    try {
      for (const minute of ['08:39', '08:40', '09:15']) {
        service.setNow(`2026-11-20T${minute}:59Z`);
        expect((await service.client.get('/events', token)).status).toBe(200);
        await until(async () => (await lastUse()) === `2026-11-20 ${minute}:00`);
      }
    } finally {
      service.setNow(NOW);
    }
  });

  test('AUTH-16: returns 429 after too many wrong credentials, and still accepts valid ones', async () => {
    const strict = await startApp({ FAILED_ATTEMPTS: '3', TRUST_PROXY: '127.0.0.1' });
    try {
      const from = (address: string, token: string) =>
        strict.client.send('/events', { token, headers: { 'x-forwarded-for': address } });
      const statuses: number[] = [];
      for (let turn = 0; turn < 5; turn += 1) statuses.push((await from('198.51.100.7', 'wrong')).status);
      expect(statuses).toEqual([401, 401, 401, 429, 429]);
      const { headers, body } = await from('198.51.100.7', 'wrong');
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
      expect(body).toEqual({ code: 'rest_too_many_requests', message: 'Too many requests.', data: { status: 429 } });
      expect((await from('198.51.100.7', strict.tokens.adm)).status).toBe(200);
      expect((await from('198.51.100.8', 'wrong')).status).toBe(401);
    } finally {
      await strict.close();
    }
  });

  test('AUTH-16: counts wrong credentials per IPv6 network of 64 bits', async () => {
    const strict = await startApp({ FAILED_ATTEMPTS: '2', TRUST_PROXY: '127.0.0.1' });
    try {
      const from = async (address: string) => {
        const headers = { 'x-forwarded-for': address };
        return (await strict.client.send('/events', { token: 'wrong', headers })).status;
      };
      const network = ['2001:db8:0:7::1', '2001:db8:0:7:ffff::2', '2001:db8:0:7:1:2:3:4'];
      const statuses: number[] = [];
      for (const address of [...network, '2001:db8:0:8::1']) statuses.push(await from(address));
      expect(statuses).toEqual([401, 401, 429, 401]);
      // An IPv4-mapped IPv6 address counts as its IPv4 address, not as part of a network.
      const mapped: number[] = [];
      for (const address of ['::ffff:192.0.2.1', '192.0.2.1', '::ffff:c000:201', '::ffff:192.0.2.2'])
        mapped.push(await from(address));
      expect(mapped).toEqual([401, 401, 429, 401]);
    } finally {
      await strict.close();
    }
  });
});

describe('order of checks (contract section 6)', () => {
  const wrong = { authorization: 'Bearer wrong' };

  test('checks the URL before the body, the body before credentials, credentials before the route', async () => {
    const long = `/events?a=${'x'.repeat(8192)}`;
    expect((await post(long, '{', wrong)).status).toBe(414);
    expect((await post('/events', '{', wrong)).status).toBe(400);
    expect((await post('/nothing', '{}', wrong)).status).toBe(401);
    expect((await post('/nothing', '{}')).status).toBe(404);
  });

  test('checks the content type before the size, and both before the syntax', async () => {
    const large = `{${'x'.repeat(2_000_000)}`;
    expect((await post('/events', large, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post('/events', large)).status).toBe(413);
  });
});

describe('unexpected errors', () => {
  test('ERR-12: returns 500 without details for a defect, and logs no values', async () => {
    const broken = await startApp();
    try {
      const logged: unknown[] = [];
      broken.app.get(Log).error = (...line: unknown[]) => void logged.push(line);
      await broken.app
        .get(Database)
        .inTransaction(async (tx) => void (await tx.query(`DROP TABLE ${TABLES.eventTerms}`)));
      const { status, headers, body } = await broken.client.get('/categories/1?password=hush', broken.tokens.adm);
      expect([status, headers['cache-control']]).toEqual([500, 'private, no-store']);
      expect(body).toEqual({
        code: 'internal_server_error',
        message: 'An unexpected error occurred.',
        data: { status: 500 },
      });
      const text = JSON.stringify(logged);
      expect(text).toContain('QueryFailedError');
      expect(text).toContain(headers['x-request-id']);
      for (const secret of ['SELECT', 'parameters', 'hush', broken.tokens.adm]) expect(text).not.toContain(secret);
    } finally {
      await broken.close();
    }
  });

  test('ERR-12: returns 503 with Retry-After if the database does not respond', async () => {
    const losable = await startLosable();
    try {
      const { client, tokens } = losable.service;
      expect((await client.post('/tags', { name: 'Before' }, tokens.adm)).status).toBe(201);
      await losable.lose();
      const { status, headers, body } = await client.post('/tags', { name: 'Locked out' }, tokens.adm);
      expect([status, headers['retry-after']]).toEqual([503, '1']);
      expect(body).toEqual({
        code: 'service_unavailable',
        message: 'The service is temporarily unavailable.',
        data: { status: 503 },
      });
    } finally {
      await losable.close();
    }
  }, 40_000);
});

describe('the access log (contract 5.6)', () => {
  test('contains no passwords and no credentials', async () => {
    const watched = await startApp();
    try {
      const lines: object[] = [];
      watched.app.get(Log).info = (fields: object) => void lines.push(fields);
      await watched.client.send('/events/1?pass%77ord=hush&page=1', { headers: { authorization: 'Bearer hush' } });
      await watched.client.post('/events?password=hush', { ...E, password: 'hush' }, 'hush');
      const target = `GET http://ann:hush@localhost/calendar/events/v1/events HTTP/1.1`;
      await overSocket(watched.client.port, [`${target}\r\nHost: localhost\r\nConnection: close\r\n\r\n`]);
      const text = JSON.stringify(lines);
      expect(lines).toHaveLength(3);
      expect(text).not.toContain('hush');
      expect(text).toContain('page=1');
    } finally {
      await watched.close();
    }
  });
});
