import type { DataSource, DataSourceOptions } from 'typeorm';
import type { Dialect } from './dialect.js';
import { MARIADB, MYSQL } from './dialect.mysql.js';
import { SQLITE } from './dialect.sqlite.js';

const DIALECTS: Partial<Record<DataSourceOptions['type'], Dialect>> = {
  'better-sqlite3': SQLITE,
  mysql: MYSQL,
  mariadb: MARIADB,
};

/** Returns the dialect of a data source. A server's engine is known after the first connection. */
export function dialectOf(dataSource: DataSource): Dialect {
  return DIALECTS[dataSource.options.type] as Dialect;
}
