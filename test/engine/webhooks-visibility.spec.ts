import { WebhookDispatcher } from '../../src/webhooks/dispatch/dispatcher.js';
import { startOwnApp, type TestApp } from '../support/app.js';
import { venue } from '../support/factories.js';
import { type Received, Receiver, TO_RECEIVERS } from '../support/receiver.js';
import { type Made, makeOfEachKind } from '../support/records-of-each-kind.js';
import { until } from '../support/until.js';

/** What the last message about a record tells. `bare`: that it has changed, without the record. */
type Told = 'record' | 'blanked' | 'bare' | 'deleted' | 'nothing';

/** What webhooks that carry records are told of each kind. Written by hand, to be independent of the code. */
const TABLE: Record<string, { readonly public: Told; readonly all: Told }> = {
  publish: { public: 'record', all: 'record' },
  due: { public: 'record', all: 'record' },
  future: { public: 'nothing', all: 'record' },
  draft: { public: 'nothing', all: 'record' },
  pending: { public: 'nothing', all: 'record' },
  private: { public: 'nothing', all: 'record' },
  // No list shows the trash.
  trash: { public: 'nothing', all: 'bare' },
  unpublished: { public: 'deleted', all: 'record' },
  hidden: { public: 'nothing', all: 'record' },
  unlisted: { public: 'deleted', all: 'record' },
  protected: { public: 'blanked', all: 'record' },
};
/** Webhooks for all come first, so that their changes could reach the public ones by a fault. */
const AUDIENCES = ['all', 'public'] as const;
const PAYLOADS = ['thin', 'record'] as const;
const WEBHOOKS = AUDIENCES.flatMap((audience) => PAYLOADS.map((payload) => ({ audience, payload })));

let service: TestApp;
let receiver: Receiver;
let made: Made[];
beforeAll(async () => {
  receiver = await Receiver.listen();
  service = await startOwnApp({ ...TO_RECEIVERS, PUBLIC_URL: 'https://example.com' });
  const { client, tokens } = service;
  for (const { audience, payload } of WEBHOOKS) {
    const url = `${receiver.url}/${audience}/${payload}`;
    expect((await client.post('/webhooks', { url, audience, payload }, tokens.adm)).status).toBe(201);
  }
  made = await makeOfEachKind(service);
  const last = await venue(client, tokens.adm, { venue: 'The last one' });
  service.app.get(WebhookDispatcher).start();
  const isDone = async () => {
    const ends = receiver.received.filter(({ body }) => body.data.type === 'venue' && body.data.id === last.id);
    const webhooks = (await client.get('/webhooks', tokens.adm)).body.webhooks as { pending: number }[];
    return ends.length === WEBHOOKS.length && webhooks.every(({ pending }) => pending === 0);
  };
  await until(isDone, 60_000);
}, 180_000);
afterAll(async () => {
  await receiver.close();
  await service.close();
});

function found(messages: readonly Received[], { key }: Made): Told {
  const about = messages.filter(({ body: { data } }) => `${data.type} ${data.id}` === key);
  const last = about.toSorted((a, b) => a.body.data.position - b.body.data.position).at(-1)?.body;
  if (last === undefined) return 'nothing';
  if (last.type.endsWith('.deleted')) return 'deleted';
  if (last.data.record === undefined) return 'bare';
  return last.data.type === 'event' && last.data.record.description === '' ? 'blanked' : 'record';
}

function expected({ kind }: Made, { audience, payload }: (typeof WEBHOOKS)[number]): Told {
  const told = TABLE[kind]![audience];
  return payload === 'thin' && (told === 'record' || told === 'blanked') ? 'bare' : told;
}

describe.each(WEBHOOKS)('HOOK-05, HOOK-07: audience $audience, payload $payload', (webhook) => {
  const messages = () =>
    receiver.received.filter(({ path }) => path.endsWith(`/${webhook.audience}/${webhook.payload}`));

  test('is told what it may know of records of each kind and owner, and nothing else', () => {
    expect(made.map((record) => [record.secret, found(messages(), record)])).toEqual(
      made.map((record) => [record.secret, expected(record, webhook)]),
    );
  });

  test('no message has a word of a record that its audience may not read', () => {
    const texts = messages().map(({ text }) => text);
    const unreadable = made.filter((record) => !['record', 'blanked'].includes(expected(record, webhook)));
    expect(unreadable.length).toBeGreaterThan(0);
    expect(unreadable.filter(({ secret }) => texts.some((text) => text.includes(secret)))).toEqual([]);
  });
});
