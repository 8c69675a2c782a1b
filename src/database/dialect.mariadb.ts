import type { Dialect } from './dialect.js';
import { MYSQL } from './dialect.mysql.js';

/** MariaDB where it differs from MySQL: so far in its name only. */
export const MARIADB: Dialect = { ...MYSQL, name: 'mariadb' };
