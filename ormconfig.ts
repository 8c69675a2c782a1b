import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/database/connection/data-source.js';
import { configuredDatabaseUrl } from './src/config/environment.js';

/** For TypeORM's own command line; the service itself opens its data sources in src/database/database.module.ts. */
export default new DataSource({
  ...dataSourceOptions({
    DATABASE_URL: configuredDatabaseUrl(),
    DATABASE_PASSWORD_FILE: process.env.DATABASE_PASSWORD_FILE,
    SQLITE_SYNCHRONOUS: 'full',
  }),
  entities: ['dist/**/*.entity.js'],
});
