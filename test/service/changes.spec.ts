import { request } from 'node:http';
import { join } from 'node:path';
import { restore } from '../../src/database/sqlite-backup.js';
import { Metrics } from '../../src/platform/observability/metrics.js';
import { startApp, startOwnApp, type TestApp } from '../support/app.js';
import { Copy, type ToldChange } from '../support/changes.js';
import { Client } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { useApp } from '../support/events.js';
import { category, event } from '../support/factories.js';
import { emptyFolder, metricsPortOf, startServer } from '../support/process.js';
import { expectInvalid } from '../support/refusals.js';
import { until } from '../support/until.js';

const app = useApp();
const get = (query: string, token?: string) => app().client.get(`/changes${query}`, token);
const tokenOf = async (query: string, token?: string) => (await get(query, token)).body.next_since as string;

test('CHG-13: wrong parameters are refused, all of them at once', async () => {
  for (const types of ['foo', '', 'event,foo']) expectInvalid(await get(`?types=${types}`), 'types');
  expectInvalid(await get('?since=now&wait=56&per_page=0'), 'per_page', 'wait');
  expectInvalid(await get('?wait=1'), 'wait');
  expectInvalid(await get('?since=now&records=maybe'), 'records');
  expect((await get('?wait=0')).status).toBe(200);
  expect((await app().client.post('/changes', {}, app().tokens.adm)).status).toBe(405);
  expect((await get('', 'wrong-token')).status).toBe(401);
});

test('CHG-15: a token is of filters, types and rights, not of a language', async () => {
  const { client, tokens } = app();
  await category(client, tokens.adm, { name: 'Filtered' });
  const expectDifferent = async (query: string, token?: string) =>
    expect((await get(query, token)).body).toMatchObject({
      code: 'changes-token-expired',
      data: { status: 410, reason: 'different' },
    });
  const anon = await tokenOf('?since=now');
  for (const query of ['categories=filtered', 'types=event', 'featured=true']) {
    await expectDifferent(`?since=${anon}&${query}`);
    const own = await tokenOf(`?since=now&${query}`);
    expect((await get(`?since=${own}&${query}&per_page=3&records=false&_fields=changes`)).status).toBe(200);
    await expectDifferent(`?since=${own}`);
  }
  await expectDifferent(`?since=${anon}`, tokens.edi);
  await expectDifferent(`?since=${await tokenOf('?since=now', tokens.con)}`, tokens.aut);
  // Subscribers have the rights of anonymous readers, and administrators those of editors.
  expect((await get(`?since=${anon}`, tokens.sub)).status).toBe(200);
  expect((await get(`?since=${await tokenOf('?since=now', tokens.edi)}`, tokens.adm)).status).toBe(200);
  const german = await client.raw(`/de/calendar/events/v1/changes?since=${anon}`);
  expect(german.status).toBe(200);
  const mounted = await client.raw(`/wp-json/tribe/events/v1/changes?since=${anon}`);
  expect(mounted.status).toBe(200);
});

test('CHG-16: what is no token is refused', async () => {
  const token = await tokenOf('?since=now');
  expect(token).toMatch(/^[\x21-\x7e]{1,200}$/);
  for (const since of ['foo', '', 'x'.repeat(201), token.slice(0, -1), token.slice(1), `${token}0`]) {
    expectInvalid(await get(`?since=${since}`), 'since');
  }
});

test('CHG-18: a restored database expires the tokens of what was there before', async () => {
  const folder = emptyFolder();
  const url = `sqlite:${join(folder, 'kalends.sqlite')}`;
  const settings = { DATABASE_URL: url, KALENDS_ADMIN_TOKEN: 'operators-token-of-at-least-32-characters' };
  const copyFile = join(folder, 'copy.sqlite');
  const server = await startServer(settings, folder);
  const client = new Client(server.port, '/calendar/events/v1');
  const before = (await client.get('/changes?since=now')).body.next_since as string;
  expect((await runCommand(['backup', copyFile], settings, folder)).code).toBe(0);
  for (let n = 0; n < 10; n += 1) await event(client, settings.KALENDS_ADMIN_TOKEN);
  const after = (await client.get(`/changes?since=${before}&per_page=5`)).body.next_since as string;
  await server.stop();
  await restore(url, copyFile, { force: true });
  const restored = await startServer(settings, folder);
  const back = new Client(restored.port, '/calendar/events/v1');
  for (const token of [before, after]) {
    expect((await back.get(`/changes?since=${token}`)).body.data).toEqual({ status: 410, reason: 'restored' });
  }
  await restored.stop();
});

test('CHG-21: _fields selects in the changes and in their records, or in the envelope', async () => {
  const { client, tokens } = app();
  const since = await tokenOf('?since=now');
  const { id } = await event(client, tokens.edi, { title: 'Selected' });
  const { id: gone } = await event(client, tokens.edi);
  await client.delete(`/events/${gone}`, tokens.edi);
  const { body } = await get(`?since=${since}&_fields=type,id,deleted,record.title`);
  expect(Object.keys(body as object)).toEqual(['changes', 'rest_url', 'next_since', 'has_more']);
  expect(body.changes).toEqual([
    { type: 'event', id, deleted: false, record: { title: 'Selected' } },
    { type: 'event', id: gone, deleted: true },
  ]);
  expect(body.rest_url).toContain('_fields=type%2Cid%2Cdeleted%2Crecord.title');
  const alone = await get(`?since=${since}&_fields=next_since`);
  expect(Object.keys(alone.body as object)).toEqual(['next_since']);
});

test('CHG-22: records=false leaves the records out, and nothing else', async () => {
  const { client, tokens } = app();
  const since = await tokenOf('?since=now');
  await event(client, tokens.edi);
  const whole = (await get(`?since=${since}`)).body.changes as ToldChange[];
  const bare = (await get(`?since=${since}&records=false`)).body.changes as ToldChange[];
  expect(whole.map(({ record: _, ...change }) => change)).toEqual(bare);
  const filled = (await get('?records=false')).body.changes as ToldChange[];
  expect(filled.some((change) => 'record' in change)).toBe(false);
});

test('CHG-23: without a change the ETag stays, and a revalidation is 304', async () => {
  const { client, tokens } = app();
  const since = await tokenOf('?since=now');
  const first = await get(`?since=${since}`);
  expect(first.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
  const revalidate = () =>
    client.send(`/changes?since=${since}`, { headers: { 'If-None-Match': first.headers.etag ?? '' } });
  expect((await revalidate()).status).toBe(304);
  await event(client, tokens.edi, { status: 'draft' });
  expect((await revalidate()).status).toBe(304);
  await event(client, tokens.edi);
  expect((await revalidate()).status).toBe(200);
  expect((await get('?since=now', tokens.edi)).headers['cache-control']).toBe('private, no-store');
});

test('CHG-28: the index lists the changes behind the routes of before, and the document describes them', async () => {
  const { client } = app();
  const routes = Object.keys((await client.get('')).body.routes as object);
  expect(routes.indexOf('/calendar/events/v1/changes')).toBeGreaterThan(
    routes.findIndex((route) => route.includes('/tags/')),
  );
  const { get: operation } = (await client.get('/doc')).body.paths['/changes'];
  expect(operation.operationId).toBe('listChanges');
  expect(Object.keys(operation.responses['410'].content['application/json'].examples as object)).toEqual([
    'changes-token-expired',
  ]);
  const { example } = operation.responses['200'].content['application/json'];
  expect(Object.keys(example as object)).toEqual(['changes', 'rest_url', 'next_rest_url', 'next_since', 'has_more']);
  expect(example.changes[0]).toMatchObject({ type: 'event', deleted: false, record: { title: expect.any(String) } });
});

describe('CHG-20: waiting requests', () => {
  let service: TestApp;
  afterEach(() => service.close());

  /** Sends a request that waits, and returns the headers of its answer. */
  function wait(since: string): Promise<NodeJS.Dict<string | string[]>> {
    const { port, mount } = service.client;
    const path = `${mount}/changes?since=${since}&wait=50`;
    return new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path, agent: false }, (reply) => {
        reply.resume().on('end', () => resolve(reply.headers));
      });
      sent.on('error', reject).end();
    });
  }

  /** Waits until so many requests wait. Not by requests that wait themselves, which might come before the others. */
  const areWaiting = (count: number, metricsPort: number | undefined) =>
    until(async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return metrics.includes(`\nkalends_changes_waiting ${count}\n`);
    });

  test('beyond CHANGES_WAITERS a request is answered at once and told when to come again', async () => {
    service = await startOwnApp({ CHANGES_WAITERS: '1', METRICS_PORT: '0', HOST: '127.0.0.1' });
    const copy = new Copy(service.client);
    await copy.follow();
    const first = wait(copy.since!);
    await areWaiting(1, await service.app.get(Metrics).listen());
    expect((await copy.step('&wait=1')).headers['retry-after']).toBe('5');
    await event(service.client, service.tokens.edi);
    expect((await first)['retry-after']).toBeUndefined();
  });

  test('with CHANGES_WAITERS=0 no request waits', async () => {
    service = await startOwnApp({ CHANGES_WAITERS: '0' });
    const copy = new Copy(service.client);
    await copy.follow();
    expect((await copy.step('&wait=50')).headers['retry-after']).toBe('5');
  });

  test('one client has 20 of them at most', async () => {
    service = await startApp();
    const copy = new Copy(service.client);
    await copy.follow();
    const waiting = Array.from({ length: 21 }, () => wait(copy.since!));
    expect((await Promise.race(waiting))['retry-after']).toBe('5');
    await event(service.client, service.tokens.edi);
    const answers = await Promise.all(waiting);
    expect(answers.filter((headers) => headers['retry-after'] !== undefined)).toHaveLength(1);
  });

  test('a stopping service answers all of them, and cuts none', async () => {
    service = await startApp();
    const server = await startServer({ DATABASE_URL: service.databaseUrl, CHANGES_WAITERS: '5', METRICS_PORT: '0' });
    const client = new Client(server.port, '/calendar/events/v1');
    const since = (await client.get('/changes?since=now')).body.next_since as string;
    const waiting = Array.from({ length: 5 }, () => client.get(`/changes?since=${since}&wait=50`));
    await areWaiting(5, metricsPortOf(server));
    void server.stop();
    for (const { status, headers } of await Promise.all(waiting)) {
      expect([status, headers['retry-after']]).toEqual([200, '5']);
    }
    expect(await server.ended).toBe(0);
  });
});
