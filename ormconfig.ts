import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/database/data-source.js';
import { engineOf } from './src/database/engine.js';
import { configuredDatabaseUrl } from './src/platform/config/environment.js';

const url = configuredDatabaseUrl();

/** For TypeORM's own command line; the service itself opens its data sources in src/database/database.module.ts. */
export default new DataSource({ ...dataSourceOptions(url, await engineOf(url)), entities: ['dist/**/*.entity.js'] });
