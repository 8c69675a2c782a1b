import { join } from 'node:path';
import { Client } from '../support/client.js';
import { event } from '../support/factories.js';
import { freePort } from '../support/free-port.js';
import { emptyFolder, runCli, startServer } from '../support/process.js';
import { Receiver, TO_RECEIVERS } from '../support/receiver.js';
import { until } from '../support/until.js';

const TOKEN = 'operators-token-of-at-least-32-characters';
const STOP_SECONDS = 10;

let receiver: Receiver;
beforeEach(async () => {
  receiver = await Receiver.listen();
});
afterEach(() => receiver.close());

const settings = () => ({
  ...TO_RECEIVERS,
  DATABASE_URL: `sqlite:${join(emptyFolder(), 'kalends.sqlite')}`,
  KALENDS_ADMIN_TOKEN: TOKEN,
  SHUTDOWN_TIMEOUT: String(STOP_SECONDS),
  LOG_LEVEL: 'debug',
});

async function createHook(client: Client, fields: object = {}) {
  const reply = await client.post('/webhooks', { url: receiver.url, ...fields }, TOKEN);
  expect(reply.status).toBe(201);
  return reply.body as { id: number; secret: string };
}

test('HOOK-23: a server that stops does not wait for a slow receiver, and the message is due again', async () => {
  const env = settings();
  const first = await startServer(env);
  const client = new Client(first.port, '/calendar/events/v1');
  receiver.answer = () => undefined;
  await createHook(client);
  const { id } = await event(client, TOKEN);
  await receiver.wait(1, 60_000);
  const began = performance.now();
  expect(await first.stop()).toBe(0);
  expect(performance.now() - began).toBeLessThan((STOP_SECONDS + 5) * 1000);
  receiver.answer = (response) => void response.end();
  const second = await startServer(env);
  try {
    await receiver.wait(2, 60_000);
    expect(receiver.told).toEqual([`event.created ${id}`, `event.created ${id}`]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  } finally {
    await second.stop();
  }
});

test('HOOK-24: no line of the log, metric, export, response or error has a secret', async () => {
  const METRICS_PORT = String(await freePort());
  const env = { ...settings(), METRICS_PORT };
  const server = await startServer(env);
  const client = new Client(server.port, '/calendar/events/v1');
  const texts: string[] = [];
  const note = (reply: { body: unknown; headers: object }) => texts.push(JSON.stringify([reply.body, reply.headers]));
  try {
    receiver.answer = (response) => void response.writeHead(500).end('no');
    const { id, secret } = await createHook(client, { url: `${receiver.url}?key=hidden-in-the-query` });
    const { secret: rotated } = (await client.post(`/webhooks/${id}/rotate`, undefined, TOKEN)).body as {
      secret: string;
    };
    await event(client, TOKEN);
    await until(async () => {
      const { body } = await client.get(`/webhooks/${id}/messages`, TOKEN);
      return (body.messages as { attempts: unknown[] }[])[0]?.attempts.length === 1;
    }, 60_000);
    for (const path of ['/webhooks', `/webhooks/${id}`, `/webhooks/${id}/messages`, '/changes']) {
      note(await client.get(path, TOKEN));
    }
    note(await client.put(`/webhooks/${id}`, { secret, url: 'nonsense' }, TOKEN));
    note(await client.post(`/webhooks/${id}/rotate`, { types: secret }, 'a-wrong-token'));
    texts.push(await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text());
    const exported = await runCli(['export'], env);
    expect(exported).toMatchObject({ code: 0 });
    texts.push(exported.stdout, exported.stderr);
    await server.stop();
    texts.push(server.output.stdout, server.output.stderr);
    const found = texts.filter((text) => [secret, rotated].some((one) => text.includes(one.slice('whsec_'.length))));
    expect(found).toEqual([]);
    expect(server.output.stdout).toContain('webhook');
    expect(server.output.stdout).not.toContain('hidden-in-the-query');
    expect(texts.some((text) => text.includes('kalends_webhook_attempts_total'))).toBe(true);
  } finally {
    await server.stop();
  }
});
