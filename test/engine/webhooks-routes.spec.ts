import { NOW, startApp, startOwnApp, type TestApp } from '../support/app.js';
import { TO_RECEIVERS } from '../support/receiver.js';

const URL = 'https://receiver.example/hooks';

let service: TestApp;
beforeEach(async () => {
  service = await startApp();
});
afterEach(() => service.close());

const post = (body: object, token = service.tokens.adm, headers: Record<string, string> = {}) =>
  service.client.send('/webhooks', { method: 'POST', body, token, headers });

test('HOOK-01: a create returns 201, its address and a secret of 32 bytes, which no other response has', async () => {
  const { status, headers, body } = await post({ url: URL });
  expect([status, headers.location]).toEqual([201, body.rest_url]);
  const { secret, ...webhook } = body as Record<string, unknown>;
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(Buffer.from(String(secret).slice(6), 'base64')).toHaveLength(32);
  expect(webhook).toEqual({
    id: 1,
    url: URL,
    description: '',
    types: ['*'],
    audience: 'public',
    payload: 'thin',
    active: true,
    disabled_reason: '',
    failing_since_utc: '',
    pending: 0,
    missed_before_utc: '',
    last_success_utc: '',
    created_utc: NOW.slice(0, 19).replace('T', ' '),
    modified_utc: NOW.slice(0, 19).replace('T', ' '),
    rest_url: `${service.client.port === 0 ? '' : `http://127.0.0.1:${service.client.port}`}/calendar/events/v1/webhooks/1`,
  });
  expect((await service.client.get('/webhooks/1', service.tokens.adm)).body).toEqual(webhook);
  const { body: list } = await service.client.get('/webhooks', service.tokens.adm);
  expect(list).toMatchObject({ webhooks: [webhook], total: 1, total_pages: 1 });
});

test.each([
  [undefined, 'missing'],
  ['', 'empty'],
  ['   ', 'blank'],
  ['http://receiver.example/', 'http'],
  ['ftp://receiver.example/', 'ftp'],
  ['https://user:pass@receiver.example/', 'a user'],
  ['https://receiver.example/#here', 'a fragment'],
  ['https://127.0.0.1/', 'this machine'],
  ['https://10.1.1.1/', 'a private network'],
  ['https://[::1]/', 'this machine by IPv6'],
  ['https://[::ffff:127.0.0.1]/', 'this machine by mapped IPv6'],
  ['https://0x7f.1/', 'this machine in hexadecimal'],
  ['https://127.1/', 'this machine in short'],
  ['https://localhost/', 'this machine by name'],
  ['https://receiver.example:22/', 'a port of another service'],
  ['https://169.254.169.254/', 'the metadata of a cloud'],
])('HOOK-02: the url %s is refused: %s', async (url, _) => {
  const { status, body } = await post({ url });
  expect([status, JSON.stringify(body.data.params)]).toEqual([400, expect.stringContaining('url')]);
});

test('HOOK-02: the url of a webhook cannot be changed to a blank one', async () => {
  const { body: made } = await post({ url: 'https://receiver.example/' });
  const { status, body } = await service.client.put(`/webhooks/${made.id}`, { url: '   ' }, service.tokens.adm);
  expect([status, Object.keys(body.data.params as object)]).toEqual([400, ['url']]);
});

test('HOOK-02: with WEBHOOK_HTTP and WEBHOOK_NETWORKS http and addresses of the network are accepted', async () => {
  const own = await startOwnApp(TO_RECEIVERS);
  for (const url of [
    'http://127.0.0.1:8080/',
    'http://localhost:8080/',
    'http://receiver.example/',
    'http://0x7f.1/',
  ]) {
    expect((await own.client.post('/webhooks', { url }, own.tokens.adm)).status).toBe(201);
  }
  expect((await own.client.post('/webhooks', { url: 'http://10.1.1.1/' }, own.tokens.adm)).status).toBe(400);
  await own.close();
});

test('HOOK-03: types are checked and stored', async () => {
  for (const types of [['foo'], ['event.foo'], ['event.trashed'], 'event.*,foo']) {
    const { status, body } = await post({ url: URL, types });
    expect([types, status, Object.keys(body.data.params as object)]).toEqual([types, 400, ['types']]);
  }
  expect((await post({ url: URL, types: ['event.*', 'venue.updated'] })).body.types).toEqual([
    'event.*',
    'venue.updated',
  ]);
  expect((await post({ url: URL, types: 'event.*,*' })).body.types).toEqual(['event.*', '*']);
  expect((await post({ url: URL, types: ['event.trashed'], audience: 'all' })).status).toBe(201);
  expect((await post({ url: URL, payload: 'record' })).body.data.details.payload.code).toBe('rest_conflict');
});

test('HOOK-03: only administrators may: others get 401 or 403 on every route', async () => {
  await post({ url: URL });
  const routes: [method: string, path: string, body?: object][] = [
    ['GET', '/webhooks'],
    ['POST', '/webhooks', { url: URL }],
    ['GET', '/webhooks/1'],
    ['PATCH', '/webhooks/1', { active: false }],
    ['DELETE', '/webhooks/1'],
    ['POST', '/webhooks/1/rotate'],
    ['POST', '/webhooks/1/test'],
    ['POST', '/webhooks/1/replay', { from: '2026-11-20' }],
    ['GET', '/webhooks/1/messages'],
    ['POST', '/webhooks/1/messages/msg_1/resend'],
  ];
  for (const [method, path, body] of routes) {
    const status = async (token?: string) => (await service.client.send(path, { method, body, token })).status;
    const { sub, con, aut, edi } = service.tokens;
    const found = [await status(), await status(sub), await status(con), await status(aut), await status(edi)];
    expect([method, path, found]).toEqual([method, path, [401, 403, 403, 403, 403]]);
  }
  expect((await service.client.get('/webhooks/1', service.tokens.adm)).body).toMatchObject({ active: true });
});

test('HOOK-25: updates, If-Match, _fields, 404 and the limit are as elsewhere', async () => {
  const own = await startOwnApp({ WEBHOOK_MOST: '2' });
  const { client, tokens } = own;
  const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    client.send(path, { method, body, token: tokens.adm, headers });
  const { headers } = await send('POST', '/webhooks', { url: URL });
  expect(headers.etag).toBeDefined();
  const { headers: read } = await send('GET', '/webhooks/1');
  for (const method of ['POST', 'PUT', 'PATCH']) {
    expect((await send(method, '/webhooks/1', { description: method })).body.description).toBe(method);
  }
  const stale = await send('PATCH', '/webhooks/1', { active: false }, { 'If-Match': read.etag! });
  expect([stale.status, stale.body.code]).toEqual([412, 'rest_precondition_failed']);
  const { etag } = (await send('GET', '/webhooks/1')).headers;
  const paused = await send('PATCH', '/webhooks/1', { active: false }, { 'If-Match': etag! });
  expect(paused.body).toMatchObject({ active: false, disabled_reason: 'paused' });
  expect((await send('GET', '/webhooks/1?_fields=id,active')).body).toEqual({ id: 1, active: false });
  expect((await send('PATCH', '/webhooks/1', { url: 'https://10.0.0.1/' })).status).toBe(400);
  expect((await send('GET', '/webhooks/7')).body.code).toBe('rest-webhook-not-found');
  expect((await send('POST', '/webhooks/7/test')).body.code).toBe('rest-webhook-not-found');
  expect((await send('DELETE', '/webhooks')).status).toBe(405);
  expect((await send('GET', '/webhooks/1/rotate')).status).toBe(405);
  expect((await send('POST', '/webhooks', { url: URL })).status).toBe(201);
  const third = await send('POST', '/webhooks', { url: URL });
  expect([third.status, third.body.code]).toEqual([409, 'webhook-limit-reached']);
  expect((await send('GET', '/webhooks?page=2&per_page=1')).body.webhooks).toHaveLength(1);
  const beyond = await send('GET', '/webhooks?page=3&per_page=1');
  expect([beyond.status, beyond.body.code]).toEqual([404, 'webhook-archive-page-not-found']);
  expect((await send('DELETE', '/webhooks/1')).body).toMatchObject({ deleted: true, previous: { id: 1 } });
  expect((await send('GET', '/webhooks/1')).status).toBe(404);
  await own.close();
});

test('HOOK-25: a repeated Idempotency-Key makes one webhook, and its stored response has no secret', async () => {
  const key = { 'Idempotency-Key': 'hook-1' };
  const first = await post({ url: URL }, service.tokens.adm, key);
  const second = await post({ url: URL }, service.tokens.adm, key);
  expect(second.headers['idempotent-replayed']).toBe('true');
  const { secret, ...webhook } = first.body as Record<string, unknown>;
  expect(secret).toBeDefined();
  expect(second.body).toEqual(webhook);
  const rotated = await service.client.send('/webhooks/1/rotate', {
    method: 'POST',
    token: service.tokens.adm,
    headers: { 'Idempotency-Key': 'rotate-1' },
  });
  expect(rotated.body.secret).not.toBe(secret);
  expect((await service.client.get('/webhooks', service.tokens.adm)).body.total).toBe(1);
});

test('HOOK-25: with WEBHOOKS=off the routes do not exist', async () => {
  const own = await startOwnApp({ WEBHOOKS: 'off' });
  for (const path of ['/webhooks', '/webhooks/1', '/webhooks/1/messages']) {
    const { status, body } = await own.client.get(path, own.tokens.adm);
    expect([path, status, body.code]).toEqual([path, 404, 'rest_no_route']);
  }
  await own.close();
});

test('HOOK-26: messages are listed newest first, by state, type and record, page by page', async () => {
  await post({ url: URL });
  const send = (path: string) => service.client.post(path, undefined, service.tokens.adm);
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const { status, body } = await send('/webhooks/1/test');
    expect([status, body.type, body.state]).toEqual([202, 'webhook.test', 'pending']);
    ids.unshift(body.id as string);
  }
  const list = async (query = '') =>
    (await service.client.get(`/webhooks/1/messages${query}`, service.tokens.adm)).body;
  const all = await list();
  expect(all.messages.map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(all.messages[0]).toEqual({
    id: ids[0],
    type: 'webhook.test',
    state: 'pending',
    record: { type: 'webhook', id: 1 },
    attempts: [],
    next_attempt_utc: '2026-11-20 08:39:00',
    created_utc: '2026-11-20 08:39:00',
  });
  const second = await list('?per_page=2&page=2&state=pending,failed&type=webhook.test&record_id=1');
  expect(second.messages.map(({ id }: { id: string }) => id)).toEqual([ids[2]]);
  expect([second.total, second.total_pages]).toEqual([3, 2]);
  expect(second.previous_rest_url).toMatch(
    /\/webhooks\/1\/messages\/\?per_page=2&state=pending%2Cfailed&type=webhook.test&record_id=1$/,
  );
  for (const query of ['?state=delivered', '?type=event.created', '?record_id=2']) {
    expect((await list(query)).messages).toEqual([]);
  }
  expect((await list('?state=foo')).data.status).toBe(400);
  const beyond = await list('?page=2');
  expect([beyond.data.status, beyond.code]).toEqual([404, 'webhook-archive-page-not-found']);
});
