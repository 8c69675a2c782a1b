import { createHmac } from 'node:crypto';
import { startOwnApp, type TestApp } from '../support/app.js';
import { event, makersOf } from '../support/factories.js';
import { Receiver, TO_RECEIVERS } from '../support/receiver.js';
import { runCommand } from '../support/command.js';
import { until } from '../support/until.js';
import { Metrics } from '../../src/platform/observability/metrics.js';
import { ScheduledPublisher } from '../../src/events/write/scheduled-publisher.js';
import { WebhookDispatcher } from '../../src/webhooks/dispatch/dispatcher.js';

let service: TestApp;
let receiver: Receiver;
beforeEach(async () => {
  receiver = await Receiver.listen();
  service = await startOwnApp({ ...TO_RECEIVERS, PUBLIC_URL: 'https://example.com' });
  service.app.get(WebhookDispatcher).start();
});
afterEach(async () => {
  await receiver.close();
  await service.close();
});

const hook = async (fields: object = {}) => {
  const reply = await service.client.post('/webhooks', { url: receiver.url, ...fields }, service.tokens.adm);
  expect(reply.status).toBe(201);
  return reply.body as { id: number; secret: string };
};
const put = (path: string, body: object) => service.client.put(path, body, service.tokens.edi);
const remove = (path: string) => service.client.delete(path, service.tokens.edi);
const make = makersOf(() => service);

test('HOOK-04: a created event is one message, with the headers and the body of webhooks section 2', async () => {
  await hook();
  const { id } = await make.event();
  const [message] = await receiver.wait(1);
  expect(message?.text).toMatch(
    new RegExp(
      `^{"type":"event.created","timestamp":"2026-11-20T08:39:00Z","data":{"type":"event","id":${id},` +
        `"rest_url":"https://example.com/calendar/events/v1/events/${id}","position":\\d+}}$`,
    ),
  );
  expect(message?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^Kalends\/\d/) as string,
    'webhook-id': expect.stringMatching(/^msg_[\da-f]{8}_1_\d+$/) as string,
    'webhook-timestamp': '1795163940',
    'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/) as string,
  });
});

test('HOOK-05: to the public a record is created, updated, and deleted when it is not listed any more', async () => {
  await hook();
  const { id } = await make.event({ status: 'draft' });
  await put(`/events/${id}`, { title: 'Still a draft' });
  const steps: [object, string][] = [
    [{ status: 'publish' }, 'event.created'],
    [{ title: 'New' }, 'event.updated'],
    [{ status: 'draft' }, 'event.deleted'],
    [{ status: 'publish' }, 'event.created'],
    [{ hide_from_listings: true }, 'event.deleted'],
    [{ hide_from_listings: false }, 'event.created'],
  ];
  for (const [index, [change]] of steps.entries()) {
    await put(`/events/${id}`, change);
    await receiver.wait(index + 1);
  }
  await remove(`/events/${id}`);
  await receiver.wait(steps.length + 1);
  const types = [...steps.map(([, type]) => type), 'event.deleted'];
  expect(receiver.told).toEqual(types.map((type) => `${type} ${id}`));
  const positions = receiver.received.map(({ body }) => body.data.position);
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
});

describe.each(['venue', 'organizer', 'category', 'tag'] as const)('HOOK-05: %s', (type) => {
  test('is created, updated and deleted', async () => {
    await hook({ types: [`${type}.*`] });
    const { id } = await make[type]();
    await receiver.wait(1);
    const path = `/${type === 'category' ? 'categories' : `${type}s`}/${id}`;
    await put(path, { description: 'New' });
    await receiver.wait(2);
    await remove(path);
    await receiver.wait(3);
    expect(receiver.told).toEqual(['created', 'updated', 'deleted'].map((verb) => `${type}.${verb} ${id}`));
  });
});

test('HOOK-06: the audience all gets the changes as the change record has them, of drafts as well', async () => {
  await hook({ audience: 'all', types: ['event.*'] });
  const { id } = await make.event({ status: 'draft' });
  await put(`/events/${id}`, { title: 'New' });
  await remove(`/events/${id}`);
  await put(`/events/${id}`, { status: 'draft' });
  await remove(`/events/${id}?force=true`);
  const scheduled = await make.event({ date: '2026-11-20 09:00:00' });
  await receiver.wait(6);
  // A lease would end with the jump of the clock, and its message would come twice.
  await until(async () => (await service.client.get('/webhooks/1', service.tokens.adm)).body.pending === 0);
  service.setNow('2026-11-20T09:00:30Z');
  await service.app.get(ScheduledPublisher).publishDue();
  await receiver.wait(7);
  expect(receiver.told.sort()).toEqual(
    [
      ...['created', 'updated', 'trashed', 'restored', 'deleted'].map((verb) => `event.${verb} ${id}`),
      ...['created', 'published'].map((verb) => `event.${verb} ${scheduled.id}`),
    ].sort(),
  );
});

test('HOOK-07: payload record carries what the list of the audience shows when the message is sent', async () => {
  await hook({ payload: 'record', types: ['event.*'] });
  const hall = await make.venue({ status: 'draft', venue: 'Secret hall' });
  const { id } = await make.event({ description: 'Long live jazz', venue: hall.id });
  const { id: closed } = await make.event({ description: 'Not for all', status: 'draft' });
  await put(`/events/${closed}`, { password: 'guess' });
  await put(`/events/${closed}`, { status: 'publish' });
  await receiver.wait(2);
  for (const { body } of receiver.received) {
    const listed = (await service.client.get(`/events?include=${body.data.id}`)).body.events as object[];
    const text = (value: unknown) =>
      JSON.stringify(value).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://example.com');
    expect(text(body.data.record)).toBe(text(listed[0]));
  }
  const texts = receiver.received.map(({ text }) => text).join();
  expect(texts).toContain('Long live jazz');
  expect(texts).not.toMatch(/Not for all|Secret hall/);
  await remove(`/events/${id}`);
  await receiver.wait(3);
  expect(receiver.received[2]?.body.data).not.toHaveProperty('record');
  await put(`/events/${closed}`, { password: '', description: 'x'.repeat(200_000) });
  await receiver.wait(4);
  expect(receiver.received[3]?.body.data.record).toMatchObject({ id: closed });
  expect((await put(`/events/${closed}`, { excerpt: 'x'.repeat(100_000) })).status).toBe(200);
  await receiver.wait(5);
  expect(receiver.received[4]?.body.data).toMatchObject({ id: closed, record_omitted: true });
  expect(receiver.received[4]?.body.data).not.toHaveProperty('record');
});

test('HOOK-13: for 24 hours after a rotation messages have two signatures, the new one first, then one', async () => {
  const { id, secret } = await hook();
  const rotated = await service.client.post(`/webhooks/${id}/rotate`, undefined, service.tokens.adm);
  const secrets = [rotated.body.secret as string, secret];
  expect(rotated.status).toBe(200);
  await make.event();
  await receiver.wait(1);
  service.setNow('2026-11-21T08:39:01Z');
  await make.event();
  await receiver.wait(2);
  const signed = receiver.received.map(({ headers, text }) => {
    const signedText = `${headers['webhook-id'] as string}.${headers['webhook-timestamp'] as string}.${text}`;
    return secrets.map((one) => {
      const key = Buffer.from(one.slice('whsec_'.length), 'base64');
      return `v1,${createHmac('sha256', key).update(signedText).digest('base64')}`;
    });
  });
  expect(receiver.received.map(({ headers }) => headers['webhook-signature'])).toEqual([
    signed[0]!.join(' '),
    signed[1]![0],
  ]);
});

test('HOOK-24: a secret is in no metric, export or error, and failures are counted', async () => {
  const own = await startOwnApp({ ...TO_RECEIVERS, METRICS_PORT: '0', HOST: '127.0.0.1' });
  const port = await own.app.get(Metrics).listen();
  own.app.get(WebhookDispatcher).start();
  receiver.answer = (response) => void response.writeHead(500).end();
  const { body } = await own.client.post('/webhooks', { url: `${receiver.url}?key=abc` }, own.tokens.adm);
  await event(own.client, own.tokens.edi);
  const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  await until(async () => /attempts_total\{outcome="status"\} 1/.test(await metrics()), 20_000);
  const refused = await own.client.put(`/webhooks/${body.id}`, { url: 'x' }, own.tokens.adm);
  const { stdout } = await runCommand(['export'], { DATABASE_URL: own.databaseUrl });
  expect(stdout).toContain('"title"');
  for (const text of [await metrics(), refused.text, stdout]) {
    expect(text).not.toContain(String(body.secret).slice('whsec_'.length));
    expect(text).not.toContain('key=abc');
  }
  expect(await metrics()).toMatch(/kalends_webhook_pending \d/);
  await own.close();
});
