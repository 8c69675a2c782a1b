import { Database } from '../../src/database/database.js';
import { startApp, type TestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Gate } from '../support/gate.js';

/** A connection without its session would read and write in another zone, mode and isolation: it must not be used. */
const EVENT = { title: 'Prepared', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };

let database: TestDatabase;
let gate: Gate;
let service: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  gate = new Gate(database.url);
  await gate.open();
  service = await startApp({ DATABASE_URL: gate.url, CACHE_ENTRIES: '0' });
});
afterAll(async () => {
  await service.close();
  await gate.shut();
  await database.drop();
});

test.each(['time_zone', 'READ COMMITTED', 'STRICT_ALL_TABLES', 'max_sort_length', 'lock_wait_timeout = 3'])(
  'a new connection on which `%s` could not be set serves nobody, and the next good one does',
  async (word) => {
    gate.garble(word);
    gate.cut();
    const spoiled = [await read(), await write(), await read()];
    gate.garble(undefined);
    expect(spoiled).toEqual([503, 503, 503]);
    expect([await read(), await write()]).toEqual([200, 201]);
    const [row] = await service.app.get(Database).query<{ zone: string }>('SELECT @@time_zone AS zone');
    expect(row?.zone).toBe('+00:00');
  },
  30_000,
);

const read = async () => (await service.client.get('/events')).status;
const write = async () => (await service.client.post('/events', EVENT, service.tokens.adm)).status;
