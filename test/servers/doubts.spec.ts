import { type Connection, createConnection } from 'mysql2/promise';
import { Database } from '../../src/database/database.js';
import { databaseWarnings } from '../../src/platform/server/startup.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { metricsPortOf, startServer } from '../support/process.js';
import { until } from '../support/until.js';
import { startApp, type TestApp } from '../support/app.js';

describe('warnings about the database server', () => {
  let database: TestDatabase;
  let root: Connection;
  beforeAll(async () => {
    database = await createTestDatabase();
    root = await createConnection(process.env.DATABASE_URL as string);
  });
  afterAll(async () => {
    await root.end();
    await database.drop();
  });

  it('name the setting once when commits do not flush the log, and the service stays ready', async () => {
    const [[{ flushed }]] = (await root.query(
      'SELECT @@GLOBAL.innodb_flush_log_at_trx_commit AS flushed',
    )) as unknown as [[{ flushed: number }]];
    try {
      await root.query('SET GLOBAL innodb_flush_log_at_trx_commit = 2');
      const { port, output, stop } = await startServer({ DATABASE_URL: database.url, METRICS_PORT: '0' });
      const warnings = () =>
        output.stdout.split('\n').filter((line) => line.includes('innodb_flush_log_at_trx_commit'));
      await until(() => warnings().length > 0);
      const ready = await fetch(`http://127.0.0.1:${port}/health/ready`);
      // Anonymous callers can read it, so it does not contain the warning.
      expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
      const metricsPort = metricsPortOf({ output });
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      expect(metrics).toMatch(/^kalends_database_doubts\{about="innodb_flush_log_at_trx_commit"\} 1$/m);
      await stop();
      expect(warnings()).toEqual([expect.stringContaining('set it to 1')]);
    } finally {
      await root.query('SET GLOBAL innodb_flush_log_at_trx_commit = ?', [flushed]);
    }
  }, 120_000);

  describe('about its clock', () => {
    let test: TestApp;
    beforeAll(async () => (test = await startApp()));
    afterAll(() => test.close());

    it.each([
      ['the same time', 0, false],
      ['a process that is an hour behind', -3_600_000, true],
      ['a process that is an hour ahead', 3_600_000, true],
    ])('%s', async (_what, ahead, isDoubted) => {
      const doubts = await databaseWarnings(test.app.get(Database), () => Date.now() + ahead);
      expect(doubts.some(({ about }) => about === 'clock')).toBe(isDoubted);
    });
  });
});
