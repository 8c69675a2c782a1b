import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, createConnection } from 'mysql2/promise';
import { Database } from '../../src/database/database.js';
import { Health } from '../../src/platform/server/health.js';
import { startApp, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { type GatedApp, startGated } from '../support/gated-app.js';
import { whileLocked } from '../support/lock.js';
import { until } from '../support/until.js';

/** Cases that need a database server: statements and connections that do not respond (contract 6, 503). */
const SHORT = { DATABASE_READ_TIMEOUT: '2', DATABASE_WRITE_TIMEOUT: '2', CACHE_ENTRIES: '0' };
const EVENT = { title: 'T', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };
const REFUSED = '503,1,service_unavailable';
const told = ({ status, headers, body }: Reply) =>
  status < 400 ? `${status}` : [status, headers['retry-after'], body.code as string].join();
const kinds = (replies: readonly Reply[]) => [...new Set(replies.map(told))].sort();

let service: TestApp;
beforeAll(async () => (service = await startApp(SHORT)));
afterAll(() => service.close());

describe('a locked table', () => {
  let root: Connection;
  let name: string;
  beforeAll(async () => {
    name = new URL(service.databaseUrl).pathname.slice(1);
    root = await createConnection(service.databaseUrl);
    await service.client.post('/venues', { venue: 'Hall' }, service.tokens.adm);
  });
  afterAll(() => root.end());

  const connections = async () => {
    const [rows] = await root.query(
      'SELECT id FROM information_schema.processlist WHERE db = ? AND id <> connection_id()',
      [name],
    );
    return (rows as unknown[]).length;
  };

  it('ends only requests that need it with 503', async () => {
    const { client, tokens } = service;
    await whileLocked(service, ['events'], async () => {
      const stuck = Promise.all([
        client.get('/events'),
        client.get('/events/1'),
        client.post('/events', EVENT, tokens.adm),
      ]);
      const others = await Promise.all([client.get('/venues'), client.get('/venues/1'), client.raw('/health/live')]);
      expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(kinds(await stuck)).toEqual([REFUSED]);
    });
    expect((await client.get('/events')).status).toBe(200);
    expect((await client.post('/events', EVENT, tokens.adm)).status).toBe(201);
  });

  it('does not delay reads by id of other tables while 90 lists and writes wait for it', async () => {
    const { client, tokens } = service;
    const tag = (await client.post('/tags', { name: 'Free' }, tokens.adm)).body as { id: number };
    await whileLocked(service, ['venues', 'organizers'], async () => {
      const stuck = Promise.all(
        Array.from({ length: 90 }, (_, n) =>
          n % 3 === 0
            ? client.post('/venues', { venue: `Hall ${n}` }, tokens.adm)
            : client.get(`/${n % 3 === 1 ? 'venues' : 'organizers'}?page=${n}`),
        ),
      );
      const byId = await Promise.all(Array.from({ length: 30 }, () => client.get(`/tags/${tag.id}`)));
      expect(kinds(byId)).toEqual(['200']);
      expect(kinds(await stuck)).toEqual([REFUSED]);
    });
  });

  it('does not delay reads of events that need no row of it, except for the first read after a commit', async () => {
    const { client, tokens } = service;
    const { id } = (await client.post('/events', EVENT, tokens.adm)).body as { id: number };
    await whileLocked(service, ['venues', 'organizers'], async () => {
      const read = async () => kinds([await client.get(`/events/${id}`)]);
      expect(await read()).toEqual(['200']);
      const began = performance.now();
      for (let n = 0; n < 20; n += 1) expect(await read()).toEqual(['200']);
      // If each read waited for a second, they would take twenty seconds.
      expect(performance.now() - began).toBeLessThan(10_000);
    });
    await until(async () => (await client.get('/venues')).status === 200);
  }, 60_000);

  it('makes the service reject a write that would time out, before it checks the token', async () => {
    const { client, tokens } = service;
    await whileLocked(service, ['events'], async () => {
      const writes = () => Promise.all(Array.from({ length: 40 }, () => client.post('/events', EVENT, tokens.adm)));
      const first = writes();
      // Before the deadline of the first writes.
      await sleep(1_500);
      const next = writes();
      // A check of the missing token would return 401.
      await until(async () => told(await client.post('/events', EVENT)) === REFUSED);
      expect((await client.get('/venues')).status).toBe(200);
      expect(kinds([...(await first), ...(await next)])).toEqual([REFUSED]);
    });
    expect((await client.post('/events', EVENT, tokens.adm)).status).toBe(201);
  });

  it('ends 330 waiting reads with 503, and leaks no connection', async () => {
    const { client } = service;
    await whileLocked(service, ['events', 'venues'], async () => {
      const replies = await Promise.all(Array.from({ length: 300 }, (_, n) => client.get(`/venues?page=${n + 1}`)));
      const more = await Promise.all(Array.from({ length: 30 }, () => client.get('/events')));
      expect(kinds([...replies, ...more])).toEqual([REFUSED]);
    });
    expect(service.app.get(Database).load().waiting).toBe(0);
    const after = await Promise.all(Array.from({ length: 50 }, () => client.get('/venues')));
    expect(kinds(after)).toEqual(['200']);
    // The server also ends abandoned statements by itself, within a few seconds.
    await until(async () => (await connections()) <= 10);
    const { open, idle, waiting } = service.app.get(Database).load();
    expect([open <= 10, open - idle, waiting]).toEqual([true, 0, 0]);
  });

  it('makes the pool discard abandoned connections, so that later queries have their session settings', async () => {
    const { client } = service;
    const database = service.app.get(Database);
    await whileLocked(service, ['events'], () => client.get('/events/1'));
    const most = isMariaDb(database) ? 'max_statement_time' : 'max_execution_time DIV 1000';
    const sessions = await Promise.all(
      Array.from({ length: 10 }, () =>
        database.query(`SELECT @@${most} AS most, @@lock_wait_timeout AS wait, @@time_zone AS zone, sleep(0.05)`),
      ),
    );
    for (const [row] of sessions) {
      expect({ ...row, most: Number(row?.most) }).toMatchObject({ most: 2, wait: 3, zone: '+00:00' });
    }
  });
});

describe('a statement', () => {
  it('is ended by the server after the timeout, also outside of requests', async () => {
    const database = service.app.get(Database);
    const endless = `SELECT count(*) FROM ${Array.from('abcdef', (name) => `information_schema.collations ${name}`).join(', ')}`;
    const error: unknown = await database.query(endless).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ driverError: { errno: isMariaDb(database) ? 1969 : 3024 } });
    expect(database.isUnavailable(error)).toBe(true);
  });

  it('A8: that finds a table full counts as unavailable, as after a timeout', async () => {
    const database = service.app.get(Database);
    const fill = database.inTransaction(async (tx) => {
      await tx.query('SET SESSION max_heap_table_size = 16384');
      await tx.query('CREATE TEMPORARY TABLE small (text CHAR(250)) ENGINE = MEMORY');
      for (;;) await tx.query("INSERT INTO small (text) VALUES ('x')");
    });
    const error: unknown = await fill.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ driverError: { errno: 1114 } });
    expect(database.isUnavailable(error)).toBe(true);
  });
});

describe('a search', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startApp({ ...SHORT, CACHE_ENTRIES: '10000', SEARCH_INDEX_FROM: '1' });
  });
  afterAll(() => service.close());

  it('returns 503 to concurrent reads within one deadline while the table of changes is locked', async () => {
    const { client, tokens } = service;
    const list = '/events?search=po';
    await client.post('/events', EVENT, tokens.adm);
    expect((await client.get(list)).status).toBe(200);
    await client.post('/events', EVENT, tokens.adm);
    await whileLocked(service, ['changes'], async () => {
      const began = performance.now();
      const replies = await Promise.all(Array.from({ length: 6 }, () => client.get(list)));
      expect(kinds(replies)).toEqual([REFUSED]);
      // Six timeouts in sequence would take twelve seconds.
      expect(performance.now() - began).toBeLessThan(8_000);
    });
    await until(async () => (await client.get(list)).status === 200);
  }, 60_000);
});

describe('a frozen database server', () => {
  let gated: GatedApp;
  beforeAll(async () => {
    gated = await startGated(SHORT);
    gated.service.app.get(Health).start();
  });
  afterAll(() => gated.close());

  const readiness = (status: number) =>
    until(async () => (await gated.service.client.raw('/health/ready')).status === status);

  it('B3: every request gets a response while it is frozen, and succeeds again after it thaws', async () => {
    const { gate, service } = gated;
    const { client, tokens } = service;
    await client.get('/events', tokens.adm);
    gate.freeze();
    const requests = Array.from({ length: 40 }, (_, n) =>
      n % 2 === 0 ? client.get('/events') : client.post('/events', EVENT, tokens.adm),
    );
    await readiness(503);
    expect((await client.raw('/health/live')).status).toBe(200);
    const replies = await Promise.all(requests);
    expect(kinds(replies)).toEqual([REFUSED]);
    // New connections fail, too, and requests that wait for one still get a response.
    const more = await Promise.all(Array.from({ length: 30 }, () => client.get('/events/1')));
    expect(kinds(more)).toEqual([REFUSED]);
    gate.thaw();
    await readiness(200);
    await until(async () => (await client.get('/events')).status === 200);
    // Earlier statements end at once, because the server finds their connections closed.
    await until(async () => (await client.post('/events', EVENT, tokens.adm)).status === 201);
    const { body } = await client.get('/events');
    expect(body.total).toBe(1);
  });
});

function isMariaDb({ dialect }: Database): boolean {
  return dialect.name === 'mariadb';
}
