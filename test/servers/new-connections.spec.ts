import type { DataSource } from 'typeorm';
import { Database } from '../../src/database/database.js';
import { openSession } from '../../src/database/connection/session.js';
import { type GatedApp, startGated } from '../support/gated-app.js';

/** A connection without its session settings must not be used: its time zone, SQL mode and isolation level differ. */
const EVENT = { title: 'Prepared', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };

let app: GatedApp;
beforeAll(async () => {
  app = await startGated({ CACHE_ENTRIES: '0' });
});
afterAll(() => app.close());

test.each(['time_zone', 'READ COMMITTED', 'STRICT_ALL_TABLES', 'max_sort_length', 'lock_wait_timeout = 3'])(
  'a new connection on which `%s` cannot be set is not used, and the next valid one is',
  async (word) => {
    const { gate, service } = app;
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

test('a session that has released its connection sends no further statements', async () => {
  const { writer } = app.service.app.get<Database, { writer: DataSource }>(Database);
  const session = openSession(writer);
  await session.send('SELECT 1', []);
  session.release();
  await expect(session.send('SELECT 1', [])).rejects.toThrow('given its connection back');
});

const read = async () => (await app.service.client.get('/events')).status;
const write = async () => (await app.service.client.post('/events', EVENT, app.service.tokens.adm)).status;
