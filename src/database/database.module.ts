import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../config/clock.js';
import { Environment } from '../config/environment.js';
import { SiteSettings } from '../config/site-settings.js';
import { ChangeRow, DataVersionRow, NameLockRow } from './sql/change-record.entity.js';
import { Connector } from './connector.js';
import { mustFitColumns } from './sql/columns.js';
import { createDataSource, dataSourceOptions, checkpointLog, readerOf } from './connection/data-source.js';
import { closeThread } from './connection/session.js';
import { Database } from './database.js';
import { FURTHER_MIGRATIONS, type Migrations } from './further-migrations.js';
import { guardRepositories } from './repositories/repositories.js';
import { SiteRow } from './sql/site.entity.js';

const READER = Symbol('reader');

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Environment, { token: FURTHER_MIGRATIONS, optional: true }],
      useFactory: (environment: Environment, migrations?: Migrations) => {
        mustFitColumns(environment.DATABASE_URL);
        return {
          ...dataSourceOptions(environment, migrations),
          autoLoadEntities: true,
          // The Connector initializes it, because the service listens before the database is reachable.
          manualInitialization: true,
        };
      },
      dataSourceFactory: createDataSource,
    }),
    TypeOrmModule.forFeature([ChangeRow, DataVersionRow, NameLockRow, SiteRow]),
  ],
  providers: [
    { provide: READER, inject: [getDataSourceToken()], useFactory: readerOf },
    {
      provide: Database,
      inject: [getDataSourceToken(), READER, Clock, Environment],
      useFactory: (writer: DataSource, reader: DataSource, clock: Clock, environment: Environment) => {
        const database = new Database(reader, writer, clock, {
          cacheEntries: environment.CACHE_ENTRIES,
          cacheStaleness: environment.CACHE_STALENESS,
          readTimeout: environment.DATABASE_READ_TIMEOUT,
          writeTimeout: environment.DATABASE_WRITE_TIMEOUT,
        });
        guardRepositories(writer, database);
        return database;
      },
    },
    {
      provide: Connector,
      inject: [getDataSourceToken(), READER, Database, SiteSettings],
      useFactory: (writer: DataSource, reader: DataSource, database: Database, site: SiteSettings) =>
        new Connector(writer, reader, database, site),
    },
  ],
  exports: [Database, Connector],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(READER) private readonly reader: DataSource) {}

  async onApplicationShutdown(): Promise<void> {
    if (!this.reader.isInitialized) return;
    await closeThread(this.reader);
    await this.reader.destroy();
    const { options } = this.reader;
    if (options.type === 'better-sqlite3') checkpointLog(options.database);
  }
}
