import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { BetterSqlite3 } from '../../src/database/connection/sqlite-driver.js';
import { Client } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.js';
import { IN_TIME } from '../support/patience.js';
import { answersOf } from '../support/socket.js';
import { until } from '../support/until.js';
import { emptyFolder, runCli, runServer, startServer } from '../support/process.js';

const TOKEN = 'operators-token-of-at-least-32-characters';
const EVENT = { title: 'T', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };
const MOUNT = '/calendar/events/v1';

describe('without its database', () => {
  test('the server is live but not ready, and returns 503 with Retry-After; commands fail at once', async () => {
    const DATABASE_URL = `mysql://root@127.0.0.1:${await freePort()}/kalends`;
    const { port, output, stop } = await startServer({ DATABASE_URL, ...IN_TIME }, undefined, 'listening');
    const plain = await fetch(`http://127.0.0.1:${port}/health/live`);
    expect([plain.status, await plain.json()]).toEqual([200, { status: 'live' }]);
    const ready = await fetch(`http://127.0.0.1:${port}/health/ready`);
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await ready.json()).toMatchObject({
      code: 'service_unavailable',
      data: { status: 503, reason: 'starting' },
    });
    const requests = [
      ['/events', {}],
      ['/events/1', {}],
      ['/events', { headers: { authorization: `Bearer ${TOKEN}` } }],
      ['/tags', { method: 'POST', body: '{"name":"x"}', headers: { 'content-type': 'application/json' } }],
    ] as const;
    // Side by side, because each waits for the database before it fails.
    const replies = await Promise.all(
      requests.map(([path, init]) => fetch(`http://127.0.0.1:${port}${MOUNT}${path}`, init)),
    );
    // Anonymous writes get 401, because authentication comes before the database.
    expect(replies.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [503, '1'],
      [503, '1'],
      [503, '1'],
      [401, null],
    ]);
    await Promise.all(replies.map((reply) => reply.arrayBuffer()));
    expect((await fetch(`http://127.0.0.1:${port}${MOUNT}/doc`)).status).toBe(200);
    const command = await runCli(['migrate'], { DATABASE_URL });
    expect(command.code).toBe(1);
    expect(command.stderr).toMatch(/ECONNREFUSED/);
    expect(await stop()).toBe(0);
    // Logged once, although attempts come every second.
    expect(output.stdout.match(/the database of DATABASE_URL cannot be reached yet: \w+/g)).toEqual([
      'the database of DATABASE_URL cannot be reached yet: ECONNREFUSED',
    ]);
  }, 60_000);

  test('an unusable database path stops the start with a message', async () => {
    const { code, stderr } = await runServer({ DATABASE_URL: 'sqlite:/dev/null/x.sqlite', PORT: '0' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/ENOTDIR|\/dev\/null/);
  }, 60_000);
});

test('without file descriptors the server logs one line, closes connections and recovers afterwards', async () => {
  const { pid, port, output, stop } = await startServer({});
  // Waits until the files that only the start needs are closed.
  await sleep(500);
  const used = readdirSync(`/proc/${pid}/fd`).length;
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${used + 10}`]);
  const open = Array.from({ length: 400 }, () =>
    connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .resume(),
  );
  await until(() => output.stdout.includes('no file descriptors are left'));
  await sleep(1500);
  expect(output.stdout.match(/no file descriptors are left/g)).toHaveLength(1);
  open.forEach((socket) => socket.destroy());
  await until(() => output.stdout.includes('there are file descriptors again'));
  expect((await fetch(`http://127.0.0.1:${port}${MOUNT}/events`)).status).toBe(200);
  expect(await stop()).toBe(0);
}, 60_000);

test('documentation that lacks file descriptors is 503, and loaded by a later request', async () => {
  const { pid, port, stop } = await startServer({});
  // One connection for all requests, because none can be accepted below the limit; fetch() may open a second.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const read = (path: string) =>
    new Promise<{ status?: number; retryAfter?: string; text: string }>((resolve, reject) => {
      const sent = get({ port, path, host: '127.0.0.1', agent }, (reply) => {
        const { statusCode: status, headers } = reply;
        text(reply).then((body) => resolve({ status, retryAfter: headers['retry-after'], text: body }), reject);
      });
      sent.on('error', reject);
    });
  const limit = (softLimit: number | string) => execFileSync('prlimit', ['--pid', `${pid}`, `--nofile=${softLimit}:`]);
  /** The limit counts numbers, not open files, and there may be free numbers between open ones. */
  const leave = (left: number) => {
    const used = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
    const free = Array.from({ length: used.size + left + 1 }, (_, n) => n).filter((n) => !used.has(n));
    limit(free[left] ?? 0);
  };
  const hardLimit = execFileSync('prlimit', ['--pid', `${pid}`, '--nofile', '--output', 'HARD', '--noheadings']);
  await read('/health/live');
  leave(0);
  expect(await read(`${MOUNT}/doc`)).toMatchObject({ status: 503, retryAfter: '1' });
  // With one left, files can be read one by one, but not side by side.
  leave(1);
  expect([200, 503]).toContain((await read(`${MOUNT}/doc`)).status);
  limit(String(hardLimit).trim());
  const reply = await read(`${MOUNT}/doc`);
  expect([reply.status, JSON.parse(reply.text)]).toMatchObject([200, { openapi: '3.0.0' }]);
  agent.destroy();
  expect(await stop()).toBe(0);
}, 60_000);

describe('shutdown', () => {
  let database: TestDatabase;
  beforeEach(async () => (database = await createTestDatabase()));
  afterEach(() => database.drop());
  const settings = () => ({ DATABASE_URL: database.url, KALENDS_ADMIN_TOKEN: TOKEN, SHUTDOWN_DELAY: '2' });

  /** Begins a write whose body is still missing. */
  function begin(port: number) {
    const body = JSON.stringify(EVENT);
    let text = '';
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        `POST ${MOUNT}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
      ),
    );
    socket.on('data', (bytes: Buffer) => (text += bytes.toString())).on('error', () => undefined);
    const answered = new Promise<string>((done) => socket.once('close', () => done(text)));
    return { finish: () => socket.write(body), answered };
  }

  const isRefused = (port: number) =>
    fetch(`http://127.0.0.1:${port}/health/live`).then(
      () => false,
      () => true,
    );

  /** Returns the status, or the error code, of a request on a connection of its own. */
  const outcomeOf = (port: number, path: string) =>
    new Promise<number | string | undefined>((done) => {
      get({ port, host: '127.0.0.1', path: `${MOUNT}${path}`, agent: false }, (answer) => {
        answer.resume().on('end', () => done(answer.statusCode));
      }).on('error', (error: NodeJS.ErrnoException) => done(error.code));
    });

  test('SIGTERM: serves while not ready, then rejects connections, finishes open requests, exits with 0', async () => {
    const { port, kill, ended, output } = await startServer(settings());
    const write = begin(port);
    await sleep(100);
    kill('SIGTERM');
    await sleep(300);
    const ready = await fetch(`http://127.0.0.1:${port}/health/ready`);
    expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close']);
    const { status, headers } = await new Client(port, MOUNT).get('/events');
    expect([status, headers.connection]).toEqual([200, 'close']);
    while (!(await isRefused(port))) await sleep(50);
    write.finish();
    expect(await write.answered).toMatch(/^HTTP\/1.1 201 Created\r\n[^]*connection: close/i);
    expect(await ended).toBe(0);
    expect(output.stdout).toContain('"msg":"stopping"');
  }, 60_000);

  test('SIGTERM: connections that wait in the kernel when the delay ends are served', async () => {
    const { port, kill, ended } = await startServer({ ...settings(), SHUTDOWN_DELAY: '4' });
    const client = new Client(port, MOUNT);
    kill('SIGTERM');
    await until(async () => (await client.raw('/health/ready')).status === 503);
    // Suspended, the process accepts nothing, and finds the end of the delay together with the connections.
    kill('SIGSTOP');
    const outcomes = Array.from({ length: 20 }, () => outcomeOf(port, '/events'));
    await sleep(5000);
    kill('SIGCONT');
    expect(await Promise.all(outcomes)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(await ended).toBe(0);
  }, 60_000);

  test('SIGTERM: every executed write of a pipelined connection gets a response', async () => {
    const { port, kill, ended } = await startServer({ ...settings(), SHUTDOWN_DELAY: '50' });
    const client = new Client(port, MOUNT);
    const write = (n: number) => {
      const body = `{"name":"Pipelined ${n}"}`;
      return (
        `POST ${MOUNT}/tags HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      );
    };
    kill('SIGTERM');
    await until(async () => (await client.raw('/health/ready')).status === 503);
    const packets = [[1, 2, 3, 4, 5].map(write).join(''), [6, 7].map(write).join('')];
    const answers = await answersOf(port, packets, 600, 20_000);
    const { body } = await client.get('/tags?hide_empty=false');
    // The first packet is in progress at shutdown. The service begins no request after its last response.
    expect(answers.map(({ status, headers }) => [status, headers.connection])).toEqual([
      [201, 'keep-alive'],
      [201, 'keep-alive'],
      [201, 'keep-alive'],
      [201, 'keep-alive'],
      [201, 'close'],
    ]);
    expect((body.tags as { name: string }[]).map(({ name }) => name)).toEqual(
      answers.map(({ body: tag }) => tag.name as string),
    );
    // A second signal does not wait for the delay.
    kill('SIGTERM');
    expect(await ended).toBe(1);
  }, 60_000);

  describe('during a migration', () => {
    /** Blocks the start at its migration: another connection holds the lock of the SQLite file. */
    async function startHeld(SHUTDOWN_TIMEOUT: string) {
      const file = join(emptyFolder(), 'x.sqlite');
      const lock = new BetterSqlite3(`${file}.lock`);
      lock.exec('BEGIN IMMEDIATE');
      const DATABASE_URL = `sqlite:${file}`;
      const server = await startServer({ DATABASE_URL, SHUTDOWN_TIMEOUT }, undefined, 'listening');
      while (!existsSync(file)) await sleep(20);
      await sleep(200);
      return { ...server, file, lock };
    }

    test('SIGTERM waits for the migration', async () => {
      const { file, lock, kill, ended, output } = await startHeld('30');
      kill('SIGTERM');
      expect(await Promise.race([ended, sleep(1500, 'waiting')])).toBe('waiting');
      lock.close();
      expect(await ended).toBe(0);
      const database = new BetterSqlite3(file);
      expect(database.prepare('SELECT count(*) AS count FROM migrations').get()).not.toEqual({ count: 0 });
      database.close();
      expect(output.stdout).not.toContain('"msg":"ready"');
    }, 60_000);

    test('SIGTERM waits no longer than SHUTDOWN_TIMEOUT', async () => {
      const { lock, kill, ended } = await startHeld('1');
      const began = performance.now();
      kill('SIGTERM');
      expect(await ended).toBe(0);
      expect(performance.now() - began).toBeGreaterThan(900);
      lock.close();
    }, 60_000);
  });

  test('closes the connections of requests that outlast SHUTDOWN_TIMEOUT', async () => {
    const { port, kill, ended } = await startServer({ ...settings(), SHUTDOWN_DELAY: '0', SHUTDOWN_TIMEOUT: '1' });
    const write = begin(port);
    await sleep(100);
    const began = performance.now();
    kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(performance.now() - began).toBeGreaterThan(900);
    expect(await write.answered).toBe('');
  }, 60_000);

  test.each(['1', '2'])(
    'SIGHUP ends %s serving processes as SIGTERM does',
    async (WORKERS) => {
      const { kill, ended, output } = await startServer({ ...settings(), SHUTDOWN_DELAY: '0', WORKERS });
      kill('SIGHUP');
      expect(await ended).toBe(0);
      expect(output.stdout).toContain('"msg":"stopping');
    },
    60_000,
  );

  test('a second signal ends the process at once with exit code 1', async () => {
    const { port, kill, ended } = await startServer({ ...settings(), SHUTDOWN_DELAY: '60' });
    begin(port);
    kill('SIGTERM');
    await sleep(500);
    const began = performance.now();
    kill('SIGINT');
    expect(await ended).toBe(1);
    expect(performance.now() - began).toBeLessThan(10_000);
  }, 60_000);

  test.each([
    ['an exception', 'throw new Error("on purpose")'],
    ['a rejection', 'Promise.reject(new Error("on purpose"))'],
  ])(
    '%s without a handler is logged, open requests finish, and the exit code is 1',
    async (_what, code) => {
      const fault = `data:text/javascript,process.on("SIGUSR2",()=>{${code}})`;
      const options = { ...settings(), NODE_OPTIONS: `--import=${encodeURI(fault)}`, SHUTDOWN_DELAY: '0' };
      const { port, kill, ended, output } = await startServer(options);
      const write = begin(port);
      await sleep(100);
      kill('SIGUSR2');
      await sleep(500);
      write.finish();
      expect(await write.answered).toMatch(/^HTTP\/1.1 201/);
      expect(await ended).toBe(1);
      expect(output.stdout).toMatch(/"level":50[^\n]*"message":"on purpose"/);
    },
    60_000,
  );
});
