import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/database/database.js';
import { startApp, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { whileWritesWait } from '../support/lock.js';
import { recordStatements } from '../support/statements.js';
import { until } from '../support/until.js';

/** Requests meet their deadline while the database is locked (ERR-12). On servers: test/servers/deadlines.spec.ts. */
const SHORT = { DATABASE_READ_TIMEOUT: '2', DATABASE_WRITE_TIMEOUT: '2' };
const MOST_WRITES = 200;
const EVENT = { title: 'T', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };

describe('while another transaction holds the write lock', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startApp(SHORT);
    for (const name of ['sub', 'adm'] as const) await service.client.get('/events', service.tokens[name]);
  });
  afterAll(() => service.close());

  const told = ({ status, headers, body }: Reply) => [status, headers['retry-after'], body.code as string];

  test('ERR-12: writes get 503 with Retry-After, reads and liveness get 200, and writes work again later', async () => {
    const { client, tokens } = service;
    const replies = await whileWritesWait(service, async () => {
      const writes = Array.from({ length: 30 }, () => client.post('/events', EVENT, tokens.adm));
      const reads = [client.get('/events', tokens.adm), client.get('/venues'), client.raw('/health/live')];
      expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200, 200]);
      // The lock is released only after all writes have their response.
      return Promise.all(writes);
    });
    expect(new Set(replies.map((reply) => told(reply).join()))).toEqual(new Set(['503,1,service_unavailable']));
    expect((await client.get('/events')).body.total).toBe(0);
    expect((await client.post('/events', EVENT, tokens.adm)).status).toBe(201);
    expect((await client.get('/events')).body.total).toBe(1);
  });

  test('a write that got 503 is carried out when the client retries with its idempotency key', async () => {
    const { client, tokens } = service;
    const body = { name: 'Once' };
    const send = () =>
      client.send('/tags', { method: 'POST', body, token: tokens.adm, headers: { 'idempotency-key': 'k' } });
    expect((await whileWritesWait(service, send)).status).toBe(503);
    const replies = [await send()];
    // The release of the key is itself a write. Until it is done, the response is 409.
    await until(async () => replies.at(-1)?.status !== 409 || (replies.push(await send()), false));
    expect(replies.at(-1)).toMatchObject({ status: 201 });
    expect(replies.at(-1)?.headers['idempotent-replayed']).toBeUndefined();
    expect((await send()).headers['idempotent-replayed']).toBe('true');
    expect((await client.get('/tags?search=Once&hide_empty=false')).body.total).toBe(1);
  });
});

/** The other timeout is much longer, so that only one of them can end the write. */
describe('read and write timeouts', () => {
  const write = async (settings: Record<string, string>, held: number) => {
    const service = await startApp(settings);
    try {
      await service.client.get('/events', service.tokens.adm);
      let reply: Promise<Reply> | undefined;
      await whileWritesWait(service, async () => {
        reply = service.client.post('/events', EVENT, service.tokens.adm);
        await Promise.race([reply, sleep(held, undefined, { ref: false })]);
      });
      return (await reply!).status;
    } finally {
      await service.close();
    }
  };

  test('DATABASE_WRITE_TIMEOUT ends a write that waits', async () => {
    expect(await write({ DATABASE_READ_TIMEOUT: '60', DATABASE_WRITE_TIMEOUT: '1' }, 50_000)).toBe(503);
  }, 70_000);

  test('DATABASE_READ_TIMEOUT does not end a write that waits', async () => {
    expect(await write({ DATABASE_READ_TIMEOUT: '1', DATABASE_WRITE_TIMEOUT: '60' }, 2_500)).toBe(201);
  }, 70_000);
});

describe('while the write capacity is used up', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startApp({ DATABASE_WRITE_TIMEOUT: '60', RATE_LIMIT: '1000/3600' });
    await service.client.get('/events', service.tokens.adm);
  });
  afterAll(() => service.close());

  test('rejects one more write without a query, serves reads, and completes all waiting writes', async () => {
    const { client, tokens, app } = service;
    const database = app.get(Database);
    const written: number[] = [];
    const write = async () => written.push((await client.post('/events', EVENT, tokens.adm)).status);
    const running = database.dialect.hasSingleWriter ? 1 : 4;
    const writes = await whileWritesWait(service, async () => {
      const all = Array.from({ length: MOST_WRITES }, write);
      await until(() => database.load().waiting === MOST_WRITES - running);
      const statements = recordStatements(service);
      const { status, headers } = await client.post('/events', EVENT, tokens.adm);
      // A waiting write may meanwhile try to begin its transaction, and roll back.
      const lookUps = statements.filter(({ sql }) => !/^(BEGIN|ROLLBACK)/.test(sql));
      expect([status, headers['retry-after'], lookUps]).toEqual([503, '1', []]);
      // Rejected writes do not count against the rate limit of their IP address.
      expect((await client.get('/events')).headers.ratelimit).toMatch(/r=999;/);
      expect((await client.get('/events', tokens.adm)).status).toBe(200);
      return all;
    });
    await Promise.all(writes);
    expect(new Set(written)).toEqual(new Set([201]));
    expect((await client.get('/events')).body.total).toBe(MOST_WRITES);
  }, 60_000);
});
