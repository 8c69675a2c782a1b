import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, type TestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Gate } from '../support/gate.js';

/** The connection breaks when the server has committed, before it could say so: nobody knows the outcome. */
const EVENT = { title: 'Once', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };

let database: TestDatabase;
let gate: Gate;
let service: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  gate = new Gate(database.url);
  await gate.open();
  service = await startApp({ DATABASE_URL: gate.url });
  // The first use of a token is a write of its own.
  await send('First', {});
});
afterAll(async () => {
  await service.close();
  await gate.shut();
  await database.drop();
});

const send = (title: string, headers: Record<string, string>) =>
  service.client.send('/events', { method: 'POST', body: { ...EVENT, title }, token: service.tokens.adm, headers });

const total = async (title: string) => (await service.client.get(`/events?search=${title}`)).body.total as number;

test('a write without a key is answered 503 and not repeated by the service', async () => {
  gate.loseCommit(0);
  const { status, headers } = await send('Keyless', {});
  expect([status, headers['retry-after']]).toEqual([503, '1']);
  await sleep(100);
  expect(await total('Keyless')).toBe(1);
});

test('a write with a key is answered 503, and the next time with the answer that was kept', async () => {
  // The first commit takes the key.
  gate.loseCommit(1);
  expect((await send('Keyed', { 'idempotency-key': 'lost' })).status).toBe(503);
  const again = await send('Keyed', { 'idempotency-key': 'lost' });
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
  expect(await total('Keyed')).toBe(1);
});
