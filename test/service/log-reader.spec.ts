import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.js';
import { emptyFolder, start } from '../support/process.js';
import { until } from '../support/until.js';

const REQUESTS = 2_000;

/** Starts two workers with a pipe as standard output, as in a container. The reader of the pipe is paused. */
async function startWorkersUnread(database: TestDatabase) {
  const folder = emptyFolder();
  const fifo = join(folder, 'log');
  execFileSync('mkfifo', [fifo]);
  const reader = new Socket({ fd: openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK), writable: false });
  reader.pause();
  const writer = openSync(fifo, constants.O_WRONLY);
  const port = await freePort();
  const settings = {
    DATABASE_URL: database.url,
    HOST: '127.0.0.1',
    PORT: String(port),
    SHUTDOWN_DELAY: '0',
    WORKERS: '2',
  };
  const child = start('main.js', [], settings, folder, writer);
  closeSync(writer);
  const origin = `http://127.0.0.1:${port}`;
  const isReady = async () => (await fetch(`${origin}/health/ready`)).ok;
  await until(() => isReady().catch(() => false), 40_000);
  return { child, reader, origin, ended: once(child, 'exit') as Promise<[number | null]> };
}

async function request(origin: string): Promise<void> {
  const one = async () => {
    for (let n = 0; n < REQUESTS / 20; n += 1) await (await fetch(`${origin}/outside?${'x'.repeat(n)}`)).text();
  };
  await Promise.all(Array.from({ length: 20 }, one));
}

describe('standard output that is read slowly', () => {
  let database: TestDatabase;
  let server: Awaited<ReturnType<typeof startWorkersUnread>>;
  beforeEach(async () => {
    database = await createTestDatabase();
    server = await startWorkersUnread(database);
    await request(server.origin);
    server.child.kill('SIGTERM');
  }, 60_000);
  afterEach(async () => {
    server.child.kill('SIGKILL');
    server.reader.destroy();
    await database.drop();
  });

  it('contains each request as a whole line of any worker, also the last one before the exit', async () => {
    const { reader, ended } = server;
    let text = '';
    reader.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      reader.pause();
      setTimeout(() => reader.resume(), 2);
    });
    reader.resume();
    const [[code]] = await Promise.all([ended, once(reader, 'end')]);
    const lines = text.trimEnd().split('\n');
    const said = lines.map((line) => JSON.parse(line) as { msg: string; status?: number });
    expect(code).toBe(0);
    expect(said.filter(({ msg, status }) => msg === 'request' && status === 404)).toHaveLength(REQUESTS);
  }, 15_000);

  it('does not keep the processes alive if it is never read', async () => {
    expect(await server.ended).toEqual([0, null]);
  }, 10_000);
});

describe('standard output and standard error without a reader', () => {
  let database: TestDatabase;
  let taken: Server;
  beforeAll(async () => {
    database = await createTestDatabase();
    taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
  });
  afterAll(async () => {
    taken.close();
    await database.drop();
  });

  const settings = (port: number, WORKERS = '1') => ({
    DATABASE_URL: database.url,
    HOST: '127.0.0.1',
    PORT: String(port),
    SHUTDOWN_DELAY: '0',
    SHUTDOWN_TIMEOUT: '1',
    WORKERS,
  });
  const takenPort = () => (taken.address() as AddressInfo).port;
  /** The reader closes the pipes at once, as `head` does. */
  const startUnread = (port: number, workers?: string) => {
    const child = start('main.js', [], settings(port, workers), emptyFolder());
    child.stdout?.destroy();
    child.stderr?.destroy();
    return { child, ended: once(child, 'exit') };
  };

  it.each(['1', '2'])(
    'do not keep %s processes alive that cannot start',
    async (workers) => {
      expect(await startUnread(takenPort(), workers).ended).toEqual([1, null]);
    },
    30_000,
  );

  it('do not keep a process alive that cannot start, even if the pipe stays full', async () => {
    const folder = emptyFolder();
    const fifo = join(folder, 'log');
    execFileSync('mkfifo', [fifo]);
    const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
    for (let isFull = false; !isFull;) isFull = !tryWrite(writer);
    const child = start('main.js', [], settings(takenPort()), folder, writer);
    expect(await once(child, 'exit')).toEqual([1, null]);
    [reader, writer].forEach(closeSync);
  }, 30_000);

  it('do not keep a server alive after SIGTERM', async () => {
    const port = await freePort();
    const { child, ended } = startUnread(port);
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
    await until(() => isReady().catch(() => false), 40_000);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  }, 60_000);
});

function tryWrite(descriptor: number): boolean {
  try {
    return writeSync(descriptor, 'x'.repeat(4_096)) > 0;
  } catch {
    return false;
  }
}
