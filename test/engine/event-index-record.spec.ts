import { Database } from '../../src/database/database.js';
import { PurgeCommand } from '../../src/upkeep/purge.command.js';
import type { Client } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { event } from '../support/factories.js';
import { useIndexedServices } from '../support/indexed-services.js';
import { recordStatements } from '../support/statements.js';
import { told } from '../support/told.js';

const { app, other, without, expectNoDifferences } = useIndexedServices();

describe('the change record does not continue, so that the index is loaded again', () => {
  const totalOf = async ({ client }: { client: Client }) =>
    (await client.get('/events?per_page=1')).body.total as number;
  const database = () => app().app.get(Database);
  /** Changes rows by other means than the service. */
  const byHand = (...statements: string[]) =>
    database().inTransaction(async (tx) => {
      for (const statement of statements) await tx.execute(statement);
    });
  const hideAll = 'UPDATE events SET hide_from_listings = 1';

  beforeEach(async () => {
    await event(app().client, app().tokens.adm);
    expect(await totalOf(app())).toBeGreaterThan(0);
    expect(await totalOf(other())).toBeGreaterThan(0);
  });
  afterEach(async () => {
    expect([await totalOf(app()), await totalOf(other())]).toEqual([0, 0]);
    await expectNoDifferences();
  });

  test('after a bare update of data_version', () => byHand(hideAll, 'UPDATE data_version SET version = version + 1'));

  test('after a restore to a lower version', () =>
    byHand(
      hideAll,
      'DELETE FROM changes WHERE seq = (SELECT version FROM data_version WHERE id = 1)',
      'UPDATE data_version SET version = version - 1',
    ));

  test('after data_version was lowered below changes that are still there, and after the next writes', async () => {
    await byHand(hideAll, 'UPDATE data_version SET version = version - 2');
    // Each takes a number that an earlier commit has had.
    for (let writes = 0; writes < 2; writes += 1) {
      const { client, tokens } = app();
      const { id } = await event(client, tokens.adm);
      expect([await totalOf(app()), await totalOf(other())]).toEqual([1, 1]);
      await client.delete(`/events/${id}?force=true`, tokens.adm);
      expect([await totalOf(app()), await totalOf(other())]).toEqual([0, 0]);
    }
  });

  test('after a restore to a higher version of another history', () =>
    byHand(
      hideAll,
      "UPDATE changes SET made_utc = '2020-01-01 00:00:00'",
      `INSERT INTO changes (seq, kind, record_id, user_id, made_utc)
       SELECT version + 1, 'event.updated', 0, 0, '2026-01-01 00:00:00' FROM data_version`,
      'UPDATE data_version SET version = version + 1',
    ));

  test('after a restore to the same version, and caches are emptied', () =>
    byHand(hideAll, "UPDATE data_version SET epoch = 'feedc0de'"));

  test('after changes were purged that it has not read', async () => {
    const { client, tokens } = app();
    const known = (await client.get('/events?per_page=50')).body.events as { id: number }[];
    // `without` writes, so that no other process looks in between.
    for (const { id } of known) await without().client.post(`/events/${id}`, { hide_from_listings: true }, tokens.adm);
    app().setNow('2026-11-20T11:00:00Z');
    await told(() => without().app.get(PurgeCommand).run({ changesOlderThan: '0d', dryRun: false }));
  });

  test('after `kalends reread`, which follows changes by hand', async () => {
    await byHand(hideAll);
    await runCommand(['reread'], { DATABASE_URL: app().databaseUrl });
  });
});

test('purge keeps the changes of the newest commit, from which the index goes on', async () => {
  const { client, tokens } = app();
  await event(client, tokens.adm);
  app().setNow('2026-12-20T08:00:00Z');
  await told(() => app().app.get(PurgeCommand).run({ changesOlderThan: '0d', dryRun: false }));
  expect((await client.get('/events')).status).toBe(200);
  app().setNow('2026-12-21T08:00:00Z');
  const database = app().app.get(Database);
  const newest = 'SELECT c.seq FROM changes c JOIN data_version v ON v.version = c.seq';
  expect(await database.query(newest)).not.toEqual([]);
  await event(client, tokens.adm);
  const statements = recordStatements(app());
  expect((await client.get('/events')).status).toBe(200);
  expect(statements.some(({ sql }) => sql.includes('ORDER BY e.id LIMIT'))).toBe(false);
  await expectNoDifferences();
});

test('every commit that raises the version leaves a change', async () => {
  const database = app().app.get(Database);
  const newest = async () =>
    (await database.query('SELECT c.kind FROM changes c JOIN data_version v ON v.version = c.seq')).map(
      ({ kind }) => kind,
    );
  await database.inTransaction(async (tx) => void (await tx.lockVersion()));
  expect(await newest()).toEqual(['all.changed']);
});
