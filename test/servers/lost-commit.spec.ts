import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { type GatedApp, startGated } from '../support/gated-app.js';
import { until } from '../support/until.js';

/** The connection breaks between the commit and the response to it, so the service does not know the outcome. */
const EVENT = { title: 'Once', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };

let app: GatedApp;
beforeAll(async () => {
  // With this timeout an unreleased claim would block its key for longer than the tests wait.
  app = await startGated({ DATABASE_WRITE_TIMEOUT: '60' });
  // The first use of a token is an additional write, whose commit must not be the lost one.
  await send('First', {});
});
afterAll(() => app.close());

const send = (title: string, headers: Record<string, string>) =>
  app.service.client.send('/events', {
    method: 'POST',
    body: { ...EVENT, title },
    token: app.service.tokens.adm,
    headers,
  });

const total = async (title: string) => (await app.service.client.get(`/events?search=${title}`)).body.total as number;

test('a write without a key returns 503, and the service does not retry it', async () => {
  app.gate.loseCommit(0);
  const { status, headers } = await send('Keyless', {});
  expect([status, headers['retry-after']]).toEqual([503, '1']);
  await sleep(100);
  expect(await total('Keyless')).toBe(1);
});

test('a write with a key returns 503, and its retry replays the stored response', async () => {
  const { commits } = app.gate;
  // The first commit claims the key.
  app.gate.loseCommit(1);
  expect((await send('Keyed', { 'idempotency-key': 'lost' })).status).toBe(503);
  const again = await send('Keyed', { 'idempotency-key': 'lost' });
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
  expect(await total('Keyed')).toBe(1);
  // The third one would release the key, had the write not been committed. It must not be the lost one of the next test.
  await until(() => app.gate.commits >= commits + 3);
});

test('a key is released soon when the response to the commit of its claim is lost', async () => {
  const key = { 'idempotency-key': 'claim-lost' };
  app.gate.loseCommit(0);
  expect((await send('Claimed', key)).status).toBe(503);
  await until(async () => (await send('Claimed', key)).status === 201);
  expect(await total('Claimed')).toBe(1);
});

test('a key of an interrupted write is released as soon as the database server is back', async () => {
  const key = { 'idempotency-key': 'cut-short' };
  const operator = await createConnection(app.databaseUrl);
  try {
    await operator.query('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
    await operator.query('START TRANSACTION');
    await operator.query('SELECT version FROM data_version FOR UPDATE');
    const cutShort = send('Short', key);
    // The claim exists while the write waits for its commit.
    await until(async () => {
      const [rows] = await operator.query("SELECT 1 FROM idempotency_keys WHERE answer = ''");
      return (rows as unknown[]).length > 0;
    });
    await app.gate.shut();
    expect((await cutShort).status).toBe(503);
    // Waits until all attempts of one transaction to release the key have failed.
    await sleep(3_000);
  } finally {
    operator.destroy();
  }
  await app.gate.open();
  await until(async () => (await send('Short', key)).status === 201);
  expect(await total('Short')).toBe(1);
});
