import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/database/database.js';
import { UNOBSERVED } from '../../src/database/statement-observer.js';
import { startApp, type TestApp } from '../support/app.js';
import { insertEvent } from '../support/rows.js';
import { until } from '../support/until.js';

/** A read of several statements, so that it can stop between them, also on an embedded database (ERR-12). */
const LIST = '/events?search=event&orderby=title';
let service: TestApp;
let database: Database;
let begun = 0;

beforeAll(async () => {
  service = await startApp({ DATABASE_READ_TIMEOUT: '1', CACHE_ENTRIES: '0' });
  database = service.app.get(Database);
  await insertEvent(service);
  await service.client.get(LIST);
});
beforeEach(() => (begun = 0));
afterEach(() => (database.observer = UNOBSERVED));
afterAll(() => service.close());

/** Runs `work` before each statement. */
function beforeStatements(work: () => unknown): void {
  database.observer = {
    ...UNOBSERVED,
    statements: async (_texts, send) => {
      begun += 1;
      await work();
      return send();
    },
  };
}

/** Blocks the event loop, as a slow statement of an embedded database does. */
function stopTheProcess(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

/** Returns how many statements a complete list takes. */
async function statementsOfList(): Promise<number> {
  begun = 0;
  beforeStatements(() => undefined);
  expect((await service.client.get(LIST)).status).toBe(200);
  const whole = begun;
  begun = 0;
  return whole;
}

test('ERR-12: a read returns 503 at its deadline and starts no further statement', async () => {
  const whole = await statementsOfList();
  beforeStatements(() => stopTheProcess(600));
  const { status, headers, body } = await service.client.get(LIST);
  expect([status, headers['retry-after'], body.code]).toEqual([503, '1', 'service_unavailable']);
  expect(begun).toBeLessThan(whole);
  database.observer = UNOBSERVED;
  expect((await service.client.get(LIST)).status).toBe(200);
});

test('ERR-12: a read stops after its client has disconnected', async () => {
  const whole = await statementsOfList();
  const { port, mount } = service.client;
  const socket = connect(port, '127.0.0.1');
  beforeStatements(async () => {
    socket.destroy();
    await sleep(100);
  });
  socket.write(`GET ${mount}${LIST} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await until(() => begun > 0);
  await sleep(100 * whole);
  expect(begun).toBeLessThan(whole);
});

test('a write completes after its client has disconnected', async () => {
  const { port, mount } = service.client;
  const body = JSON.stringify({ name: 'Left' });
  const socket = connect(port, '127.0.0.1');
  beforeStatements(async () => {
    socket.destroy();
    await sleep(20);
  });
  const headers = `Authorization: Bearer ${service.tokens.adm}\r\nContent-Type: application/json\r\n`;
  socket.write(`POST ${mount}/tags HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`);
  await until(() => begun > 0);
  database.observer = UNOBSERVED;
  await until(async () => (await service.client.get('/tags?search=left&hide_empty=false')).body.total === 1);
});
