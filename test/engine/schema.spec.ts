import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { withOriginalQueryRunners } from '../../src/database/repositories/repositories.js';
import { startApp, type TestApp } from '../support/app.js';

describe('the schema', () => {
  let test: TestApp;
  let dataSource: DataSource;
  beforeAll(async () => {
    test = await startApp();
    dataSource = test.app.get<DataSource>(getDataSourceToken());
  });
  afterAll(() => test.close());

  it('matches the entities after all migrations', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('has an entity for each of its tables', async () => {
    const isFile = dataSource.options.type === 'better-sqlite3';
    const rows = await dataSource.query<{ name: string }[]>(
      isFile
        ? `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
        : 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = database()',
    );
    // The tables that track and lock the migrations exist before the first migration.
    const tables = rows.map(({ name }) => name).filter((name) => !/^migration(s|_lock)$/.test(name));
    const described = dataSource.entityMetadatas.map(({ tableName }) => tableName);
    expect(described.length).toBeGreaterThan(10);
    expect(described.toSorted()).toEqual(tables.toSorted());
  });

  it('can be reverted migration by migration, and applied again', async () => {
    const names = dataSource.migrations.map(({ constructor }) => constructor.name);
    const applied = await withOriginalQueryRunners(async () => {
      for (const _ of names) await dataSource.undoLastMigration();
      return dataSource.runMigrations();
    });
    expect(applied.map(({ name }) => name)).toEqual(names);
  });
});
