import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { type GatedApp, startGated } from '../support/gated-app.js';
import { until } from '../support/until.js';

/** The connection breaks when the server has committed, before it could say so: nobody knows the outcome. */
const EVENT = { title: 'Once', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };

let app: GatedApp;
beforeAll(async () => {
  // A claim that is not given back would be in the way for longer than the tests wait.
  app = await startGated({ DATABASE_WRITE_TIMEOUT: '60' });
  // The first use of a token is a write of its own.
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

test('a write without a key is answered 503 and not repeated by the service', async () => {
  app.gate.loseCommit(0);
  const { status, headers } = await send('Keyless', {});
  expect([status, headers['retry-after']]).toEqual([503, '1']);
  await sleep(100);
  expect(await total('Keyless')).toBe(1);
});

test('a write with a key is answered 503, and the next time with the answer that was kept', async () => {
  // The first commit takes the key.
  app.gate.loseCommit(1);
  expect((await send('Keyed', { 'idempotency-key': 'lost' })).status).toBe(503);
  const again = await send('Keyed', { 'idempotency-key': 'lost' });
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
  expect(await total('Keyed')).toBe(1);
});

test('a key whose claim was committed unheard is free again soon', async () => {
  const key = { 'idempotency-key': 'claim-lost' };
  app.gate.loseCommit(0);
  expect((await send('Claimed', key)).status).toBe(503);
  await until(async () => (await send('Claimed', key)).status === 201);
  expect(await total('Claimed')).toBe(1);
});

test('a key whose write was cut short is free again as soon as the server is back', async () => {
  const key = { 'idempotency-key': 'cut-short' };
  const operator = await createConnection(app.databaseUrl);
  try {
    await operator.query('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
    await operator.query('START TRANSACTION');
    await operator.query('SELECT version FROM data_version FOR UPDATE');
    const cutShort = send('Short', key);
    // While the write waits for its commit, its claim is there.
    await until(async () => {
      const [rows] = await operator.query("SELECT 1 FROM idempotency_keys WHERE answer = ''");
      return (rows as unknown[]).length > 0;
    });
    await app.gate.shut();
    expect((await cutShort).status).toBe(503);
    // Until all attempts of one transaction to give the key back have failed.
    await sleep(3_000);
  } finally {
    operator.destroy();
  }
  await app.gate.open();
  await until(async () => (await send('Short', key)).status === 201);
  expect(await total('Short')).toBe(1);
});
