import type { Dialect } from './dialect.js';
import { LOCK_WAIT, MYSQL } from './dialect.mysql.js';

/** MariaDB where it differs from MySQL. */
export const MARIADB: Dialect = {
  ...MYSQL,
  name: 'mariadb',
  limits: (seconds) => [`SET SESSION max_statement_time = ${seconds}, lock_wait_timeout = ${LOCK_WAIT}`],
};
