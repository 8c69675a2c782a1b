import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { emptyFolder, runCli, runServer, startServer } from '../support/process.js';

const TOKEN = 'operators-token-of-at-least-32-characters';
const EVENT = { title: 'T', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };

describe('node dist/main.js', () => {
  let database: TestDatabase;
  beforeEach(async () => (database = await createTestDatabase()));
  afterEach(() => database.drop());

  it('creates an administrator on the first start and writes its token once to a private file', async () => {
    const folder = emptyFolder();
    const DATABASE_URL = 'sqlite:./data/kalends.sqlite';
    const first = await startServer({ DATABASE_URL }, folder);
    const file = join(folder, 'data', 'admin-token');
    const token = readFileSync(file, 'utf8').trim();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(first.output.stdout).toContain('"tokenFile":"data/admin-token","msg":"created the first administrator"');
    expect([first.output.stderr, first.output.stdout.includes(token)]).toEqual(['', false]);
    const client = new Client(first.port, '/calendar/events/v1');
    expect((await client.post('/events', EVENT, token)).status).toBe(201);
    const basic = Buffer.from(`admin:${token}`).toString('base64');
    expect(
      (await client.send('/events', { method: 'POST', body: EVENT, headers: { authorization: `Basic ${basic}` } }))
        .status,
    ).toBe(201);
    await first.stop();

    const second = await startServer({ DATABASE_URL }, folder);
    expect(second.output.stdout).not.toContain('tokenFile');
    expect((await new Client(second.port, '/calendar/events/v1').post('/events', EVENT, token)).status).toBe(201);
    await second.stop();
  });

  it('creates no administrator if it cannot store the token, and never overwrites another token', async () => {
    const folder = emptyFolder();
    const settings = { DATABASE_URL: `sqlite:${join(folder, 'first.sqlite')}` };
    // A folder of that name is in the way, and the next names are taken.
    for (const name of ['admin-token', 'admin-token-2']) writeFileSync(join(folder, name), 'of another database');
    const first = await startServer(settings, folder);
    await first.stop();
    expect(first.output.stdout).toContain(`"tokenFile":"${join(folder, 'admin-token-3')}"`);
    expect(readFileSync(join(folder, 'admin-token'), 'utf8')).toBe('of another database');
    expect(readFileSync(join(folder, 'admin-token-3'), 'utf8')).toMatch(/^[\w-]{43}\n$/);
  });

  it('takes the first token from KALENDS_ADMIN_TOKEN and writes no secret to its log', async () => {
    const folder = emptyFolder();
    const server = await startServer(
      { DATABASE_URL: database.url, KALENDS_ADMIN_TOKEN: TOKEN, LOG_LEVEL: 'debug' },
      folder,
    );
    const client = new Client(server.port, '/calendar/events/v1');
    expect((await client.post('/events?password=canary-1', EVENT, TOKEN)).status).toBe(201);
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await client.send('/events/1?p%61ssword=canary-2&x=1', {
      headers: { authorization: 'Bearer canary-3', traceparent },
    });
    await client.put('/events/1', { password: 'canary-4' }, TOKEN);
    await server.stop();
    const log = server.output.stdout + server.output.stderr;
    expect(log).toContain('"method":"PUT"');
    expect(log).toContain('"traceId":"4bf92f3577b34da6a3ce929d0e0e4736","parentId":"00f067aa0ba902b7"');
    for (const secret of [TOKEN, 'canary-1', 'canary-2', 'canary-3', 'canary-4']) expect(log).not.toContain(secret);
    expect(existsSync(join(folder, 'data', 'admin-token'))).toBe(false);
  });

  it.each([
    ['PORT', 'http'],
    ['DATABASE_URL', 'postgres://x/y'],
    ['KALENDS_ADMIN_TOKEN', 'short'],
    ['TRUST_PROXY', 'gateway.internal'],
    ['SITE_TIMEZONE', 'Mars/X'],
  ])('a wrong %s stops the start with a message that names it, not its value', async (name, value) => {
    const { code, stderr } = await runServer({ DATABASE_URL: database.url, [name]: value });
    expect(code).toBe(1);
    expect(stderr).toContain(name);
    expect(stderr).not.toContain(value);
  });

  const folder = emptyFolder();
  writeFileSync(join(folder, 'text'), 'no database, but a text that is long enough for the header of one');

  it.each([
    ['DATABASE_URL', 'a folder', `sqlite:${folder}`],
    ['DATABASE_URL', 'a file that is no database', `sqlite:${join(folder, 'text')}`],
    ['DATABASE_URL', 'in a folder that nobody can make', 'sqlite:/proc/none/none/kalends.sqlite'],
    ['HOST', 'a name that nobody knows', 'no-such-host.invalid'],
    ['HOST', 'the address of another machine', '192.0.2.1'],
  ])('%s, which is %s, stops the start with one line that names it', async (name, _what, value) => {
    const settings = { DATABASE_URL: database.url, PORT: '0', KALENDS_ADMIN_TOKEN: TOKEN, [name]: value };
    const { code, stderr } = await runServer(settings);
    expect([code, stderr]).toEqual([1, expect.stringMatching(new RegExp(`^${name}: .+\\n$`))]);
  });

  it.each(['PORT', 'METRICS_PORT'])('%s in use stops the start with one line that names it', async (name) => {
    const taken = createServer().listen(0);
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const settings = { DATABASE_URL: database.url, PORT: '0', KALENDS_ADMIN_TOKEN: TOKEN, [name]: String(port) };
    const { code, stderr } = await runServer(settings);
    taken.close();
    const other = port === 65_535 ? port - 1 : port + 1;
    const advice = 'Stop the program that listens there, or set another port';
    expect([code, stderr]).toEqual([1, `${name}: port ${port} is in use. ${advice}: ${name}=${other}\n`]);
  });

  it('a command that cannot open its database reports the invalid setting in one line', async () => {
    const { code, stderr } = await runCli(['user', 'list'], { DATABASE_URL: `sqlite:${folder}` });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Database: .+\nDATABASE_URL: .+\n$/)]);
  });
});
