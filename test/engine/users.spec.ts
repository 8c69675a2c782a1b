import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ROLES } from '../../src/kernel/capability.js';
import { UsersService } from '../../src/platform/auth/users.service.js';
import type { TestApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { useApp } from '../support/events.js';
import { E, event, organizer, venue } from '../support/factories.js';
import { runCommand } from '../support/command.js';
import { emptyFolder, startServer } from '../support/process.js';

/** Timeout in milliseconds for ten processes in sequence on a busy machine. */
const LONG = 60_000;
const ADMIN = 'operators-token-of-at-least-32-characters';
/** The rows of a list, cell by cell. */
const rowsOf = (output: string) => {
  const lines = output.trimEnd().split('\n');
  return lines.map((line) => line.split(/ {2,}/));
};

// A process takes a second to start, so these tests share a server and use few commands. The rules are tested below.
describe('kalends user, kalends token', () => {
  let database: TestDatabase;
  let server: Awaited<ReturnType<typeof startServer>>;
  let client: Client;
  const folder = emptyFolder();

  beforeAll(async () => {
    database = await createTestDatabase();
    server = await startServer(settings(), folder);
    client = new Client(server.port, '/calendar/events/v1');
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });

  const settings = () => ({
    DATABASE_URL: database.url,
    KALENDS_ADMIN_TOKEN: ADMIN,
    SITE_TIMEZONE: 'America/New_York',
    LOG_LEVEL: 'warn',
  });
  const kalends = (...args: string[]) => runCommand(args, settings(), folder);
  const done = async (...args: string[]) => {
    const { code, stdout, stderr } = await kalends(...args);
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  };

  it(
    'add, create, set-role, revoke and remove take effect at once in a running server',
    async () => {
      expect(await done('user', 'add', 'ann', '--role', 'editor')).toMatch(/^User \d+ was made: ann, editor\.\n$/);
      const token = (await done('token', 'create', 'ann', '--name', 'laptop of Ann')).split('\n').at(-2) ?? '';
      expect(token).toMatch(/^[\w-]{43}$/);
      const other = (await done('token', 'create', 'ann')).trimEnd();
      expect((await client.post('/tags', { name: 'By an editor' }, token)).status).toBe(201);
      const basic = `Basic ${Buffer.from(`ann:${token}`).toString('base64')}`;
      expect((await client.send('/events', { headers: { authorization: basic } })).status).toBe(200);

      expect(await done('user', 'set-role', 'ann', 'contributor')).toBe('ann has the role contributor now.\n');
      expect((await client.post('/tags', { name: 'By a contributor' }, token)).status).toBe(403);
      expect((await event(client, token)).status).toBe('draft');

      const list = await done('token', 'list', 'ann');
      expect(list).not.toContain(token);
      const [headings = [], row = [], ...rest] = rowsOf(list);
      expect(headings).toEqual(['id', 'login', 'name', 'as', 'expires (UTC)', 'last used (UTC)', 'created (UTC)']);
      expect(row.slice(1, 5)).toEqual(['ann', 'laptop of Ann', '-', '-']);
      expect(rest.map(([, login, name]) => [login, name])).toEqual([['ann', '-']]);

      expect(await done('token', 'revoke', row[0] ?? '')).toBe(`Token ${row[0]} was revoked.\n`);
      expect([(await client.get('/events', token)).status, (await client.get('/events', other)).status]).toEqual([
        401, 200,
      ]);
      expect(await done('user', 'remove', 'ann')).toBe('ann was removed.\n');
      expect((await client.get('/events', other)).status).toBe(401);
      const users = rowsOf(await done('user', 'list'));
      expect(users.map((cells) => cells.slice(1, 4))).toEqual([
        ['login', 'role', 'tokens'],
        ['admin', 'administrator', '1'],
      ]);
    },
    LONG,
  );

  it(
    'AUTH-02, AUTH-17: token create reads --expires in the site time zone and lowers the role by --as',
    async () => {
      const [expired, dated, lower] = await Promise.all([
        kalends('token', 'create', 'admin', '--expires', '-1 day'),
        kalends('token', 'create', 'admin', '--expires', '10 January 2099 5pm'),
        kalends('token', 'create', 'admin', '--as', 'contributor'),
      ]);
      const unknown = await client.get('/events', 'unknown');
      for (const [method, path] of [
        ['GET', '/events'],
        ['GET', '/doc'],
        ['POST', '/events'],
      ] as const) {
        const sent = { method, token: expired.stdout.trimEnd(), ...(method === 'POST' ? { body: E } : {}) };
        const { status, headers, text } = await client.send(path, sent);
        expect([status, text]).toEqual([401, unknown.text]);
        expect(headers['www-authenticate']).toBe('Bearer realm="calendar"');
      }
      expect(dated.stderr).toBe('The token is valid until 2099-01-10 22:00:00 UTC.\n');
      expect((await client.post('/events', E, dated.stdout.trimEnd())).status).toBe(201);

      const published = await event(client, ADMIN);
      const token = lower.stdout.trimEnd();
      expect((await client.put(`/events/${published.id}`, { title: 'X' }, token)).status).toBe(403);
      expect((await client.post('/categories', { name: 'Lower' }, token)).status).toBe(403);
      const own = await event(client, token, { status: 'publish' });
      expect([own.status, own.author]).toEqual(['pending', published.author]);
      expect((await client.put(`/events/${own.id}`, { title: 'X' }, token)).status).toBe(200);
    },
    LONG,
  );

  it.each([
    ['There is no user nobody.\n', ['token', 'create', 'nobody']],
    ['admin is the last administrator: make another one first.\n', ['user', 'set-role', 'admin', 'editor']],
    ['--expires: "2027-02-30" is not a date', ['token', 'create', 'admin', '--expires', '2027-02-30']],
    ['"1x" is not the number of a token.\n', ['token', 'revoke', '1x']],
    ['subscriber, contributor, author, editor, administrator', ['user', 'add', 'bob', '--role', 'boss']],
    ["required option '--role <role>'", ['user', 'add', 'bob']],
  ])('fails with exit code 1 and a message: %s', async (message, args) => {
    const { code, stdout, stderr } = await kalends(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('commands on an empty database', () => {
  it('create the administrator if they change something, as a server start does; others change nothing', async () => {
    const database = await createTestDatabase();
    const folder = emptyFolder();
    const settings = { DATABASE_URL: database.url };
    for (const args of [['user', 'list'], ['token', 'list'], ['export'], ['check'], ['purge', '--dry-run']]) {
      const { code, stdout, stderr } = await runCommand(args, settings, folder);
      expect([args, code, stdout]).toEqual([args, 1, '']);
      expect(stderr).toMatch(/^(There is no database at .+|The database has no tables yet)\. `kalends migrate` .+\n$/);
    }
    const isFile = database.url.startsWith('sqlite:');
    const path = database.url.replace('sqlite:', '');
    expect([isFile && existsSync(path), existsSync(join(folder, 'data'))]).toEqual([false, false]);

    const made = await runCommand(['user', 'add', 'ann', '--role', 'editor'], settings, folder);
    const file = isFile ? join(dirname(path), 'admin-token') : 'data/admin-token';
    expect(made).toMatchObject({ code: 0, stderr: `Created the administrator admin. Its token is in ${file}\n` });
    const token = readFileSync(resolve(folder, file), 'utf8').trim();
    expect(statSync(resolve(folder, file)).mode & 0o777).toBe(0o600);
    const listed = await runCommand(['user', 'list'], settings, folder);
    expect([listed.code, rowsOf(listed.stdout)[1]?.slice(1, 4)]).toEqual([0, ['admin', 'administrator', '1']]);
    expect(listed.database).toBe(isFile ? path : database.url.replace(/\/\/.*@/, '//'));
    const server = await startServer({ DATABASE_URL: database.url }, folder);
    expect((await new Client(server.port, '/calendar/events/v1').post('/events', E, token)).status).toBe(201);
    await server.stop();
    await database.drop();
  });
});

describe('users', () => {
  const app = useApp();
  const users = () => app().app.get(UsersService);
  const logins = async () => (await users().list()).map(({ login }) => login);

  it('have unique logins of any characters that Basic authentication allows', async () => {
    for (const login of ['zoë@example.org', '東'.repeat(60), 'Known']) {
      const token = await users().issueToken(await users().create(login, 'author'));
      const authorization = (name: string) => `Basic ${Buffer.from(`${name}:${token}`).toString('base64')}`;
      const post = (name: string) =>
        app().client.send('/events', { method: 'POST', body: E, headers: { authorization: authorization(name) } });
      expect([(await post(login)).status, (await post('administrator5')).status]).toEqual([201, 401]);
    }
    const before = await logins();
    await expect(users().create('Known', 'editor')).rejects.toThrow('There is a user Known already.');
    for (const login of ['', 'a b', 'a:b', 'a\tb', 'a\u00a0b', 'a\u0085b', 'x'.repeat(61)]) {
      await expect(users().create(login, 'author')).rejects.toThrow('A login is 1 to 60 characters');
    }
    expect(await logins()).toEqual(before);
  });

  it('are created once by equal concurrent commands', async () => {
    const made = await Promise.allSettled([1, 2, 3].map(() => users().create('racer', 'author')));
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect((await logins()).filter((login) => login === 'racer')).toEqual(['racer']);
  });

  it('leave their records behind on removal; a client can send these back unchanged', async () => {
    const { client, tokens } = app();
    await users().create('leaving', 'author');
    const { id } = await users().get('leaving');
    const mine = await users().issueToken(id);
    const records = [
      ['/events', await event(client, mine, { status: 'private' })],
      ['/venues', await venue(client, mine, { venue: 'Of one who left' })],
      ['/organizers', await organizer(client, mine, { organizer: 'Of one who left' })],
    ] as const;
    await users().remove('leaving');
    expect((await client.get('/events', mine)).status).toBe(401);
    for (const [path, record] of records) {
      const { body: read } = await client.get(`${path}/${record.id}`, tokens.edi);
      expect(read.author).toBe(String(id));
      const { status, body } = await client.put(`${path}/${record.id}`, read, tokens.edi);
      expect([status, body.author]).toEqual([200, String(id)]);
    }
    const { body } = await client.post('/events', { ...E, author: 2323 }, tokens.edi);
    expect(body.data.params.author).toBe('author refers to something that does not exist: 2323.');

    // A new user with the same login has another id and no access to the old records.
    const another = await users().issueToken(await users().create('leaving', 'author'));
    expect((await client.get(`/events/${records[0][1].id}`, another)).status).toBe(403);
    expect((await event(client, another)).author).not.toBe(String(id));
    await expect(users().remove('nobody')).rejects.toThrow('There is no user nobody.');
  });

  it('never lose their last administrator, even with concurrent commands', async () => {
    await users().create('second', 'administrator');
    const administrators = async () => (await users().list()).filter(({ role }) => role === 'administrator');
    const both = (await administrators()).map(({ login }) => login);
    expect(both).toHaveLength(2);
    const ends = await Promise.allSettled([users().setRole(both[0] ?? '', 'editor'), users().remove(both[1] ?? '')]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [{ login = '' } = {}, ...others] = await administrators();
    expect(others).toEqual([]);
    await expect(users().remove(login)).rejects.toThrow(`${login} is the last administrator`);
    await expect(users().setRole(login, 'subscriber')).rejects.toThrow(`${login} is the last administrator`);
    await users().setRole(login, 'administrator');
    expect((await administrators()).map((user) => user.login)).toEqual([login]);
  });
});

describe('tokens', () => {
  const app = useApp();
  const users = () => app().app.get(UsersService);

  it('have no role above the role of their user', async () => {
    for (const [name, role] of [
      ['con', 'contributor'],
      ['edi', 'editor'],
    ] as const) {
      const id = app().userIds[name];
      for (const other of ROLES) {
        const isAbove = ROLES.indexOf(other) > ROLES.indexOf(role);
        const issued = users().issueToken(id, { role: other });
        await (isAbove
          ? expect(issued).rejects.toThrow(`The role ${other} is above that of`)
          : expect(issued).resolves.toMatch(/^[\w-]{43}$/));
      }
    }
  });

  it('never have more rights than their user has now', async () => {
    const { client } = app();
    const [token, lower] = await tokensOf(app(), 'editor', 'contributor');
    const tag = async (name: string, by: string) => (await client.post('/tags', { name }, by)).status;
    expect([await tag('One', token), await tag('Two', lower)]).toEqual([201, 403]);
    await users().setRole('turning', 'author');
    expect([await tag('Three', token), await tag('Four', lower)]).toEqual([403, 403]);
    await users().setRole('turning', 'administrator');
    expect([await tag('Five', token), await tag('Six', lower)]).toEqual([201, 403]);
  });

  it('have a name of up to 100 characters', async () => {
    const { adm } = app().userIds;
    await users().issueToken(adm, { name: '名'.repeat(100) });
    for (const name of ['x'.repeat(101), 'a\nb']) {
      await expect(users().issueToken(adm, { name })).rejects.toThrow('The name of a token is up to 100 characters');
    }
    expect((await users().tokens()).map(({ name }) => name)).toContain('名'.repeat(100));
  });

  it('are invalid as soon as they are revoked', async () => {
    const token = await users().issueToken(app().userIds.adm, { name: 'short-lived' });
    expect((await app().client.get('/events', token)).status).toBe(200);
    const found = (await users().tokens()).find(({ name }) => name === 'short-lived');
    await users().revokeToken(found?.id ?? 0);
    expect((await app().client.get('/events', token)).status).toBe(401);
    await expect(users().revokeToken(found?.id ?? 0)).rejects.toThrow(`There is no token ${found?.id}.`);
  });
});

/** Two tokens of a new user `turning`: one with the role of the user, one with a lower role. */
async function tokensOf({ app }: TestApp, role: 'editor', lower: 'contributor'): Promise<[string, string]> {
  const users = app.get(UsersService);
  const id = await users.create('turning', role);
  return [await users.issueToken(id, { role }), await users.issueToken(id, { role: lower })];
}
