import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, createConnection } from 'mysql2/promise';
import { Database } from '../../src/database/database.js';
import { startApp, type TestApp } from '../support/app.js';
import { runCommand } from '../support/command.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Gate } from '../support/gate.js';
import { emptyFolder, runCli, runServer, startServer } from '../support/process.js';
import { Client } from '../support/client.js';

/** These tests need a MySQL or MariaDB server in DATABASE_URL: `npm run test:servers`. */
const EVENT = { title: 'T', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };

const databaseOf = async (test: TestApp) => {
  const [row] = await test.app.get(Database).query<{ name: string }>('SELECT database() AS name');
  return row?.name ?? '';
};

describe('a database server', () => {
  let test: TestApp;
  let root: Connection;
  let name: string;
  beforeAll(async () => {
    test = await startApp();
    root = await createConnection(process.env.DATABASE_URL as string);
    name = await databaseOf(test);
  });
  afterAll(async () => {
    await root.end();
    await test.close();
  });

  const connections = async () => {
    const [rows] = await root.query('SELECT id FROM information_schema.processlist WHERE db = ?', [name]);
    return (rows as { id?: number; ID?: number }[]).map((row) => row.id ?? row.ID);
  };

  it('gives every connection the same session: UTC, READ COMMITTED, strict mode, a short lock timeout', async () => {
    const database = test.app.get(Database);
    const settings =
      '@@time_zone AS zone, @@transaction_isolation AS isolation, @@sql_mode AS mode, @@innodb_lock_wait_timeout AS wait';
    const isolation =
      test.app.get(Database).dialect.name === 'mariadb'
        ? settings.replace('@@transaction_isolation', '@@tx_isolation')
        : settings;
    const read = () => database.query<Record<string, unknown>>(`SELECT ${isolation}, sleep(0.05)`);
    const rows = await Promise.all(Array.from({ length: 10 }, read));
    for (const [row] of rows) {
      expect(row).toMatchObject({ zone: '+00:00', isolation: 'READ-COMMITTED', wait: 3 });
      expect(row?.mode).toContain('STRICT_ALL_TABLES');
    }
  });

  it('sorts events by titles of the maximum length', async () => {
    const title = (n: number) => `${'\uFDFA'.repeat(499)}${n % 10}`;
    for (let n = 0; n < 40; n += 1) await test.client.post('/events', { ...EVENT, title: title(n) }, test.tokens.adm);
    const { status, body } = await test.client.get(
      '/events?orderby=title&order=desc&per_page=40&starts_after=2027-01-01',
    );
    expect(status).toBe(200);
    const titles = (body.events as { title: string }[])
      .map((event) => event.title)
      .filter((text) => text.length === 500);
    expect(titles).toHaveLength(40);
    expect(titles).toEqual(titles.toSorted().toReversed());
  });

  it('serves reads while the data_version table is locked', async () => {
    await test.client.get('/events');
    await root.query(`LOCK TABLES ${name}.data_version WRITE`);
    try {
      const replies = await Promise.all(['/events', '/venues', '/categories'].map((path) => test.client.get(path)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    } finally {
      await root.query('UNLOCK TABLES');
    }
  });

  it('serves requests after all connections have been killed', async () => {
    await test.client.post('/events', EVENT, test.tokens.adm);
    for (const id of await connections()) await root.query(`KILL ${id}`).catch(() => undefined);
    await sleep(200);
    const replies = [];
    for (let n = 0; n < 5; n += 1) {
      replies.push(
        (await test.client.get('/events')).status,
        (await test.client.post('/events', EVENT, test.tokens.adm)).status,
      );
    }
    expect(replies).toEqual([200, 201, 200, 201, 200, 201, 200, 201, 200, 201]);
  });

  it('retries a transaction whose connection is lost before the commit', async () => {
    const database = test.app.get(Database);
    let attempts = 0;
    await database.inTransaction(async (tx) => {
      attempts += 1;
      await tx.insert('name_locks', { name: 'lost once' });
      const [{ id } = { id: 0 }] = await tx.query<{ id: number }>('SELECT connection_id() AS id');
      if (attempts === 1) await root.query(`KILL ${id}`);
    });
    expect(attempts).toBe(2);
    expect(await database.query('SELECT name FROM name_locks WHERE name = ?', ['lost once'])).toHaveLength(1);
  });

  it('rolls back a failed write and leaves no transaction open', async () => {
    const database = test.app.get(Database);
    const failing = database.inTransaction(async (tx) => {
      await tx.insert('name_locks', { name: 'left behind' });
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    const found = await database.query('SELECT name FROM name_locks WHERE name = ?', ['left behind']);
    expect(found).toEqual([]);
    const [open] = await root.query(
      'SELECT trx_id FROM information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id WHERE p.db = ?',
      [name],
    );
    expect(open).toEqual([]);
  });

  it('retries a transaction that the server chose as the victim of a deadlock', async () => {
    const database = test.app.get(Database);
    await database.inTransaction((tx) => tx.insertMany('name_locks', [{ name: 'a' }, { name: 'b' }]));
    let attempts = 0;
    const both = (first: string, second: string) =>
      database.inTransaction(async (tx) => {
        attempts += 1;
        await tx.lockName(first);
        await sleep(300);
        await tx.lockName(second);
        return `${first}${second}`;
      });
    await expect(Promise.all([both('a', 'b'), both('b', 'a')])).resolves.toEqual(['ab', 'ba']);
    expect(attempts).toBeGreaterThan(2);
  });

  it('returns 503 with Retry-After when too many requests wait for a connection', async () => {
    const database = test.app.get(Database);
    const busy = Array.from({ length: 10 }, () => database.query('SELECT sleep(4)'));
    const waiting = Array.from({ length: 230 }, () => test.client.get('/tags'));
    const replies = await Promise.all(waiting);
    await Promise.all(busy);
    const refused = replies.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect(replies.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
    expect((await test.client.get('/tags')).status).toBe(200);
  });
});

describe('the privileges and the URL of a database server', () => {
  let database: TestDatabase;
  let root: Connection;
  let name: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    name = new URL(database.url).pathname.slice(1);
    root = await createConnection(process.env.DATABASE_URL as string);
    for (const [user, privileges] of [
      ['migrates', 'CREATE, ALTER, DROP, INDEX, SELECT, INSERT, UPDATE, DELETE'],
      ['serves', 'SELECT, INSERT, UPDATE, DELETE'],
    ]) {
      await root.query(`CREATE USER ${user}_${name.slice(-8)} IDENTIFIED BY 'pass/word?'`);
      await root.query(`GRANT ${privileges} ON ${name}.* TO ${user}_${name.slice(-8)}`);
    }
  });
  afterAll(async () => {
    for (const user of ['migrates', 'serves']) await root.query(`DROP USER ${user}_${name.slice(-8)}`);
    await root.end();
    await database.drop();
  });

  const address = (user: string, password: string, params = '') => {
    const url = new URL(database.url);
    url.username = `${user}_${name.slice(-8)}`;
    url.password = password;
    return url.toString() + params;
  };

  it('a database that does not exist is named, with what to do', async () => {
    const { code, stderr } = await runCli(['migrate'], { DATABASE_URL: `${database.url}_missing` });
    expect(code).toBe(1);
    expect(stderr).toMatch(/Unknown database '\w+_missing'\. Create it by CREATE DATABASE, or name another one\.\n$/);
  });

  it('migrates with one user and serves with a less privileged one, whose password is in a file', async () => {
    const file = join(emptyFolder(), 'password');
    writeFileSync(file, 'pass/word?\n');
    const settings = { DATABASE_URL: address('serves', ''), DATABASE_PASSWORD_FILE: file };
    const early = await runServer(settings);
    expect(early.code).toBe(1);
    expect(early.stderr).toMatch(/^DATABASE_URL: .*denied.*\n$/);

    const migrated = await runCli(['migrate'], { DATABASE_URL: address('migrates', encodeURIComponent('pass/word?')) });
    expect([migrated.stderr, migrated.code]).toEqual([expect.stringMatching(/^Database: mysql:[^\n]+\n$/), 0]);

    const token = 'operators-token-of-at-least-32-characters';
    const server = await startServer({ ...settings, KALENDS_ADMIN_TOKEN: token });
    const client = new Client(server.port, '/calendar/events/v1');
    const body = {
      ...EVENT,
      venue: { venue: 'Hall' },
      organizer: [{ organizer: 'Ann' }],
      categories: ['New'],
      tags: ['new'],
    };
    const { status, body: event } = await client.post('/events', body, token);
    expect(status).toBe(201);
    expect((await client.put(`/events/${event.id}`, { title: 'U', tags: [] }, token)).status).toBe(200);
    expect((await client.delete(`/events/${event.id}`, token)).status).toBe(200);
    expect((await client.delete(`/events/${event.id}?force=true`, token)).status).toBe(200);
    await server.stop();
  });

  it('ssl-mode=REQUIRED uses TLS, or makes the start fail if the server has no TLS', async () => {
    const [[{ value: offered }]] = (await root.query(
      "SELECT IF(count(*) > 0 AND max(variable_value) NOT IN ('', 'DISABLED', 'NO'), 1, 0) AS value FROM " +
        `${(await isMariaDb(root)) ? 'information_schema.global_variables' : 'performance_schema.global_variables'} ` +
        `WHERE variable_name = '${(await isMariaDb(root)) ? 'have_ssl' : 'ssl_cert'}'`,
    )) as unknown as [[{ value: number }]];
    const settings = { DATABASE_URL: address('migrates', encodeURIComponent('pass/word?'), '?ssl-mode=REQUIRED') };
    if (offered === 0) {
      const { code, stderr } = await runServer(settings);
      expect(code).toBe(1);
      expect(stderr).toMatch(/secure|SSL|TLS/i);
      return;
    }
    const server = await startServer(settings);
    const [rows] = await root.query(
      `SELECT s.variable_value AS cipher FROM performance_schema.status_by_thread s
       JOIN performance_schema.threads t ON t.thread_id = s.thread_id
       WHERE s.variable_name = 'Ssl_cipher' AND t.processlist_db = ?`,
      [name],
    );
    const ciphers = (rows as { cipher: string }[]).map(({ cipher }) => cipher);
    expect(ciphers.length).toBeGreaterThan(0);
    expect(ciphers).not.toContain('');
    await server.stop();
  });
});

describe('a database server that is temporarily unavailable', () => {
  let database: TestDatabase;
  let gate: Gate;
  beforeEach(async () => {
    database = await createTestDatabase();
    gate = new Gate(database.url);
  });
  afterEach(async () => {
    await gate.shut();
    await database.drop();
  });
  const TOKEN = 'operators-token-of-at-least-32-characters';
  const settings = () => ({ DATABASE_URL: gate.url, KALENDS_ADMIN_TOKEN: TOKEN });
  const readiness = async (port: number) => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status;
  /** The service looks every second. A busy machine takes longer. */
  const LATEST_MS = 15_000;
  const msUntil = async (port: number, status: number) => {
    const began = performance.now();
    while ((await readiness(port)) !== status) await sleep(20);
    return performance.now() - began;
  };

  it('may start after the service, which is then ready within 10 seconds', async () => {
    await gate.reserve();
    const { port, stop } = await startServer(settings(), undefined, 'listening');
    expect(await readiness(port)).toBe(503);
    await sleep(1500);
    await gate.open();
    expect(await msUntil(port, 200)).toBeLessThan(10_000);
    const client = new Client(port, '/calendar/events/v1');
    expect((await client.post('/events', EVENT, TOKEN)).status).toBe(201);
    expect(await stop()).toBe(0);
  }, 60_000);

  it('turns readiness off, but not liveness, while it does not respond', async () => {
    await gate.open();
    const { port, output, stop } = await startServer(settings());
    expect(await msUntil(port, 200)).toBeLessThan(LATEST_MS);
    gate.freeze();
    expect(await msUntil(port, 503)).toBeLessThan(LATEST_MS);
    expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200);
    gate.thaw();
    expect(await msUntil(port, 200)).toBeLessThan(LATEST_MS);
    await gate.shut();
    expect(await msUntil(port, 503)).toBeLessThan(LATEST_MS);
    const list = async () => (await fetch(`http://127.0.0.1:${port}/calendar/events/v1/events`)).status;
    expect(await list()).toBe(503);
    await gate.open();
    expect(await msUntil(port, 200)).toBeLessThan(LATEST_MS);
    expect(await list()).toBe(200);
    await stop();
    // An unavailable database is logged as a warning (40), not as an error (50).
    expect(output.stdout).toMatch(/"level":40.*"code":"ECONNREFUSED"/);
    expect(output.stdout).not.toContain('"level":50');
  }, 120_000);

  it.each([
    ['a wrong password', (url: URL) => ((url.username = 'nobody'), (url.password = 'hush'))],
    ['TLS that it does not speak', (url: URL) => url.searchParams.set('ssl-mode', 'VERIFY_IDENTITY')],
  ])(
    'makes the start fail with a message for %s',
    async (_what, spoil) => {
      const url = new URL(database.url);
      spoil(url);
      const { code, stderr } = await runServer({ DATABASE_URL: url.toString(), PORT: '0' });
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^DATABASE_URL( \(or DATABASE_PASSWORD_FILE\))?: .*(denied|TLS|SSL|secure|certificate).*\n$/i,
      );
      expect(stderr).not.toContain('hush');
    },
    60_000,
  );

  it('gets no administrator if the token cannot be written to ./data, and one line says what to do', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'data'), 'in the way');
    const settings = { DATABASE_URL: database.url };
    const { code, stderr } = await runCommand(['user', 'add', 'ann', '--role', 'editor'], settings, folder);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^KALENDS_ADMIN_TOKEN: .+ data\/admin-token .+\n$/)]);
    const { stdout } = await runCommand(['user', 'list'], settings);
    expect(stdout).toMatch(/^id +login +role +tokens +created \(UTC\)\n$/);
  }, 60_000);
});

async function isMariaDb(connection: Connection): Promise<boolean> {
  const [[{ version }]] = (await connection.query('SELECT version() AS version')) as unknown as [[{ version: string }]];
  return /mariadb/i.test(version);
}
