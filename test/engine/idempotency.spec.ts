import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Database } from '../../src/database/database.js';
import { TABLES } from '../../src/database/sql/tables.js';
import { UsersService } from '../../src/platform/auth/users.service.js';
import { Clock } from '../../src/config/clock.js';
import { VERBS } from '../../src/platform/http/operation.js';
import { RouteTable } from '../../src/platform/http/routing/route-table.js';
import { ImagesService } from '../../src/platform/images/images.service.js';
import { NOW, startApp, startBeside, type TestApp } from '../support/app.js';
import { Client, type Reply } from '../support/client.js';
import { E } from '../support/factories.js';
import { IN_TIME } from '../support/patience.js';
import { expectForbidden, expectInvalid } from '../support/refusals.js';

type Fields = Record<string, unknown>;

let service: TestApp;
let adm: string;
let count = 0;

beforeAll(async () => {
  service = await startApp({ ...IN_TIME, IMAGE_PROBE: 'on' });
  adm = service.tokens.adm;
});
afterEach(() => service.setNow(NOW));
afterAll(() => service.close());

/** Returns a key or a name that is unique in this file. */
const fresh = (word = 'key') => `${word}-${(count += 1)}`;

/** Sends a request with an Idempotency-Key. By default the administrator sends it to the service of this file. */
const send = (
  key: string,
  method: string,
  path: string,
  body?: unknown,
  { client = service.client, ...from }: { token?: string | undefined; client?: Client } = {},
) => client.send(path, { method, body, token: adm, ...from, headers: { 'idempotency-key': key } });

const post = (key: string, fields: Fields, from: { token?: string; client?: Client } = {}) =>
  send(key, 'POST', '/events', { ...E, ...fields }, from);

const totalOf = async (title: string) =>
  (await service.client.get(`/events?search=%22${title}%22&status=any`, adm)).body.total as number;

/** Returns the parts of a response that a replay repeats, without headers that belong to one request. */
const lasting = ({ status, text, headers }: Reply) => {
  const { date: _, 'x-request-id': _id, 'idempotent-replayed': _replayed, ...rest } = headers;
  return { status, text, headers: rest };
};

function expectReplayed(reply: Reply, first: Reply): void {
  expect(reply.headers['idempotent-replayed']).toBe('true');
  expect(lasting(reply)).toEqual(lasting(first));
  expect(reply.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
}

function expectCarriedOut(reply: Reply, status: number): void {
  expect([reply.status, reply.headers['idempotent-replayed']]).toEqual([status, undefined]);
}

function expectReused({ status, body }: Reply): void {
  expect([status, body]).toEqual([
    422,
    {
      code: 'rest_idempotency_key_reused',
      message: 'This Idempotency-Key was used for a different request.',
      data: { status: 422 },
    },
  ]);
}

function expectInUse({ status, body, headers }: Reply): void {
  expect([status, body]).toEqual([
    409,
    {
      code: 'rest_idempotency_key_in_use',
      message: 'A request with this Idempotency-Key is still running.',
      data: { status: 409 },
    },
  ]);
  expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
}

const formOf = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

const rows = () =>
  service.app
    .get(Database)
    .query<{ key_hash: string; fingerprint: string; answer: string }>(`SELECT * FROM ${TABLES.idempotencyKeys}`);

const dataVersion = async () => {
  const [row] = await service.app
    .get(Database)
    .query<{ version: number }>(`SELECT version FROM ${TABLES.dataVersion} WHERE id = 1`);
  return row?.version;
};

describe('POST /events with an Idempotency-Key', () => {
  test('GEN-29: creates one record for repeated requests; replayed responses have Idempotent-Replayed', async () => {
    const [key, title] = [fresh(), fresh('Concert')];
    const first = await post(key, { title });
    expectCarriedOut(first, 201);
    expectReplayed(await post(key, { title }), first);
    expectReplayed(await post(key, { title }), first);
    expect(await totalOf(title)).toBe(1);
    const { headers } = first;
    expect(headers.location).toMatch(new RegExp(`/events/${first.body.id}$`));
    expect([headers.etag, headers['last-modified'], headers['cache-control']]).toEqual([
      expect.stringMatching(/^"1-/),
      'Fri, 20 Nov 2026 08:39:00 GMT',
      'private, no-store',
    ]);
  });

  test('GEN-29: returns 422 for the key with another body, method or URL, and writes nothing', async () => {
    const [key, title] = [fresh(), fresh('Concert')];
    const first = await post(key, { title });
    const path = `/events/${first.body.id}`;
    expectReused(await post(key, { title, featured: true }));
    expectReused(await send(key, 'POST', '/events', JSON.stringify({ ...E, title }, undefined, 1)));
    expectReused(await send(key, 'POST', '/events'));
    expectReused(await send(key, 'POST', '/events?featured=true', { ...E, title }));
    expectReused(await send(key, 'POST', '/events/', { ...E, title }));
    expectReused(await send(key, 'POST', path, { ...E, title }));
    expectReused(await send(key, 'DELETE', path));
    const { client } = service;
    const german = new Client(client.port, `/de${client.mount}`);
    expectReused(await post(key, { title }, { client: german }));
    expect(await totalOf(title)).toBe(1);
    expect((await client.get(path)).body.status).toBe('publish');
    expectReplayed(await post(key, { title }), first);
  });

  test('5.5: rejects the key of a PUT for an equal POST or PATCH of the same record', async () => {
    const { body } = await post(fresh(), { title: fresh('Concert') });
    const key = fresh();
    expectCarriedOut(await send(key, 'PUT', `/events/${body.id}`, { title: 'New' }), 200);
    for (const method of ['POST', 'PATCH']) {
      expectReused(await send(key, method, `/events/${body.id}`, { title: 'New' }));
    }
  });

  test.each([
    ['of 1 character', '!', 201],
    ['of 255 characters', '~'.repeat(255), 201],
    ['of 256 characters', 'k'.repeat(256), 400],
    ['with a blank', 'a key', 400],
    ['with a tab', 'a\tkey', 400],
    ['beyond ASCII', 'schlüssel', 400],
    ['of no character', '', 400],
  ])('GEN-29: accepts or rejects a key %s', async (_, key, status) => {
    const reply = await post(key, { title: fresh('Concert') });
    expect(reply.status).toBe(status);
    if (status === 400) expectInvalid(reply, 'Idempotency-Key');
  });

  test('5.5: rejects a request with two keys', async () => {
    const options = { method: 'POST', body: E, token: adm };
    const headers = { 'idempotency-key': ['a', 'b'] as unknown as string };
    expectInvalid(await service.client.send('/events', { ...options, headers }), 'Idempotency-Key');
  });

  test.each([
    [
      'form',
      { 'content-type': 'application/x-www-form-urlencoded' },
      (fields: Record<string, string>) => formOf(fields),
    ],
    ['gzip', { 'content-encoding': 'gzip' }, (fields: object) => gzipSync(JSON.stringify(fields))],
  ])('5.5: recognizes a repeated body sent as %s', async (_, headers, bodyOf) => {
    const [key, title] = [fresh(), fresh('Sent')];
    const sendIt = (fields: Record<string, string>) =>
      service.client.send('/events', {
        method: 'POST',
        token: adm,
        body: bodyOf(fields),
        headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
      });
    const first = await sendIt({ ...E, title });
    expectCarriedOut(first, 201);
    expectReplayed(await sendIt({ ...E, title }), first);
    expectReused(await sendIt({ ...E, title, excerpt: 'x' }));
    expect(await totalOf(title)).toBe(1);
  });

  test('5.5: a request without a key is carried out each time', async () => {
    const title = fresh('Concert');
    const before = (await rows()).length;
    for (const _ of [1, 2]) expectCarriedOut(await service.client.post('/events', { ...E, title }, adm), 201);
    expect(await totalOf(title)).toBe(2);
    expect((await rows()).length).toBe(before);
  });

  test('stores neither the key nor the content of the body', async () => {
    const { body } = await post(fresh(), { title: fresh('Concert') });
    const key = fresh('secret-key');
    expectCarriedOut(await send(key, 'PUT', `/events/${body.id}`, { password: 'hush-hush' }), 200);
    const stored = JSON.stringify(await rows());
    expect(stored).not.toContain('secret-key');
    expect(stored).not.toContain('hush-hush');
  });
});

describe('every write', () => {
  const RECORDS: Record<string, { create: () => Fields; update: Fields }> = {
    events: { create: () => ({ ...E, title: fresh('Event') }), update: { title: 'Renamed', featured: true } },
    venues: { create: () => ({ venue: fresh('Venue') }), update: { city: 'Lyon' } },
    organizers: { create: () => ({ organizer: fresh('Organizer') }), update: { phone: '1' } },
    categories: { create: () => ({ name: fresh('Category') }), update: { description: 'x' } },
    tags: { create: () => ({ name: fresh('Tag') }), update: { description: 'x' } },
  };

  /** Returns every method of every route that writes. */
  const allWrites = () =>
    service.app
      .get(RouteTable)
      .all()
      .flatMap(({ path, operations }) =>
        operations.flatMap(({ kind }) =>
          VERBS[kind].filter((verb) => verb !== 'GET').map((verb) => ({ path, kind, verb })),
        ),
      );
  const collectionOf = ({ path }: { path: string }) => path.split('/')[1] as string;
  const writes = () => allWrites().filter((write) => collectionOf(write) in RECORDS);

  async function record(collection: string): Promise<Reply['body']> {
    const { status, body } = await service.client.post(`/${collection}`, RECORDS[collection]?.create(), adm);
    expect(status).toBe(201);
    return body;
  }

  test('5.5: the routes of records have 37 methods that write; of the others only those of webhooks do', () => {
    expect(writes()).toHaveLength(5 + 8 * 4);
    // HOOK-25 tries these.
    expect(new Set(allWrites().map(collectionOf))).toEqual(new Set([...Object.keys(RECORDS), 'webhooks']));
  });

  test('5.5: is carried out once, and its response is replayed byte for byte despite later changes', async () => {
    for (const { path, kind, verb } of writes()) {
      const collection = path.split('/')[1] as string;
      const { id, slug } = await record(collection);
      const target = path.replace(':id', String(id)).replace(':slug', slug as string);
      const fields = RECORDS[collection]?.[kind === 'create' ? 'create' : 'update'];
      const body = kind === 'delete' ? undefined : typeof fields === 'function' ? fields() : fields;
      const key = fresh();
      const first = await send(key, verb, target, body);
      expect([verb, target, first.status]).toEqual([verb, target, kind === 'create' ? 201 : 200]);
      expect(first.headers['idempotent-replayed']).toBeUndefined();
      const changed = `/${collection}/${first.body.id}`;
      await service.client.put(changed, { slug: fresh('moved'), status: 'draft' }, adm);
      const before = await service.client.get(changed, adm);
      expectReplayed(await send(key, verb, target, body), first);
      expect(lasting(await service.client.get(changed, adm))).toEqual(lasting(before));
    }
  });

  test.each(Object.keys(RECORDS))('5.5: replays the response to a permanent deletion in %s', async (name) => {
    const { id } = await record(name);
    const key = fresh();
    const first = await send(key, 'DELETE', `/${name}/${id}?force=true`);
    expect([first.status, first.body.deleted, first.body.previous.id]).toEqual([200, true, id]);
    expectReplayed(await send(key, 'DELETE', `/${name}/${id}?force=true`), first);
    expectCarriedOut(await send(fresh(), 'DELETE', `/${name}/${id}?force=true`), 404);
  });

  test('5.5, 2.1: replays a response that reuses a venue', async () => {
    const venue = { venue: fresh('Hall') };
    const made = await send(fresh(), 'POST', '/venues', venue);
    const key = fresh();
    const reused = await send(key, 'POST', '/venues', venue);
    expectCarriedOut(reused, 201);
    expect(reused.headers['x-kalends-reused']).toBe('true');
    expect([reused.body.id, reused.headers.location]).toEqual([made.body.id, made.headers.location]);
    await service.client.delete(`/venues/${made.body.id}?force=true`, adm);
    expectReplayed(await send(key, 'POST', '/venues', venue), reused);
  });

  test('5.5: replays the response to an update that changes nothing', async () => {
    const { id } = await record('events');
    const key = fresh();
    const first = await send(key, 'PATCH', `/events/${id}`, {});
    expectCarriedOut(first, 200);
    expectReplayed(await send(key, 'PATCH', `/events/${id}`, {}), first);
  });
});

describe('failed requests are carried out anew', () => {
  test('GEN-29: a 400 leaves the key free for any request', async () => {
    const [key, title] = [fresh(), fresh('Concert')];
    for (const _ of [1, 2]) {
      const reply = await post(key, { title, website: 'foo' });
      expectInvalid(reply, 'website');
      expect(reply.headers['idempotent-replayed']).toBeUndefined();
    }
    expectCarriedOut(await post(key, { title }), 201);
    expect(await totalOf(title)).toBe(1);
  });

  test('5.5: after 403, 404, 410, 412, and a 400 from inside the transaction', async () => {
    const { client, tokens } = service;
    const { body } = await post(fresh(), { title: fresh('Concert') });
    const path = `/events/${body.id}`;
    const key = fresh();
    const repeated = async (status: number, request: () => Promise<Reply>) => {
      for (const _ of [1, 2]) expectCarriedOut(await request(), status);
    };
    await repeated(404, () => send(key, 'PUT', '/events/999999', { title: 'X' }));
    const ifMatch = { 'idempotency-key': key, 'if-match': '"99-x"' };
    await repeated(412, () => client.send(path, { method: 'PUT', body: { title: 'X' }, token: adm, headers: ifMatch }));
    await repeated(400, () => send(key, 'PUT', path, { start_date: '2030-01-01' }));
    await client.delete(path, adm);
    await repeated(410, () => send(key, 'DELETE', path));
    expectCarriedOut(await send(key, 'PUT', path, { status: 'publish' }), 200);

    const other = fresh();
    for (const _ of [1, 2]) {
      expectForbidden(await send(other, 'PUT', path, { title: 'X' }, { token: tokens.aut }), 403);
      expectForbidden(await send(other, 'POST', '/events', E, { token: tokens.sub }), 403);
    }
    expectCarriedOut(await post(other, { title: fresh('Concert') }, { token: tokens.aut }), 201);
  });

  test('5.5: after a 500, whose transaction is rolled back', async () => {
    const [key, title] = [fresh(), fresh('Concert')];
    const alter = (from: string, to: string) =>
      service.app.get(Database).inTransaction((tx) => tx.query(`ALTER TABLE ${from} RENAME TO ${to}`));
    await alter(TABLES.eventTerms, 'hidden');
    const failed = await post(key, { title, tags: ['Failing'] });
    await alter('hidden', TABLES.eventTerms);
    expect([failed.status, failed.body.code]).toEqual([500, 'internal_server_error']);
    expectCarriedOut(await post(key, { title, tags: ['Failing'] }), 201);
    expect(await totalOf(title)).toBe(1);
  });
});

describe('keys of different callers', () => {
  test('5.5: the same key of another caller is another key', async () => {
    const { tokens } = service;
    const [key, title] = [fresh(), fresh('Concert')];
    const first = await post(key, { title });
    const other = await post(key, { title }, { token: tokens.edi });
    expectCarriedOut(other, 201);
    expect(other.body.author).toBe(String(service.userIds.edi));
    expectReplayed(await post(key, { title }), first);
    expectReplayed(await post(key, { title }, { token: tokens.edi }), other);
    expect(await totalOf(title)).toBe(2);
  });

  test('5.5: another token of the same user with the same rights is the same caller', async () => {
    const [key, title] = [fresh(), fresh('Concert')];
    const first = await post(key, { title });
    const token = await service.app.get(UsersService).issueToken(service.userIds.adm);
    expectReplayed(await post(key, { title }, { token }), first);
  });

  test('5.5: a token with fewer rights does not get the response to one with more rights', async () => {
    const users = service.app.get(UsersService);
    const [key, title] = [fresh(), fresh('Concert')];
    await post(key, { title });
    const lower = await users.issueToken(service.userIds.adm, { role: 'contributor' });
    expectReused(await post(key, { title }, { token: lower }));
    expect(await totalOf(title)).toBe(1);
  });

  test('5.5: rejects anonymous callers as without a key, and stores no row', async () => {
    const before = await rows();
    for (const _ of [1, 2]) {
      expectForbidden(await send('anonymous', 'POST', '/events', E, { token: undefined }), 401);
      expectForbidden(await send('anonymous', 'DELETE', '/venues/1', undefined, { token: undefined }), 401);
    }
    expect(await rows()).toEqual(before);
    expectInvalid(await send('a key', 'POST', '/events', E, { token: undefined }), 'Idempotency-Key');
  });
});

describe('the order of checks', () => {
  test('5.5: GET, HEAD and OPTIONS ignore the key, even an invalid one', async () => {
    const before = await rows();
    for (const key of [fresh(), 'a key', 'k'.repeat(300)]) {
      for (const _ of [1, 2]) {
        expectCarriedOut(await send(key, 'GET', '/events'), 200);
        expectCarriedOut(await send(key, 'HEAD', '/events'), 200);
        expectCarriedOut(await send(key, 'OPTIONS', '/events'), 200);
        expectCarriedOut(await send(key, 'GET', ''), 200);
      }
    }
    expect(await rows()).toEqual(before);
  });

  test('section 6: checks body, credentials and route before the key', async () => {
    const { client } = service;
    const refused = async (status: number, path: string, token: string, body: unknown, type = 'application/json') => {
      const headers = { 'idempotency-key': 'a key', 'content-type': type };
      expect((await client.send(path, { method: 'POST', token, body, headers })).status).toBe(status);
    };
    await refused(400, '/events', 'wrong', '{');
    await refused(415, '/events', 'wrong', 'text', 'text/plain');
    await refused(401, '/events', 'wrong', E);
    await refused(404, '/nothing', adm, E);
    await refused(405, '/doc', adm, E);
  });

  test('section 6: checks the key before parameters, rights, existence and If-Match', async () => {
    const { tokens } = service;
    expectInvalid(await send('a key', 'POST', '/events', { website: 'foo' }), 'Idempotency-Key');
    expectInvalid(await send('a key', 'PUT', '/events/999999', {}, { token: tokens.sub }), 'Idempotency-Key');
    const key = fresh();
    await post(key, { title: fresh('Concert') });
    expectReused(await send(key, 'POST', '/events', {}));
    expectReused(await send(key, 'DELETE', '/events/999999'));
  });

  test('5.5: replays a response without checking If-Match again', async () => {
    const { client } = service;
    const { body, headers } = await post(fresh(), { title: fresh('Concert') });
    const key = fresh();
    const options = { method: 'PUT', token: adm, body: { title: 'Once' } };
    const sendIt = () =>
      client.send(`/events/${body.id}`, {
        ...options,
        headers: { 'idempotency-key': key, 'if-match': headers.etag as string },
      });
    const first = await sendIt();
    expectCarriedOut(first, 200);
    expectReplayed(await sendIt(), first);
  });
});

describe('concurrent requests on two instances', () => {
  let second: Second;
  let images: Server;
  let image: string;

  /** Another instance on the database of the first. */
  interface Second {
    readonly client: Client;
    readonly app: NestExpressApplication;
    setNow(iso: string): void;
  }

  async function startSecond(): Promise<Second> {
    const { app, client } = await startBeside(service, { IMAGE_PROBE: 'on', ...IN_TIME });
    let now = Date.parse(NOW);
    app.get(Clock).milliseconds = () => now;
    return { app, client, setNow: (iso) => (now = Date.parse(iso)) };
  }

  beforeAll(async () => {
    second = await startSecond();
    images = createServer((_, response) => response.setHeader('Content-Type', 'image/gif').end('GIF89a'));
    await new Promise<void>((resolve) => images.listen(0, '127.0.0.1', resolve));
    image = `http://images.example:${(images.address() as AddressInfo).port}`;
    second.app.get(ImagesService).network = { resolve: () => Promise.resolve(['127.0.0.1']), permits: () => true };
  });
  afterEach(() => second.setNow(NOW));
  afterAll(async () => {
    await second.app.close();
    await new Promise((resolve) => images.close(resolve));
  });

  /**
   * Sends a request that the first instance cannot finish before `goOn`, because it waits for the image of the event.
   * Other requests cannot distinguish it from one whose process has died, because they see only its rows.
   */
  async function hanging(key: string, fields: Fields): Promise<{ goOn: () => void; reply: Promise<Reply> }> {
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    const begun = new Promise<void>((resolve) => {
      service.app.get(ImagesService).network = {
        resolve: async () => {
          resolve();
          await gate;
          return ['127.0.0.1'];
        },
        permits: () => true,
      };
    });
    const reply = post(key, fields);
    await begun;
    return { goOn, reply };
  }

  const pictured = () => ({ title: fresh('Concert'), image: `${image}/${fresh('a')}.gif` });

  test('GEN-29: returns 409 with Retry-After while the first request runs, then replays its response', async () => {
    const [key, fields] = [fresh(), pictured()];
    const { goOn, reply } = await hanging(key, fields);
    for (const { client } of [service, second]) {
      expectInUse(await post(key, fields, { client }));
      expectReused(await post(key, { ...fields, featured: true }, { client }));
    }
    goOn();
    const first = await reply;
    expectCarriedOut(first, 201);
    for (const { client } of [service, second]) {
      const repeated = await post(key, fields, { client });
      expect([repeated.status, repeated.text]).toEqual([201, first.text]);
      expect(repeated.headers['idempotent-replayed']).toBe('true');
    }
    expect(await totalOf(fields.title)).toBe(1);
  });

  test('5.5: the claim of a dead request expires after 10 seconds', async () => {
    const [key, fields] = [fresh(), pictured()];
    const { goOn, reply } = await hanging(key, fields);
    const { client } = second;
    second.setNow('2026-11-20T08:39:09Z');
    expectInUse(await post(key, fields, { client }));
    second.setNow('2026-11-20T08:39:10Z');
    const taken = await post(key, fields, { client });
    expectCarriedOut(taken, 201);
    const version = await dataVersion();

    // The first request was only slow. It has lost its claim, so that its transaction is rolled back.
    goOn();
    expectInUse(await reply);
    expect(await dataVersion()).toBe(version);
    expect(await totalOf(fields.title)).toBe(1);
    const repeated = await post(key, fields);
    expect([repeated.status, repeated.text, repeated.headers['idempotent-replayed']]).toEqual([
      201,
      taken.text,
      'true',
    ]);
  });

  test('5.5: a different request may use the key of a dead request', async () => {
    const [key, fields] = [fresh(), pictured()];
    const { goOn, reply } = await hanging(key, fields);
    second.setNow('2026-11-20T08:39:20Z');
    const title = fresh('Concert');
    expectCarriedOut(await post(key, { title }, { client: second.client }), 201);
    goOn();
    expectInUse(await reply);
    expect([await totalOf(fields.title), await totalOf(title)]).toEqual([0, 1]);
    expectReused(await post(key, fields));
  });

  test('5.5: a slow request stores its response if no other request took over its claim', async () => {
    const [key, fields] = [fresh(), pictured()];
    const { goOn, reply } = await hanging(key, fields);
    service.setNow('2026-11-20T08:49:00Z');
    goOn();
    const first = await reply;
    expectCarriedOut(first, 201);
    expectReplayed(await post(key, fields), first);
  });

  test.each([
    ['/events', () => ({ ...E, title: fresh('Race'), venue: { venue: 'Race' }, tags: ['Race'] }), 'title'],
    ['/venues', () => ({ venue: fresh('Race') }), 'venue'],
    ['/categories', () => ({ name: fresh('Race') }), 'name'],
  ])(
    '5.5: of 20 equal concurrent requests to %s one is carried out, the rest get its response or 409',
    async (path, make, name) => {
      for (let run = 0; run < 3; run += 1) {
        const [key, fields] = [fresh(), make() as Fields];
        const from = [service.client, second.client];
        const all = Array.from({ length: 20 }, (_, n) => send(key, 'POST', path, fields, { client: from[n % 2] }));
        const replies = await Promise.all(all);
        replies.filter(({ status }) => status !== 201).forEach(expectInUse);
        const made = replies.filter(({ status }) => status === 201);
        expect(made.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
        const ids = new Set(made.map(({ body }) => body.id as number));
        expect(ids.size).toBe(1);
        const search = encodeURIComponent(String(fields[name]));
        const list = await service.client.get(`${path}?search=${search}&hide_empty=no`, adm);
        const found = Object.values<Reply['body'][]>(list.body).filter(Array.isArray).flat();
        expect(found.filter((item: Reply['body']) => item[name] === fields[name])).toHaveLength(1);
      }
    },
  );

  test('5.5: of 10 different concurrent requests with one key, one is carried out', async () => {
    const [key, title] = [fresh(), fresh('Race')];
    const from = [service.client, second.client];
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => post(key, { title, excerpt: String(n) }, { client: from[n % 2] })),
    );
    expect(replies.map(({ status }) => status).filter((status) => ![409, 422].includes(status))).toEqual([201]);
    expect(await totalOf(title)).toBe(1);
  });

  test('5.5: concurrent requests with different keys all succeed', async () => {
    const title = fresh('Race');
    const from = [service.client, second.client];
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post(fresh(), { title }, { client: from[n % 2] })),
    );
    replies.forEach((reply) => expectCarriedOut(reply, 201));
    expect(await totalOf(title)).toBe(20);
  });
});

describe('expiry', () => {
  test('5.5: replays a response for 24 hours, then frees the key', async () => {
    const [key, title] = [fresh(), fresh('Concert')];
    const first = await post(key, { title });
    service.setNow('2026-11-21T08:38:59Z');
    expectReplayed(await post(key, { title }), first);
    expectReused(await post(key, { title, featured: true }));
    service.setNow('2026-11-21T08:39:00Z');
    const second = await post(key, { title });
    expectCarriedOut(second, 201);
    expect(second.body.id).not.toBe(first.body.id);
    expectReplayed(await post(key, { title }), second);
    expect(await totalOf(title)).toBe(2);
    service.setNow('2026-11-22T08:38:59Z');
    expectReplayed(await post(key, { title }), second);
  });

  test('later requests remove rows an hour after their expiry, at most 20 each', async () => {
    const other = await startApp();
    try {
      const { client, tokens } = other;
      const add = async () => {
        const name = fresh('Tag');
        expectCarriedOut(await send(fresh(), 'POST', '/tags', { name }, { client, token: tokens.adm }), 201);
        const stored = await other.app.get(Database).query(`SELECT key_hash FROM ${TABLES.idempotencyKeys}`);
        return stored.length;
      };
      for (let n = 1; n <= 25; n += 1) expect(await add()).toBe(n);
      other.setNow('2026-11-21T09:38:59Z');
      expect(await add()).toBe(26);
      other.setNow('2026-11-21T09:39:00Z');
      expect(await add()).toBe(7);
      expect(await add()).toBe(3);
      expect(await add()).toBe(4);
    } finally {
      await other.close();
    }
  });
});

describe('the documentation', () => {
  test('DOC-05: describes the header, its errors and replayed responses for writes only', async () => {
    const { body } = await service.client.get('/doc');
    const operations = Object.values<Reply['body']>(body.paths).flatMap((item: Reply['body']) =>
      Object.entries<Reply['body']>(item),
    );
    for (const [method, { parameters, responses }] of operations) {
      const header = parameters.find((parameter: Reply['body']) => parameter.name === 'Idempotency-Key');
      const success = responses[201] ?? responses[202] ?? responses[200];
      if (method === 'get') {
        expect([header, responses[409], responses[422]]).toEqual([undefined, undefined, undefined]);
        expect(success.headers?.['Idempotent-Replayed']).toBeUndefined();
      } else {
        expect(header).toMatchObject({ in: 'header', required: false, schema: { minLength: 1, maxLength: 255 } });
        expect(Object.keys(responses[409].content['application/json'].examples as object)).toContain(
          'rest_idempotency_key_in_use',
        );
        expect(Object.keys(responses[422].content['application/json'].examples as object)).toEqual([
          'rest_idempotency_key_reused',
        ]);
        expect(success.headers['Idempotent-Replayed']).toEqual(expect.any(Object));
      }
    }
  });
});
