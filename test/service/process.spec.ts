import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
    const first = await startServer({ DATABASE_URL: database.url }, folder);
    const file = join(folder, 'data', 'admin-token');
    const token = readFileSync(file, 'utf8').trim();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(first.output.stderr).toContain(`curl -X POST http://127.0.0.1:${first.port}/calendar/events/v1/events`);
    expect(first.output.stdout + first.output.stderr).not.toContain(token);
    const client = new Client(first.port, '/calendar/events/v1');
    expect((await client.post('/events', EVENT, token)).status).toBe(201);
    const basic = Buffer.from(`admin:${token}`).toString('base64');
    expect(
      (await client.send('/events', { method: 'POST', body: EVENT, headers: { authorization: `Basic ${basic}` } }))
        .status,
    ).toBe(201);
    await first.stop();

    const second = await startServer({ DATABASE_URL: database.url }, folder);
    expect(second.output.stderr).toBe('');
    expect((await new Client(second.port, '/calendar/events/v1').post('/events', EVENT, token)).status).toBe(201);
    await second.stop();
  });

  it('creates no administrator if it cannot store the token, and never overwrites another token', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'data'), 'in the way');
    const settings = { DATABASE_URL: database.url, PORT: '0' };
    const stopped = await runServer(settings, folder);
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toMatch(/^KALENDS_ADMIN_TOKEN: .+\n$/);
    rmSync(join(folder, 'data'));

    await (await startServer(settings, folder)).stop();
    const first = readFileSync(join(folder, 'data', 'admin-token'), 'utf8');
    const other = await createTestDatabase();
    const { output, stop } = await startServer({ DATABASE_URL: other.url }, folder);
    await stop();
    expect(output.stderr).toContain('its token in ./data/admin-token-2');
    expect(readFileSync(join(folder, 'data', 'admin-token'), 'utf8')).toBe(first);
    expect(readFileSync(join(folder, 'data', 'admin-token-2'), 'utf8')).not.toBe(first);
    await other.drop();
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
    expect([code, stderr]).toEqual([1, expect.stringMatching(new RegExp(`^${name}: .+\\n$`))]);
  });

  it('a command that cannot open its database reports the invalid setting in one line', async () => {
    const { code, stderr } = await runCli(['user', 'list'], { DATABASE_URL: `sqlite:${folder}` });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^DATABASE_URL: .+\n$/)]);
  });
});
