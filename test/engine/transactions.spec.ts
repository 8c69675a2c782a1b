import { Database } from '../../src/database/database.js';
import { TABLES } from '../../src/database/sql/tables.js';
import { useApp } from '../support/events.js';
import { category, organizer, tag, venue } from '../support/factories.js';
import { recordStatements } from '../support/statements.js';

const app = useApp();
const database = () => app().app.get(Database);

const INSERT = `INSERT INTO ${TABLES.users} (login, role, created_utc) VALUES (?, 'viewer', '2026-01-01 00:00:00')`;
const logins = async (prefix: string) => {
  const rows = await database().query<{ login: string }>(
    `SELECT login FROM ${TABLES.users} WHERE login LIKE ? ORDER BY id`,
    [`${prefix}%`],
  );
  return rows.map(({ login }) => login);
};

describe('statements that go together', () => {
  it('are carried out in order, each with its own result', async () => {
    const found = await database().inTransaction(async (tx) => {
      tx.later(INSERT, ['order-1']);
      const count = () => tx.query(`SELECT login FROM ${TABLES.users} WHERE login LIKE 'order-%' ORDER BY id`);
      return Promise.all([count(), tx.execute(INSERT, ['order-2']), count(), tx.insert(TABLES.changes, ROW), count()]);
    });
    expect(found[0]).toEqual([{ login: 'order-1' }]);
    expect(found[1]).toBe(1);
    expect(found[2]).toEqual([{ login: 'order-1' }, { login: 'order-2' }]);
    expect(found[3]).toBeGreaterThan(0);
    expect(found[4]).toEqual(found[2]);
  });

  it('end the transaction by an error of one of them, whatever its work does', async () => {
    const work = database().inTransaction(async (tx) => {
      await tx.execute(INSERT, ['error-1']);
      tx.later('INSERT INTO no_such_table (id) VALUES (1)');
      await tx.query('SELECT 1').catch(() => undefined);
      await tx.execute(INSERT, ['error-2']).catch(() => undefined);
    });
    await expect(work).rejects.toThrow('no_such_table');
    expect(await logins('error-')).toEqual([]);
  });

  it('roll back if the last one fails, for which nobody waits', async () => {
    const work = database().inTransaction(async (tx) => {
      await tx.execute(INSERT, ['last-1']);
      tx.later('INSERT INTO no_such_table (id) VALUES (1)');
    });
    await expect(work).rejects.toThrow('no_such_table');
    expect(await logins('last-')).toEqual([]);
  });

  it('are not sent any more once the transaction is rolled back', async () => {
    let late: Promise<unknown> = Promise.resolve();
    const work = database().inTransaction(async (tx) => {
      await tx.flush();
      const wrong = tx.query('SELECT no_such_column');
      late = wrong.catch(() => tx.execute(INSERT, ['late-1'])).catch(() => undefined);
      await wrong;
    });
    await expect(work).rejects.toThrow('no_such_column');
    await late;
    expect(await logins('late-')).toEqual([]);
  });

  it('are not carried out after a rollback that happens meanwhile', async () => {
    const work = database().inTransaction(async (tx) => {
      for (let n = 0; n < 8; n += 1) tx.later(INSERT, [`way-${n}`]);
      await Promise.all([tx.query('SELECT 1'), Promise.reject(new Error('refused'))]);
    });
    await expect(work).rejects.toThrow('refused');
    expect(await logins('way-')).toEqual([]);
  });

  it('are not carried out after the commit', async () => {
    let late: Promise<unknown> = Promise.resolve();
    await database().inTransaction(async (tx) => {
      await tx.execute(INSERT, ['commit-1']);
      late = new Promise((resolve) => setTimeout(resolve, 20))
        .then(() => tx.execute(INSERT, ['commit-2']))
        .catch((error: unknown) => error);
    });
    expect(String(await late)).toContain('The transaction is over.');
    expect(await logins('commit-')).toEqual(['commit-1']);
  });

  it.each(['SELECT 1 -- a comment', 'SELECT 1;', 'SELECT 1 ; '])('commit after %s', async (sql) => {
    const login = `end-${sql.length}`;
    await database().inTransaction(async (tx) => {
      await tx.execute(INSERT, [login]);
      tx.later(sql);
    });
    expect(await logins(login)).toEqual([login]);
  });

  it('have their own values, even if one has too many', async () => {
    const work = database().inTransaction(async (tx) => {
      tx.later(INSERT, ['many-1', 'excess']);
      tx.later(INSERT, ['many-2']);
      await tx.flush();
    });
    // SQLite rejects the excess, and the driver of servers ignores it.
    await work.catch(() => undefined);
    expect([[], ['many-1', 'many-2']]).toContainEqual(await logins('many-'));
    expect(await logins('excess')).toEqual([]);
  });

  it('let the work go on after an error of the first statement of the transaction', async () => {
    await database().inTransaction((tx) => tx.execute(INSERT, ['first-1']));
    await database().inTransaction(async (tx) => {
      await expect(tx.execute(INSERT, ['first-1'])).rejects.toThrow();
      await tx.execute(INSERT, ['first-2']);
    });
    expect(await logins('first-')).toEqual(['first-1', 'first-2']);
  });

  it('do not share the error of a statement of a module', async () => {
    await database().inTransaction(async (tx) => {
      tx.later(INSERT, ['module-1']);
      await expect(tx.manager.query('SELECT no_such_column')).rejects.toThrow('no_such_column');
      await tx.execute(INSERT, ['module-2']);
    });
    expect(await logins('module-')).toEqual(['module-1', 'module-2']);
  });
});

test.each([
  ['of a module in a transaction', (sql: string) => database().inTransaction((tx) => tx.manager.query(sql))],
  ['of the service in a transaction', (sql: string) => database().inTransaction((tx) => tx.query(sql))],
  ['for reading', (sql: string) => database().query(sql)],
])('a text with a second statement is rejected: %s', async (_, send) => {
  const second = INSERT.replace('?', "'second'");
  await expect(send(`SELECT 1; ${second}`)).rejects.toThrow();
  expect(await logins('second')).toEqual([]);
});

test('a create and an update with links take at most nine round trips to a server', async () => {
  const { client, tokens } = app();
  const event = {
    start_date: '2027-01-01 10:00',
    end_date: '2027-01-01 12:00',
    venue: [(await venue(client, tokens.adm, { venue: 'Hall' })).id],
    organizer: [(await organizer(client, tokens.adm, { organizer: 'Ann' })).id],
    categories: [(await category(client, tokens.adm, { name: 'Music' })).id],
    tags: [(await tag(client, tokens.adm, { name: 'Red' })).id],
  };
  const write = (path: string, title: string) => client.post(path, { ...event, title }, tokens.adm);
  const { id } = (await write('/events', 'First')).body as { id: number };
  const statements = recordStatements(app());
  // An embedded database gets the statements one by one.
  const isServer = database().dialect.name !== 'sqlite';
  expect((await write('/events', 'Second')).status).toBe(201);
  expect(statements.length).toBeLessThanOrEqual(isServer ? 9 : 20);
  statements.length = 0;
  expect((await write(`/events/${id}`, 'Third')).status).toBe(200);
  expect(statements.length).toBeLessThanOrEqual(isServer ? 9 : 25);
});

const ROW = {
  seq: 0,
  kind: 'event.updated',
  record_id: 1,
  user_id: 1,
  made_utc: '2026-01-01 00:00:00',
  listed_before: 0,
  listed_after: 0,
  listed: 0,
  owner_id: 0,
};
