import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { emptyFolder, metricsPortOf, runServer, start } from '../support/process.js';
import { answered, childrenOf, comes, said, TOKEN, workersOf } from '../support/workers.js';

const EVENT = { title: 'T', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };
const MOUNT = '/calendar/events/v1';

describe('WORKERS', () => {
  let database: TestDatabase;
  beforeEach(async () => (database = await createTestDatabase()));
  afterEach(() => database.drop());

  const startWorkers = (count: number, settings: Record<string, string> = {}) =>
    workersOf(database.url, count, settings);

  test.each([0, 200, 600])('SIGTERM %i ms after the first worker starts ends all with exit code 0', async (pause) => {
    const settings = { PORT: '0', DATABASE_URL: database.url, KALENDS_ADMIN_TOKEN: TOKEN, WORKERS: '2' };
    const keeper = start('main.js', [], { ...settings, SHUTDOWN_DELAY: '0', LOG_LEVEL: 'silent' }, emptyFolder());
    const ended = once(keeper, 'exit');
    await comes(() => childrenOf(keeper.pid ?? 0).length > 0);
    await sleep(pause);
    const began = performance.now();
    keeper.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    // A worker that missed the signal would be killed at the shutdown deadline, after more than ten seconds.
    expect(performance.now() - began).toBeLessThan(8_000);
  });

  test('a killed worker under load is replaced, and only its own requests are lost', async () => {
    const server = await startWorkers(2);
    const client = new Client(server.port, MOUNT);
    const [first = 0, second] = childrenOf(server.pid);
    let [isOver, lost, served] = [false, 0, 0];
    const load = async () => {
      while (!isOver) {
        const reply = await Promise.race([client.get('/events').catch(() => undefined), sleep(5_000, undefined)]);
        if (reply === undefined) lost += 1;
        else expect(reply.status).toBe(200);
        served += 1;
        await sleep(10);
      }
    };
    const clients = [load(), load(), load(), load()];
    await comes(() => served > 20);
    process.kill(first, 'SIGKILL');
    await comes(() => said(server, 'listening') === 3);
    const before = served;
    await comes(() => served > before + 20);
    isOver = true;
    await Promise.all(clients);
    expect(lost).toBeLessThanOrEqual(clients.length);
    const now = childrenOf(server.pid);
    expect([now.length, now.includes(first), now.includes(second ?? 0)]).toEqual([2, false, true]);
    expect(answered(server)).toContain('3');
    expect(await server.stop()).toBe(0);
  }, 60_000);

  test('SIGTERM to the whole process group: pending requests complete, all workers end, exit code 0', async () => {
    const server = await startWorkers(2);
    const workers = childrenOf(server.pid);
    const body = JSON.stringify(EVENT);
    const writes = Array.from({ length: 6 }, () => {
      let text = '';
      const socket = connect(server.port, '127.0.0.1', () =>
        socket.write(
          `POST ${MOUNT}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n` +
            `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
        ),
      );
      socket.on('data', (bytes: Buffer) => (text += bytes.toString())).on('error', () => undefined);
      return { socket, answer: new Promise<string>((done) => socket.once('close', () => done(text))) };
    });
    await sleep(300);
    for (const pid of [server.pid, ...workers]) process.kill(pid, 'SIGTERM');
    await comes(() => said(server, 'stopping') === 2);
    await sleep(300);
    for (const { socket } of writes) socket.write(body);
    const answers = await Promise.all(writes.map(({ answer }) => answer));
    expect(answers.map((answer) => answer.slice(0, 12))).toEqual(writes.map(() => 'HTTP/1.1 201'));
    expect(await server.ended).toBe(0);
    for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  }, 60_000);

  test('a single worker that gets SIGTERM drains and is replaced', async () => {
    const server = await startWorkers(2);
    const [first = 0] = childrenOf(server.pid);
    process.kill(first, 'SIGTERM');
    await comes(() => said(server, 'listening') === 3);
    expect(childrenOf(server.pid)).not.toContain(first);
    expect(server.output.stdout).toMatch(/"worker":\d+,"code":0,"signal":null,"msg":"a worker ended"/);
    expect(await server.stop()).toBe(0);
  }, 60_000);

  test('METRICS_PORT: one port reports the sums of all workers', async () => {
    const server = await startWorkers(2, { METRICS_PORT: '0' });
    const client = new Client(server.port, MOUNT);
    const count = 20;
    for (let n = 0; n < count; n += 1) await client.get('/tags');
    const reply = await fetch(`http://127.0.0.1:${metricsPortOf(server)}/metrics`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringContaining('version=0.0.4')]);
    const text = await reply.text();
    expect(text).toMatch(/^kalends_http_request_duration_seconds_count\{.*route="\/tags".*\} 20$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    // Log lines are written in batches, some of them later.
    await comes(() => answered(server).size === 2);
    expect(said(server, 'metrics')).toBe(1);
    expect(await server.stop()).toBe(0);
  }, 60_000);

  test('MAX_CONNECTIONS applies to each worker: further connections are closed, not passed to another', async () => {
    const server = await startWorkers(2, { MAX_CONNECTIONS: '1' });
    const ends = Array.from({ length: 6 }, () => {
      const socket = connect(server.port, '127.0.0.1', () =>
        socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n'),
      );
      return new Promise<'answered' | 'closed'>((done) => {
        socket.once('data', () => done('answered')).once('close', () => done('closed'));
        socket.on('error', () => undefined);
      });
    });
    expect((await Promise.all(ends)).toSorted()).toEqual(['answered', 'answered', ...Array(4).fill('closed')]);
    expect(await server.stop()).toBe(0);
  }, 60_000);

  test('a first worker that cannot start ends the process with its error, and no second one starts', async () => {
    const settings = { DATABASE_URL: 'sqlite:/dev/null/x.sqlite', WORKERS: '2', PORT: '0' };
    const { code, stdout, stderr } = await runServer(settings);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/ENOTDIR|\/dev\/null/)]);
    expect(stdout).not.toContain('"worker":2');
  }, 60_000);

  test('rejects values that are no positive number', async () => {
    for (const WORKERS of ['0', 'many']) {
      const { code, stderr } = await runServer({ DATABASE_URL: database.url, WORKERS });
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^WORKERS: /m)]);
    }
  }, 60_000);
});
