import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { startOwnApp, type TestApp } from '../support/app.js';
import { event } from '../support/factories.js';
import { Receiver, TO_RECEIVERS } from '../support/receiver.js';
import { until } from '../support/until.js';
import { WebhookDispatcher } from '../../src/webhooks/dispatch/dispatcher.js';
import { WebhookNetwork } from '../../src/webhooks/webhook.network.js';

/** Connections to receivers, which no engine decides. */
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

interface Message {
  readonly state: string;
  readonly attempts: { readonly error: string }[];
}
const adm = () => service.tokens.adm;
const hook = async (url = receiver.url) => {
  const { status, body } = await service.client.post('/webhooks', { url }, adm());
  expect([status, body]).toEqual([201, expect.anything()]);
  return body as { id: number };
};
const make = () => event(service.client, service.tokens.edi);
const messages = async (id: number) =>
  (await service.client.get(`/webhooks/${id}/messages`, adm())).body.messages as Message[];
const attempted = (id: number) => until(async () => ((await messages(id))[0]?.attempts.length ?? 0) > 0, 30_000);

test('HOOK-09: resets, bad TLS and a hanging receiver fail by their names', async () => {
  const resetting = createServer((socket) =>
    socket.on('error', () => undefined).once('data', () => socket.resetAndDestroy()),
  );
  await new Promise<void>((resolve) => resetting.listen(0, '127.0.0.1', resolve));
  const { port } = resetting.address() as { port: number };
  receiver.answer = () => undefined;
  const reset = await hook(`http://127.0.0.1:${port}/`);
  const tls = await hook(`https://127.0.0.1:${receiver.port}/`);
  const hanging = await hook();
  const closed = await hook('http://127.0.0.1:1024/');
  await make();
  for (const { id } of [reset, tls, hanging, closed]) await attempted(id);
  const errors = await Promise.all(
    [reset, tls, hanging, closed].map(async ({ id }) => (await messages(id))[0]?.attempts[0]),
  );
  expect(errors.map((attempt) => attempt?.error)).toEqual(['connect', 'tls', 'timeout', 'connect']);
  await new Promise((resolve) => resetting.close(resolve));
});

test('WEBHOOK_PROXY: messages go through the proxy, to the address that was checked', async () => {
  const asked: string[] = [];
  const proxy = createHttpServer().on('connect', ({ url = '' }, client: Duplex) => {
    asked.push(url);
    const target = connect(receiver.port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    for (const end of [client, target]) end.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as { port: number };
  const own = await startOwnApp({ ...TO_RECEIVERS, WEBHOOK_PROXY: `http://127.0.0.1:${port}` });
  const addresses: Record<string, string[]> = { 'good.example': ['127.0.0.9'], 'bad.example': ['10.1.1.1'] };
  own.app.get(WebhookNetwork).resolve = (host) => Promise.resolve(addresses[host]!);
  own.app.get(WebhookDispatcher).start();
  for (const host of Object.keys(addresses)) {
    expect((await own.client.post('/webhooks', { url: `http://${host}:8080/hooks` }, own.tokens.adm)).status).toBe(201);
  }
  const { id } = await event(own.client, own.tokens.edi);
  await receiver.wait(1);
  expect(receiver.told).toEqual([`event.created ${id}`]);
  expect(receiver.received[0]?.headers.host).toBe('good.example:8080');
  const refused = async () => (await own.client.get('/webhooks/2/messages', own.tokens.adm)).body.messages as Message[];
  await until(async () => (await refused())[0]?.attempts[0]?.error === 'forbidden_address', 20_000);
  expect(asked).toEqual(['127.0.0.9:8080']);
  await own.close();
  await new Promise((resolve) => proxy.close(resolve));
});

test('messages to one receiver share connections; one that the receiver has closed is replaced', async () => {
  const { id } = await hook();
  for (let n = 1; n <= 3; n += 1) {
    await make();
    await receiver.wait(n);
    await until(async () => (await messages(id)).every(({ state }) => state === 'delivered'));
  }
  expect(receiver.accepted).toBe(1);
  receiver.disconnect();
  await make();
  await receiver.wait(4);
  await until(async () => (await messages(id)).every(({ state }) => state === 'delivered'));
  expect((await messages(id)).map(({ attempts }) => attempts.length)).toEqual([1, 1, 1, 1]);
  expect(receiver.accepted).toBe(2);
});
