import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { Client } from '../support/client.js';
import { event } from '../support/factories.js';
import { freePort } from '../support/free-port.js';
import { guarded } from '../support/guard.js';
import { blocksOf, pages } from '../support/pages.js';
import { startServer } from '../support/process.js';
import { type Received, Receiver, TO_RECEIVERS } from '../support/receiver.js';
import { until } from '../support/until.js';

/** The receivers of docs/webhooks.md, with the command that starts each. */
const RECEIVERS = {
  'receiver.mjs': (file: string) => [process.execPath, file],
  'receiver.py': (file: string) => ['python3', file],
  'receiver.php': (file: string, port: number) => ['php', '-S', `127.0.0.1:${port}`, file],
};
const TOKEN = 'operators-token-of-at-least-32-characters';
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

let server: Awaited<ReturnType<typeof startServer>>;
let client: Client;
beforeAll(async () => {
  server = await startServer({ ...TO_RECEIVERS, KALENDS_ADMIN_TOKEN: TOKEN });
  client = new Client(server.port, '/calendar/events/v1');
});
afterAll(() => server.stop());

// The test command needs Node.js alone; `.ci/run` installs the other two.
const present = Object.entries(RECEIVERS).filter(([, commandOf]) => isInstalled(commandOf('', 0)[0] as string));

describe.each(present)('%s', (name, commandOf) => {
  test('prints what has changed, and rejects what another secret has signed', async () => {
    const [good, wrong] = [await freePort(), await freePort()];
    const created = await Promise.all([good, wrong].map(createHook));
    const output = await Promise.all([
      start(commandOf(resolve('examples/receivers', name), good), good, created[0]!.secret),
      start(commandOf(resolve('examples/receivers', name), wrong), wrong, OTHER_SECRET),
    ]);
    for (const { id } of created)
      expect((await client.post(`/webhooks/${id}/test`, undefined, TOKEN)).status).toBe(202);
    const { id } = await event(client, TOKEN);
    await until(
      () => output[0].text.includes(`event.created ${id}`) && output[0].text.includes('webhook.test'),
      60_000,
    );
    const failed = `/webhooks/${created[1]!.id}/messages?type=webhook.test`;
    const attempts = async () =>
      ((await client.get(failed, TOKEN)).body.messages as { attempts: { status: number }[] }[]).flatMap(
        (message) => message.attempts,
      );
    await until(async () => (await attempts()).length > 0, 60_000);
    expect((await attempts())[0]).toMatchObject({ status: 401, error: 'status' });
    expect(output[1].text).not.toMatch(/webhook\.test|event\.created/);
    for (const hook of created) await client.delete(`/webhooks/${hook.id}`, TOKEN);
  });
});

test('HOOK-04, HOOK-13: a verifier of others accepts messages, with both secrets after a rotation, and no changed byte', async () => {
  const receiver = await Receiver.listen();
  onTestFinished(() => receiver.close());
  const { id, secret } = await createHook(receiver.port);
  await client.post(`/webhooks/${id}/test`, undefined, TOKEN);
  await receiver.wait(1, 60_000);
  const rotated = await client.post(`/webhooks/${id}/rotate`, undefined, TOKEN);
  const { secret: newSecret } = rotated.body as { secret: string };
  await client.post(`/webhooks/${id}/test`, undefined, TOKEN);
  const [before, after] = await receiver.wait(2, 60_000);
  await client.delete(`/webhooks/${id}`, TOKEN);
  const verified = (key: string, { text, headers }: Received) =>
    new Webhook(key).verify(text, headers as Record<string, string>);
  expect(verified(secret, before!)).toEqual(before!.body);
  expect(verified(secret, after!)).toEqual(after!.body);
  expect(verified(newSecret, after!)).toEqual(after!.body);
  expect(() => verified(newSecret, before!)).toThrow('No matching signature');
  expect(() => verified(newSecret, { ...after!, text: after!.text.replace('{', '{ ') })).toThrow(
    'No matching signature',
  );
});

test('docs/webhooks.md shows the checks of the receivers', () => {
  const shown = blocksOf(pages().get('docs/webhooks.md') ?? '').filter(({ language }) =>
    ['js', 'python', 'php'].includes(language),
  );
  const programs = Object.keys(RECEIVERS).map((name) => readFileSync(`examples/receivers/${name}`, 'utf8'));
  expect(shown.map(({ text }, index) => programs[index]?.includes(text))).toEqual([true, true, true]);
});

async function createHook(port: number) {
  const reply = await client.post('/webhooks', { url: `http://127.0.0.1:${port}/` }, TOKEN);
  expect(reply.status).toBe(201);
  return reply.body as { id: number; secret: string };
}

/** Starts a receiver, waits until it listens, and collects what it prints. */
async function start([command = '', ...args]: string[], port: number, secret: string): Promise<{ text: string }> {
  const env = { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: secret };
  const child = guarded(spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
  onTestFinished(() => void child.kill());
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output.text += chunk));
  }
  await until(() => isListening(port), 60_000);
  return output;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      done(true);
    });
    socket.on('error', () => done(false));
  });
}

function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0;
}
