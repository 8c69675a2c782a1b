import type { DataSource, DataSourceOptions } from 'typeorm';
import type { Dialect } from './dialect.js';
import { MARIADB } from './dialect.mysql.js';
import { MYSQL } from './dialect.mysql.js';
import { SQLITE } from './dialect.sqlite.js';

const DIALECTS: Partial<Record<DataSourceOptions['type'], Dialect>> = {
  'better-sqlite3': SQLITE,
  mysql: MYSQL,
  mariadb: MARIADB,
};

/** The dialect of an open data source: on a server it is known once the server has said what it is. */
export function dialectOf(dataSource: DataSource): Dialect {
  return DIALECTS[dataSource.options.type] as Dialect;
}
