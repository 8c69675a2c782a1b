import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database, UNOBSERVED } from '../../src/database/database.js';
import { startApp, type TestApp } from '../support/app.js';
import { insertEvent } from '../support/rows.js';
import { until } from '../support/until.js';

/** What ends the work of a read between its statements, on an embedded database, too (ERR-12). */
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

/** Each statement begins with this. */
function beforeStatements(work: () => unknown): void {
  database.observer = {
    ...UNOBSERVED,
    statement: async (_sql, send) => {
      begun += 1;
      await work();
      return send();
    },
  };
}

/** As a statement does that an embedded database takes long for. */
function stopTheProcess(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

/** How many statements a list takes when nothing ends it. */
async function statementsOfList(): Promise<number> {
  begun = 0;
  beforeStatements(() => undefined);
  expect((await service.client.get(LIST)).status).toBe(200);
  const whole = begun;
  begun = 0;
  return whole;
}

test('ERR-12: a read whose time is up is 503, and its further statements are not begun', async () => {
  const whole = await statementsOfList();
  beforeStatements(() => stopTheProcess(600));
  const { status, headers, body } = await service.client.get(LIST);
  expect([status, headers['retry-after'], body.code]).toEqual([503, '1', 'service_unavailable']);
  expect(begun).toBeLessThan(whole);
  database.observer = UNOBSERVED;
  expect((await service.client.get(LIST)).status).toBe(200);
});

test('ERR-12: what is read for a client that has left ends', async () => {
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

test('a write goes on though its client has left', async () => {
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

test('others are served between the reads that look at many rows', async () => {
  const all: Promise<unknown>[] = [];
  beforeStatements(() => stopTheProcess(60));
  for (let n = 0; n < 8; n += 1) all.push(service.client.get(LIST));
  await until(() => begun > 0);
  expect((await service.client.raw('/health/live')).status).toBe(200);
  const before = begun;
  await Promise.all(all);
  expect(before).toBeLessThan(begun);
});
