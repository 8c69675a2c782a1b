import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BetterSqlite3 } from '../../src/database/connection/sqlite-driver.js';
import { startOwnApp, type TestApp } from '../support/app.js';
import { contentsOf, Copy, type ToldChange } from '../support/changes.js';
import { Client } from '../support/client.js';
import { freePort } from '../support/free-port.js';
import { guarded } from '../support/guard.js';
import { emptyFolder, startServer } from '../support/process.js';
import { Random } from '../support/random.js';
import { RandomWrites } from '../support/random-writes.js';

/** Nightly there are more. */
const OPERATIONS = Number(process.env.MIRROR_OPERATIONS ?? 500);
const WRITERS = 8;
/** Service and mirrors are killed so often. With more operations also every ten seconds. */
const KILLS = 2;
const KILL_INTERVAL_MS = 10_000;
const SEED = 20_261_123;

let service: TestApp;
beforeAll(async () => {
  service = await startOwnApp();
});
afterAll(() => service.close());

/** The program of examples/mirror, which keeps a copy in a file and is killed now and then. */
class Mirror {
  readonly path = join(emptyFolder(), 'copy.sqlite');
  private running: ChildProcess | undefined;

  constructor(
    private readonly root: string,
    private readonly token: string,
  ) {}

  start(...options: string[]): ChildProcess {
    const program = resolve('examples/mirror/mirror.py');
    const env = { PATH: process.env.PATH, TOKEN: this.token };
    this.running = guarded(spawn('python3', [program, this.root, this.path, ...options], { env, stdio: 'ignore' }));
    return this.running;
  }

  async kill(): Promise<void> {
    this.running?.kill('SIGKILL');
    if (this.running?.exitCode === null && this.running.signalCode === null) await once(this.running, 'exit');
  }

  /** Runs until the copy is up to date, and returns it. */
  async finish(): Promise<[string, unknown][]> {
    await this.kill();
    const [code] = (await once(this.start('--once'), 'exit')) as [number];
    expect(code).toBe(0);
    const file = new BetterSqlite3(this.path, { readonly: true });
    const rows = file.prepare('SELECT type, id, record FROM records').all() as {
      type: string;
      id: number;
      record: string;
    }[];
    file.close();
    return contentsOf(
      new Map(rows.map(({ type, id, record }) => [`${type} ${id}`, JSON.parse(record) as ToldChange['record']])),
    );
  }
}

test(
  `CHG-26: ${WRITERS} writers and killed programs: a mirror equals a fresh copy, as anonymous and as editor`,
  async () => {
    const port = String(await freePort());
    const settings = { DATABASE_URL: service.databaseUrl, PORT: port };
    let server = await startServer(settings);
    const { mount } = service.client;
    const root = `http://127.0.0.1:${port}${mount}`;
    const mirrors = [new Mirror(root, ''), new Mirror(root, service.tokens.edi)];
    for (const mirror of mirrors) mirror.start();
    const client = new Client(server.port, mount);
    const random = new Random(SEED);
    const writes = new RandomWrites(client, service.tokens.adm, random);
    let done = 0;
    const write = async () => {
      while (done < OPERATIONS) {
        done += 1;
        // While the service is away, the operation is tried again.
        while (!(await writes.next())) await sleep(50);
      }
    };
    const writing = Promise.all(Array.from({ length: WRITERS }, write));
    const killAll = async () => {
      server.kill('SIGKILL');
      await Promise.all([server.ended, ...mirrors.map((mirror) => mirror.kill())]);
      server = await startServer(settings);
      for (const mirror of mirrors) mirror.start();
    };
    for (let kills = 0; done < OPERATIONS;) {
      const from = done;
      const until = performance.now() + KILL_INTERVAL_MS;
      const step = Math.min(OPERATIONS / (KILLS + 1), 1_000);
      const isDue = () => done - from >= step || (OPERATIONS > 1_000 && performance.now() > until);
      while (!isDue() && done < OPERATIONS) await sleep(20);
      if (OPERATIONS <= 1_000 && kills === KILLS) break;
      if (done < OPERATIONS) await killAll();
      kills += 1;
    }
    await writing;
    for (const [index, token] of [undefined, service.tokens.edi].entries()) {
      const fresh = new Copy(client, { token });
      await fresh.follow();
      expect(fresh.records.size).toBeGreaterThan(10);
      expect(await mirrors[index]!.finish()).toEqual(fresh.contents());
    }
    await server.stop();
  },
  Math.max(300_000, OPERATIONS * 200),
);
