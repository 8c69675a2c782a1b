import { setTimeout as sleep } from 'node:timers/promises';
import { Clock } from '../../src/config/clock.js';
import { Database } from '../../src/database/database.js';
import { startOwnApp, type TestApp } from '../support/app.js';
import { Copy } from '../support/changes.js';
import { startServer } from '../support/process.js';
import { Random } from '../support/random.js';
import { RandomWrites } from '../support/random-writes.js';
import { type Received, Receiver, TO_RECEIVERS } from '../support/receiver.js';
import { until } from '../support/until.js';

/** Nightly there are 5,000. */
const WRITES = Number(process.env.WEBHOOK_WRITES ?? 500);
/** The sending process is killed so often while writes go on. */
const KILLS = Math.ceil(WRITES / 250);
const KILL_INTERVAL_MS = 2_000;
const WRITERS = 4;
/** Slow enough that claimed messages wait whenever the process is killed. */
const ANSWER_MS = 100;
const SEED = 20_261_118;

/** The changes of the change record that webhooks are told of. */
const TOLD = /^(event|venue|organizer|category|tag)\.(created|updated|published|trashed|restored|deleted)$/;

let service: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.listen();
  receiver.answer = (response) => void setTimeout(() => response.end(), ANSWER_MS);
  // It writes. Only the process that is killed sends.
  service = await startOwnApp(TO_RECEIVERS);
  service.app.get(Clock).milliseconds = () => Date.now();
});
afterAll(async () => {
  await receiver.close();
  await service.close();
});

test(
  `HOOK-18: a sending process that is killed every 2 s during ${WRITES} writes: every change arrives`,
  async () => {
    const { client, tokens, databaseUrl } = service;
    for (const audience of ['all', 'public']) {
      const url = `${receiver.url}/${audience}`;
      expect((await client.post('/webhooks', { url, audience }, tokens.adm)).status).toBe(201);
    }
    const settings = { DATABASE_URL: databaseUrl, ...TO_RECEIVERS };
    const writes = new RandomWrites(client, tokens.adm, new Random(SEED));
    let [done, kills] = [0, 0];
    const write = async () => {
      while (done < WRITES) {
        // Each life of the sending process has its share of the writes.
        while (done >= ((kills + 1) * WRITES) / (KILLS + 1)) await sleep(20);
        done += 1;
        while (!(await writes.next())) await sleep(50);
      }
    };
    const writing = Promise.all(Array.from({ length: WRITERS }, write));
    while (kills < KILLS) {
      const server = await startServer(settings);
      const from = receiver.received.length;
      await sleep(KILL_INTERVAL_MS);
      // On a busy machine a process may need longer to send anything.
      await until(() => receiver.received.length > from, 120_000);
      server.kill('SIGKILL');
      await server.ended;
      kills += 1;
    }
    await writing;
    if (WRITES <= 500) await endLeases();
    const server = await startServer(settings);
    const changes = await toldChanges();
    const arrived = () => new Set(of('all').map(({ body }) => body.data.position));
    const isDone = async () => {
      const webhooks = (await client.get('/webhooks', tokens.adm)).body.webhooks as { pending: number }[];
      return webhooks.every(({ pending }) => pending === 0) && changes.every((id) => arrived().has(id));
    };
    await until(isDone, Math.max(240_000, WRITES * 100)).catch(() => undefined);
    await server.stop();

    expect(changes.length).toBeGreaterThan(WRITES / 2);
    expect([...arrived()].toSorted((a, b) => a - b)).toEqual(changes);
    const ids = new Set(
      receiver.received.map(({ path, body, headers }) => [path, body.data.position, headers['webhook-id']].join()),
    );
    const messages = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(messages.size);
    const copy = new Copy(client);
    await copy.follow();
    expect(listedAfter(of('public'))).toEqual([...copy.records.keys()].toSorted());
  },
  Math.max(600_000, WRITES * 400),
);

/** Returns the messages to the webhook of an audience. */
function of(audience: string): Received[] {
  return receiver.received.filter(({ path }) => path.endsWith(`/${audience}`));
}

/** Returns the ids of all changes. One with a new and a former owner has two rows, of which the last is told. */
async function toldChanges(): Promise<number[]> {
  const rows = await service.app
    .get(Database)
    .query<{ id: number; kind: string }>(`SELECT max(id) AS id, kind FROM changes GROUP BY seq, kind, record_id`);
  const ids = rows.filter(({ kind }) => TOLD.test(kind)).map(({ id }) => Number(id));
  return ids.toSorted((a, b) => a - b);
}

/** Ends the leases of the killed processes, which saves a minute. The nightly run waits for it. */
async function endLeases(): Promise<void> {
  await service.app
    .get(Database)
    .inTransaction((tx) => tx.execute(`UPDATE webhook_messages SET due_utc = '2026-01-01 00:00:00' WHERE leased = 1`));
}

/** Returns the records that a receiver holds that follows `position`. */
function listedAfter(messages: readonly Received[]): string[] {
  const last = new Map<string, Received['body']>();
  for (const { body } of messages) {
    const key = `${body.data.type} ${body.data.id}`;
    const known = last.get(key);
    if (known === undefined || known.data.position < body.data.position) last.set(key, body);
  }
  const listed = [...last].filter(([, { type }]) => !type.endsWith('.deleted'));
  return listed.map(([key]) => key).toSorted();
}
