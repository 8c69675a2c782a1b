import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { wireApp } from '../../src/create-app.js';
import { BootstrapHold } from '../../src/database/bootstrap-hold.js';
import { Startup } from '../../src/platform/server/startup.js';
import { Client } from '../support/client.js';
import { createMigratedDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { startServer } from '../support/process.js';
import { answered, childrenOf, TOKEN, workersOf } from '../support/workers.js';

const EVENT = { title: 'T', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };
const MOUNT = '/calendar/events/v1';

/** `START_RUNS=20 npm test -- starts` repeats the race of several starts. */
const RUNS = Number(process.env.START_RUNS ?? 1);

let database: TestDatabase;
beforeEach(async () => (database = await createTestDatabase()));
afterEach(() => database.drop());

describe('node dist/main.js', () => {
  it.each(Array.from({ length: RUNS }, (_, run) => run + 1))(
    'three concurrent starts on an empty database succeed and share its records (run %i)',
    async () => {
      const settings = { DATABASE_URL: database.url, KALENDS_ADMIN_TOKEN: TOKEN };
      const servers = await Promise.all([1, 2, 3].map(() => startServer(settings)));
      const clients = servers.map(({ port }) => new Client(port, MOUNT));
      for (const client of clients) expect((await client.post('/events', EVENT, TOKEN)).status).toBe(201);
      const replies = await Promise.all(clients.map((client) => client.get('/events')));
      expect(replies.map(({ body }) => body.total as number)).toEqual([3, 3, 3]);
      await Promise.all(servers.map(({ stop }) => stop()));
    },
  );
});

describe('WORKERS', () => {
  test('=4 on an empty database: four workers serve one port and lose no concurrent write', async () => {
    const server = await workersOf(database.url, 4, {});
    expect(childrenOf(server.pid)).toHaveLength(4);
    const client = new Client(server.port, MOUNT);
    const writes = await Promise.all(Array.from({ length: 40 }, () => client.post('/events', EVENT, TOKEN)));
    expect(writes.map(({ status }) => status)).toEqual(writes.map(() => 201));
    const reads = await Promise.all(Array.from({ length: 40 }, () => client.get('/events')));
    expect(reads.map(({ body }) => body.total as number)).toEqual(reads.map(() => 40));
    expect(answered(server).size).toBe(4);
    expect(new Set(writes.map(({ body }) => body.slug as string)).size).toBe(40);
    expect(await server.stop()).toBe(0);
  }, 60_000);
});

test('requests during the start wait, and get their response after it', async () => {
  // A migration may take most of the time for which requests wait.
  await database.drop();
  database = await createMigratedDatabase();
  const before = { ...process.env };
  Object.assign(process.env, { DATABASE_URL: database.url, LOG_LEVEL: 'silent', KALENDS_ADMIN_TOKEN: TOKEN });
  // The wait for the start counts, and the machine may be busy.
  process.env.DATABASE_READ_TIMEOUT = '30';
  const app = await wireApp().finally(() => (process.env = before));
  const initialized = app.init();
  await app.get(BootstrapHold).reached;
  await once(app.getHttpServer().listen(0, '127.0.0.1'), 'listening');
  const { port } = app.getHttpServer().address() as AddressInfo;
  let replies = 0;
  const early = ['/events', '/events/1', '/tags'].map((path) =>
    fetch(`http://127.0.0.1:${port}${MOUNT}${path}`).finally(() => (replies += 1)),
  );
  // Longer than the timeouts of what requests read first.
  await sleep(2_500);
  expect(replies).toBe(0);
  await app.get(Startup).run('http://localhost', initialized);
  expect((await Promise.all(early)).map(({ status }) => status)).toEqual([200, 404, 200]);
  await app.close();
});
