import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { Clock } from '../platform/clock.js';
import { Environment } from '../platform/config/environment.js';
import { ChangeRow, DataVersionRow, NameLockRow } from './change.entity.js';
import { dataSourceOptions, dialectOf, foldLog, openReader, openWriter } from './data-source.js';
import { Database } from './database.js';
import { migrate } from './migrate.js';

const READER = Symbol('reader');

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Environment],
      useFactory: async ({ DATABASE_URL, DATABASE_PASSWORD_FILE }: Environment) => ({
        ...(await dataSourceOptions(DATABASE_URL, DATABASE_PASSWORD_FILE)),
        autoLoadEntities: true,
        retryAttempts: 0,
      }),
      dataSourceFactory: (options) => openMigrated(options as DataSourceOptions),
    }),
    TypeOrmModule.forFeature([ChangeRow, DataVersionRow, NameLockRow]),
  ],
  providers: [
    { provide: READER, inject: [getDataSourceToken()], useFactory: openReader },
    {
      provide: Database,
      inject: [getDataSourceToken(), READER, Clock, Environment],
      useFactory: (writer: DataSource, reader: DataSource, clock: Clock, { CACHE_ENTRIES }: Environment) =>
        new Database(dialectOf(writer), reader, writer, clock, CACHE_ENTRIES),
    },
  ],
  exports: [Database],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(READER) private readonly reader: DataSource) {}

  async onApplicationShutdown(): Promise<void> {
    const { options } = this.reader;
    if (options.type !== 'better-sqlite3' || !this.reader.isInitialized) return;
    await this.reader.destroy();
    foldLog(options.database);
  }
}

async function openMigrated(options: DataSourceOptions): Promise<DataSource> {
  const dataSource = await openWriter(options);
  await migrate(dataSource);
  return dataSource;
}
