import { chmodSync } from 'node:fs';
import { runCommand } from '../support/command.js';
import { createMigratedDatabase, createTestDatabase } from '../support/database.js';
import { startApp } from '../support/app.js';
import { event } from '../support/factories.js';

/** The text of a report about a database, by the first words of its lines. */
const rowsOf = (text: string) =>
  Object.fromEntries(
    text.split('\n').map((line) => {
      const [label = '', ...cells] = line.trim().split(/ {2,}/);
      return [label, cells.join(' ')];
    }),
  );

describe('kalends doctor', () => {
  it('shows engine, schema, rights and numbers of records, and exits with 0 if nothing is wrong', async () => {
    const service = await startApp();
    const { client, tokens, databaseUrl } = service;
    await event(client, tokens.adm, { venue: { venue: 'Hall' }, categories: ['Music'], tags: ['a', 'b'] });
    await event(client, tokens.adm, { status: 'draft' });
    const { code, stdout } = await runCommand(['doctor'], { DATABASE_URL: databaseUrl });
    expect(rowsOf(stdout)).toMatchObject({
      Engine: expect.stringMatching(/^(sqlite|mysql|mariadb) \d+\.\d+/),
      Schema: expect.stringMatching(/^\w+\d{13}, \d+ migrations$/),
      Rights: 'read and write',
      Events: '2: 1 draft, 1 publish',
      Venues: '1: 1 publish',
      Organizers: '0',
      Terms: '3: 2 post_tag, 1 tribe_events_cat',
      Users: '5: 1 administrator, 1 author, 1 contributor, 1 editor, 1 subscriber',
      Tokens: '5',
    });
    expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([
      0,
      expect.stringMatching(/^No problems found\.$|^ {2}- /),
    ]);
    await service.close();
  });

  it('tells that the schema is not that of this version, and changes nothing', async () => {
    const database = await createTestDatabase();
    const settings = { DATABASE_URL: database.url };
    const isFile = database.url.startsWith('sqlite:');
    const { code, stdout } = await runCommand(['doctor'], settings);
    expect(code).toBe(1);
    expect(stdout).toMatch(isFile ? /- There is no database at / : /- the database lacks \d+ migrations: /);
    expect((await runCommand(['user', 'list'], settings)).code).toBe(1);
    await database.drop();
  });

  it('warns of a database file that every user may read', async () => {
    const database = await createMigratedDatabase();
    if (database.url.startsWith('sqlite:')) chmodSync(database.url.replace('sqlite:', ''), 0o644);
    const { code, stdout } = await runCommand(['doctor'], { DATABASE_URL: database.url });
    expect(code).toBe(0);
    if (database.url.startsWith('sqlite:')) expect(stdout).toContain('every user of this machine may read');
    await database.drop();
  });
});
