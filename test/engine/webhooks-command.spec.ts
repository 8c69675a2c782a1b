import { Clock } from '../../src/config/clock.js';
import { WebhookDispatcher } from '../../src/webhooks/dispatch/dispatcher.js';
import { startOwnApp, type TestApp } from '../support/app.js';
import { runCommand } from '../support/command.js';
import { event } from '../support/factories.js';
import { Receiver, TO_RECEIVERS } from '../support/receiver.js';

const SECRET = /^whsec_[\w+/]{43}=\n$/;

let service: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.listen();
  service = await startOwnApp(TO_RECEIVERS);
  // The clock of the commands, too: what is due to one is due to the other.
  service.app.get(Clock).milliseconds = () => Date.now();
  service.app.get(WebhookDispatcher).start();
});
afterAll(async () => {
  await receiver.close();
  await service.close();
});

const kalends = (args: string[], settings = {}) =>
  runCommand(['webhook', ...args], { DATABASE_URL: service.databaseUrl, ...TO_RECEIVERS, ...settings });
const done = async (...args: string[]) => {
  const { code, stdout, stderr } = await kalends(args);
  expect([args, code, stderr]).toEqual([args, 0, expect.not.stringContaining('rror')]);
  return stdout;
};
const stored = async (id: string) => (await service.client.get(`/webhooks/${id}`, service.tokens.adm)).body;
const newWebhook = async (...options: string[]) => {
  const { code, stdout, stderr } = await kalends(['add', receiver.url, ...options]);
  const [, id = ''] = /^Webhook (\d+) was made\. Its secret is shown only once:\n$/.exec(stderr) ?? [];
  expect([code, stdout]).toEqual([0, expect.stringMatching(SECRET)]);
  return id;
};
/** The rows of a list, cell by cell. */
const rowsOf = (output: string) =>
  output
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));

describe('kalends webhook', () => {
  test('add makes a webhook with its options, to which a running server sends', async () => {
    const options = ['--types', 'event.*,tag.created', '--audience', 'all', '--description', 'The city portal'];
    const id = await newWebhook(...options);
    expect(await stored(id)).toMatchObject({
      url: receiver.url,
      types: ['event.*', 'tag.created'],
      audience: 'all',
      payload: 'thin',
      description: 'The city portal',
      active: true,
    });
    const { id: created } = await event(service.client, service.tokens.edi, { status: 'draft' });
    await receiver.wait(1);
    expect(receiver.told).toEqual([`event.created ${created}`]);
    await done('remove', id);
  });

  test('list and show tell of webhooks, never of secrets', async () => {
    const id = await newWebhook();
    const list = await done('list');
    expect(rowsOf(list)).toEqual([
      ['id', 'url', 'audience', 'payload', 'state', 'pending', 'last success (UTC)'],
      [id, receiver.url, 'public', 'thin', 'active', '0', '-'],
    ]);
    const shown = await done('show', id);
    expect(rowsOf(shown)).toEqual(
      expect.arrayContaining([
        ['url', receiver.url],
        ['types', '*'],
        ['active', 'true'],
        ['disabled_reason', '-'],
      ]),
    );
    expect(list + shown).not.toContain('whsec_');
    await done('remove', id);
    expect(rowsOf(await done('list'))).toHaveLength(1);
  });

  test('pause stops messages, resume sends those of the meantime', async () => {
    const id = await newWebhook();
    expect(await done('pause', id)).toBe(`Webhook ${id} is paused.\n`);
    expect(await stored(id)).toMatchObject({ active: false, disabled_reason: 'paused' });
    expect(rowsOf(await done('list'))[1]?.[4]).toBe('paused');
    const from = receiver.received.length;
    const { id: created } = await event(service.client, service.tokens.edi);
    expect(await done('resume', id)).toBe(`Webhook ${id} continues where it stopped.\n`);
    await receiver.wait(from + 1);
    expect(receiver.told.slice(from)).toEqual([`event.created ${created}`]);
    await done('remove', id);
  });

  test('test lets a running server send webhook.test; rotate makes two signatures', async () => {
    const id = await newWebhook();
    expect(await done('rotate', id)).toMatch(SECRET);
    const from = receiver.received.length;
    const said = await done('test', id);
    const [message] = (await receiver.wait(from + 1)).slice(from);
    expect(message?.body.type).toBe('webhook.test');
    expect(said).toBe(`Message ${String(message?.headers['webhook-id'])} is due: a running server sends it.\n`);
    expect(String(message?.headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect(await done('remove', id)).toBe(`Webhook ${id} was removed.\n`);
    expect((await service.client.get(`/webhooks/${id}`, service.tokens.adm)).status).toBe(404);
  });

  test.each([
    [
      'url must not be an address inside a network, unless WEBHOOK_NETWORKS contains it.',
      ['add', 'https://10.1.1.1/x'],
      {},
    ],
    ['url must be an https URL, unless WEBHOOK_HTTP is on.', ['add', 'http://example.com/x'], { WEBHOOK_HTTP: 'off' }],
    ['types', ['add', 'https://example.com/x', '--types', 'foo'], {}],
    ['payload can be record only if PUBLIC_URL is set.', ['add', 'https://example.com/x', '--payload', 'record'], {}],
    ['Allowed choices are public, all', ['add', 'https://example.com/x', '--audience', 'me'], {}],
    ['"1x" is not the number of a webhook.\n', ['show', '1x'], {}],
    ['999', ['rotate', '999'], {}],
    ['WEBHOOKS is off: there are no webhooks.\n', ['list'], { WEBHOOKS: 'off' }],
  ])('fails with exit code 1 and a message: %s', async (message, args, settings) => {
    const { code, stdout, stderr } = await kalends(args, settings);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('ApiError');
  });
});
