import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from '../support/command.js';
import { event } from '../support/factories.js';
import { startBeside, startOwnApp, type TestApp } from '../support/app.js';
import { startLosable } from '../support/outage.js';
import { emptyFolder } from '../support/process.js';
import { Receiver, TO_RECEIVERS } from '../support/receiver.js';
import { until } from '../support/until.js';
import { Database } from '../../src/database/database.js';
import { TABLES } from '../../src/database/sql/tables.js';
import { WebhookDispatcher } from '../../src/webhooks/dispatch/dispatcher.js';
import { WebhookNetwork } from '../../src/webhooks/webhook.network.js';

let service: TestApp;
let receiver: Receiver;
beforeEach(async () => {
  receiver = await Receiver.listen();
  service = await startOwnApp(TO_RECEIVERS);
  service.app.get(WebhookDispatcher).start();
});
afterEach(async () => {
  await receiver.close();
  await service.close();
});

const adm = () => service.tokens.adm;
const hook = async (fields: object = {}) => {
  const { status, body } = await service.client.post('/webhooks', { url: receiver.url, ...fields }, adm());
  expect([status, body]).toEqual([201, expect.anything()]);
  return body as { id: number; secret: string };
};
const make = () => event(service.client, service.tokens.edi) as Promise<{ id: number }>;
const read = async (id: number) => (await service.client.get(`/webhooks/${id}`, adm())).body as Record<string, unknown>;
interface Message {
  readonly id: string;
  readonly state: string;
  readonly attempts: { readonly status: number; readonly error: string; readonly at_utc: string }[];
  readonly next_attempt_utc: string;
}
const messages = async (id: number, query = '') => {
  const { body } = await service.client.get(`/webhooks/${id}/messages${query}`, adm());
  return body.messages as Message[];
};
/** Waits until the newest message of a webhook has this state. */
const inState = (id: number, state: string, patience?: number) =>
  until(async () => (await messages(id))[0]?.state === state, patience);
const attempted = (id: number, count: number) =>
  until(async () => ((await messages(id))[0]?.attempts.length ?? 0) >= count, 30_000);
/** Moves the clock, which tells what is due. */
let now = Date.parse('2026-11-20T08:39:00Z');
beforeEach(() => (now = Date.parse('2026-11-20T08:39:00Z')));
const pass = (seconds: number) => service.setNow(new Date((now += seconds * 1000)).toISOString());

test('HOOK-08: a receiver that fails twice gets three attempts with the same id and body and new timestamps', async () => {
  const { id } = await hook();
  receiver.answer = (response) => void response.writeHead(receiver.received.length < 3 ? 500 : 200).end();
  await make();
  for (const [index, seconds] of [6, 331].entries()) {
    await attempted(id, index + 1);
    expect((await messages(id))[0]?.state).toBe('pending');
    pass(seconds);
  }
  await inState(id, 'delivered', 30_000);
  const sent = receiver.received;
  expect(sent).toHaveLength(3);
  expect(new Set(sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(sent.map(({ text }) => text)).size).toBe(1);
  expect(new Set(sent.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3);
  expect(new Set(sent.map(({ headers }) => headers['webhook-signature'])).size).toBe(3);
  const [message] = await messages(id);
  expect(message?.attempts.map(({ status, error }) => [status, error])).toEqual([
    [200, ''],
    [500, 'status'],
    [500, 'status'],
  ]);
  expect(await read(id)).toMatchObject({ pending: 0, failing_since_utc: '', last_success_utc: '2026-11-20 08:44:37' });
});

test('HOOK-09: a redirect is not followed, and an endless body is not read', async () => {
  const { id } = await hook();
  const elsewhere = await Receiver.listen();
  receiver.answer = (response) => void response.writeHead(301, { Location: elsewhere.url }).end();
  await make();
  await attempted(id, 1);
  receiver.answer = (response) => {
    const more = () => response.write('x'.repeat(65_536)) && setImmediate(more);
    response.on('drain', more).on('error', () => undefined);
    more();
  };
  pass(6);
  await attempted(id, 2);
  const [message] = await messages(id);
  expect(message?.attempts.map(({ status, error }) => [status, error])).toEqual([
    [200, 'too_large'],
    [301, 'redirect'],
  ]);
  expect(elsewhere.received).toEqual([]);
  await elsewhere.close();
});

test('HOOK-10: after 410 the webhook is gone and its messages are dropped; set active it works again', async () => {
  const { id } = await hook();
  receiver.answer = (response) => void response.writeHead(500).end();
  await make();
  await attempted(id, 1);
  receiver.answer = (response) => void response.writeHead(410).end();
  await make();
  await until(async () => (await read(id)).active === false, 20_000);
  expect(await read(id)).toMatchObject({ disabled_reason: 'gone', pending: 0 });
  expect((await messages(id)).map(({ state }) => state)).toEqual(['dropped', 'dropped']);
  receiver.answer = (response) => void response.end();
  await service.client.put(`/webhooks/${id}`, { active: true }, adm());
  await make();
  await inState(id, 'delivered', 20_000);
  expect(await read(id)).toMatchObject({ active: true, disabled_reason: '', failing_since_utc: '' });
});

test('HOOK-11: after 429 with Retry-After nothing is sent to the receiver until then; others get theirs', async () => {
  const other = await Receiver.listen();
  const { id } = await hook();
  const { id: second } = await hook({ url: other.url });
  receiver.answer = (response) => void response.writeHead(429, { 'Retry-After': '7' }).end();
  await make();
  await attempted(id, 1);
  receiver.answer = (response) => void response.end();
  pass(6);
  await make();
  await until(async () => (await messages(second)).filter(({ state }) => state === 'delivered').length === 2, 20_000);
  expect(receiver.received).toHaveLength(1);
  expect((await messages(id)).map(({ state }) => state)).toEqual(['pending', 'pending']);
  pass(2);
  await until(async () => (await messages(id)).every(({ state }) => state === 'delivered'), 20_000);
  await other.close();
});

test('HOOK-12: after ten attempts a message has failed; after five days the webhook is disabled until it is resumed', async () => {
  const { id } = await hook();
  receiver.answer = (response) => void response.writeHead(500).end();
  await make();
  for (const [index, step] of [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].entries()) {
    await attempted(id, index + 1);
    pass(step * 1.1 + 2);
  }
  await inState(id, 'failed', 20_000);
  expect(receiver.received).toHaveLength(10);
  expect(await read(id)).toMatchObject({ active: true, failing_since_utc: '2026-11-20 08:39:00' });
  pass(3 * 86_400);
  for (let n = 0; n < 10; n += 1) await make();
  await until(async () => (await read(id)).active === false, 30_000);
  expect(await read(id)).toMatchObject({ disabled_reason: 'failing' });
  receiver.answer = (response) => void response.end();
  const { id: before } = await make();
  await service.client.put(`/webhooks/${id}`, { active: true }, adm());
  await until(() => receiver.told.includes(`event.created ${before}`), 20_000);
  await until(async () => (await read(id)).failing_since_utc === '', 20_000);
});

test('HOOK-14: a resent message and the messages of a replay have the same ids', async () => {
  const { id } = await hook();
  await make();
  // Messages that wait together come in any order.
  await receiver.wait(1);
  pass(60);
  const { id: second } = await make();
  await receiver.wait(2);
  await service.client.put(`/events/${second}`, { title: 'New' }, service.tokens.edi);
  await receiver.wait(3);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  await until(async () => (await messages(id)).every(({ state }) => state === 'delivered'));
  const resent = await service.client.post(`/webhooks/${id}/messages/${String(ids[0])}/resend`, undefined, adm());
  expect([resent.status, resent.body.id, resent.body.state]).toEqual([202, ids[0], 'pending']);
  await receiver.wait(4);
  const replay = (body: object) => service.client.post(`/webhooks/${id}/replay`, body, adm());
  const replayed = await replay({ from: '2026-11-20 08:39:30', to: '2026-11-20 08:41:00' });
  expect([replayed.status, replayed.body]).toEqual([202, { queued: 2 }]);
  await receiver.wait(6);
  const further = receiver.received.slice(3).map(({ headers }) => headers['webhook-id']);
  expect([further[0], further.slice(1).sort()]).toEqual([ids[0], ids.slice(1).sort()]);
  expect((await replay({})).status).toBe(400);
  expect((await replay({ from: '2026-11-20 09:00', to: '2026-11-20 08:00' })).status).toBe(400);
  expect((await service.client.post(`/webhooks/${id}/messages/msg_1/resend`, undefined, adm())).status).toBe(404);
});

test('HOOK-15: a webhook that begins with the token of a first fill misses no change since then', async () => {
  await make();
  const { body } = await service.client.get('/changes');
  const made = [await make(), await make()];
  await hook({ from: body.next_since });
  await receiver.wait(2);
  expect(receiver.told.sort()).toEqual(made.map(({ id }) => `event.created ${id}`).sort());
  const refused = await service.client.post('/webhooks', { url: receiver.url, from: 'foo' }, adm());
  expect([refused.status, Object.keys(refused.body.data.params as object)]).toEqual([400, ['from']]);
});

test('HOOK-16: what was rolled back has no message', async () => {
  const { id } = await make();
  await hook();
  const refused = await service.client.send(`/events/${id}`, {
    method: 'PUT',
    token: service.tokens.edi,
    body: { title: 'New' },
    headers: { 'If-Match': '"99-x"' },
  });
  expect(refused.status).toBe(412);
  const { id: next } = await make();
  await receiver.wait(1);
  expect(receiver.told).toEqual([`event.created ${next}`]);
});

test('HOOK-16: half of a transaction, and a refused line of an import, have no message', async () => {
  const { id } = await make();
  await hook();
  const half = service.app.get(Database).inTransaction(async (tx) => {
    await tx.update(TABLES.events, id, { title: 'Half' });
    tx.recordChange('event.updated', id, 1);
    throw new Error('the other half fails');
  });
  await expect(half).rejects.toThrow('the other half fails');
  const file = join(emptyFolder(), 'lines.jsonl');
  const line = { title: 'Imported', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };
  writeFileSync(file, [line, { ...line, end_date: '2026-03-10' }].map((one) => JSON.stringify(one)).join('\n'));
  const { code } = await runCommand(['import', file], { DATABASE_URL: service.databaseUrl, LOG_LEVEL: 'warn' });
  expect(code).not.toBe(0);
  // The command has the time of the machine.
  service.setNow(new Date(Date.now() + 60_000).toISOString());
  const [{ id: imported }] = (await service.client.get('/events?search=Imported&start_date=2027-01-01')).body
    .events as [{ id: number }];
  const { id: next } = await make();
  await receiver.wait(2);
  expect(receiver.told.toSorted()).toEqual([`event.created ${imported}`, `event.created ${next}`].toSorted());
});

test('HOOK-17: two instances send each message once', async () => {
  const beside = await startBeside(service, TO_RECEIVERS);
  beside.app.get(WebhookDispatcher).start();
  const { id } = await hook();
  const made: number[] = [];
  for (let n = 0; n < 40; n += 1) made.push((await make()).id);
  await receiver.wait(40);
  await until(async () => (await read(id)).pending === 0, 20_000);
  expect(receiver.told.sort()).toEqual(made.map((event) => `event.created ${event}`).sort());
  await beside.close();
});

test('HOOK-19: a name whose address changes to this machine gets nothing', async () => {
  const own = await startOwnApp({ WEBHOOK_HTTP: 'on' });
  const network = own.app.get(WebhookNetwork);
  network.resolve = () => Promise.resolve(['8.8.8.8', '127.0.0.1']);
  own.app.get(WebhookDispatcher).start();
  const url = `http://receiver.example:${receiver.port}/`;
  const { body } = await own.client.post('/webhooks', { url }, own.tokens.adm);
  await event(own.client, own.tokens.edi);
  const path = `/webhooks/${body.id}/messages`;
  const attempts = async () => (await own.client.get(path, own.tokens.adm)).body.messages as Message[];
  await until(async () => ((await attempts())[0]?.attempts.length ?? 0) > 0, 20_000);
  expect((await attempts())[0]?.attempts[0]).toMatchObject({ status: 0, error: 'forbidden_address' });
  expect(receiver.connections).toBe(0);
  await own.close();
});

test('HOOK-20: messages of a deleted webhook are not sent', async () => {
  const { id } = await hook();
  receiver.answer = (response) => void response.writeHead(500).end();
  await make();
  await attempted(id, 1);
  expect((await service.client.delete(`/webhooks/${id}`, adm())).body).toMatchObject({
    deleted: true,
    previous: { id },
  });
  pass(600);
  const { id: second } = await hook();
  await make();
  await receiver.wait(2);
  await attempted(second, 1);
  expect(receiver.received.map(({ headers }) => String(headers['webhook-id']).split('_')[2])).toEqual([
    `${id}`,
    `${second}`,
  ]);
});

test('HOOK-22: a database that is away for ten seconds stops no process, and messages go on afterwards', async () => {
  const losable = await startLosable(TO_RECEIVERS);
  onTestFinished(() => losable.close());
  const { client, tokens, app } = losable.service;
  app.get(WebhookDispatcher).start();
  expect((await client.post('/webhooks', { url: receiver.url }, tokens.adm)).status).toBe(201);
  await losable.lose();
  const before = process.cpuUsage();
  const refused = event(client, tokens.edi).then(
    () => 'written',
    () => 'refused',
  );
  await sleep(10_000);
  const { user, system } = process.cpuUsage(before);
  expect(await refused).toBe('refused');
  await losable.restore();
  const body = { title: 'Afterwards', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };
  let id: unknown;
  await until(async () => ({ id } = (await client.post('/events', body, tokens.edi)).body).id !== undefined, 60_000);
  await receiver.wait(1, 60_000);
  expect(receiver.told).toEqual([`event.created ${String(id)}`]);
  // Half of the time is far more than one look a second takes, and far less than a loop without pause.
  expect((user + system) / 10_000_000).toBeLessThan(0.5);
});
