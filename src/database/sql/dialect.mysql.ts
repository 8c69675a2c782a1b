import { serverWarnings, type ServerFacts } from './database-warnings.js';
import { type Dialect, driverError } from './dialect.js';

/** Deadlock, lock wait, snapshot conflict, cluster not ready or certification failed. */
const RETRYABLE = new Set([1213, 1205, 1020, 1047, 1180, 3100, 3101, 8002, 8022, 8028, 9007]);
/** Killed, shut down, or read-only after a failover. */
const LOST_NUMBERS = new Set([1927, 3169, 1053, 1290, 1792, 1836]);
const LOST_CODES = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** The network's own codes: ECONNREFUSED, EHOSTUNREACH, ENETDOWN … */
const LOST_FAMILIES = /^E(CONN|HOST|NET)/;
/** Too many connections, and statements that took too long or that somebody stopped. */
const OVERLOADED = new Set([1040, 3024, 1969, 1317]);
/** No space left for a row, a table, a temporary file. */
const DISK_FULL = new Set([3, 20, 1021, 1114]);
/** How long a statement waits for a lock, in seconds. */
const LOCK_WAIT = 3;

interface WriteResult {
  insertId: number;
}

export const MYSQL: Dialect = {
  name: 'mysql',
  begin: 'START TRANSACTION',
  snapshot: [
    'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
    'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
  ],
  oneWriter: false,
  session: [
    "SET SESSION time_zone = '+00:00'",
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
    "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO'",
    `SET SESSION innodb_lock_wait_timeout = ${LOCK_WAIT}, group_concat_max_len = 1048576`,
    // Titles sort by all of their text; the buffer must hold 15 keys of that length, or the server refuses to sort.
    'SET SESSION max_sort_length = 65536, sort_buffer_size = 4194304',
  ],
  // MySQL ends a SELECT only; what else takes long waits for a lock. LOCK TABLES and changes of the schema lock tables.
  limits: (seconds) => [`SET SESSION max_execution_time = ${seconds * 1000}, lock_wait_timeout = ${LOCK_WAIT}`],
  // Every user may read these; a view of all settings is for some only.
  selfReport:
    'SELECT @@innodb_flush_log_at_trx_commit AS flushLog, @@sync_binlog AS syncBinlog, @@log_bin AS binaryLog, ' +
    'UNIX_TIMESTAMP(NOW(6)) AS now',
  warnings: (facts, trip) => serverWarnings(facts as ServerFacts, trip),
  insertedId: (result) => (result as WriteResult).insertId,
  byIndex: (name) => ` FORCE INDEX (${name})`,
  byId: ' FORCE INDEX (PRIMARY)',
  sortsWithinTies: false,
  joinInOrder: 'STRAIGHT_JOIN',
  // MariaDB knows no other name for the new row.
  addToExisting: (_key, column) => ` ON DUPLICATE KEY UPDATE ${column} = ${column} + VALUES(${column})`,
  raise: (table, column) => `UPDATE ${table} SET ${column} = LAST_INSERT_ID(${column} + 1) WHERE id = 1`,
  raised: (result) => (result as WriteResult).insertId,
  async lockNames(sql, names) {
    // Takes each row for itself whether or not it is there. INSERT IGNORE would share a row that is there, and of those
    // who share it each would wait for the others.
    const places = names.map(() => '(?)').join(', ');
    await sql.query(`INSERT INTO name_locks (name) VALUES ${places} ON DUPLICATE KEY UPDATE name = name`, names);
  },
  forUpdate: ' FOR UPDATE',
  forUpdateOfFree: ' FOR UPDATE SKIP LOCKED',
  forShare: ' LOCK IN SHARE MODE',
  isDuplicate: (error) => driverError(error).errno === 1062,
  isRetryable: (error) => RETRYABLE.has(driverError(error).errno ?? 0),
  isLost,
  isUnsent,
  isTooLarge: (error) => driverError(error).errno === 1153,
  isUnavailable: (error) => {
    const { errno = 0 } = driverError(error);
    return isLost(error) || [RETRYABLE, OVERLOADED, DISK_FULL].some((numbers) => numbers.has(errno));
  },
};

/** The connection was gone before the statement was sent. */
const UNSENT_TEXTS = /closed state|ended by the other party/;
/** The driver's promises hand on the text of an error, not always its code. */
const LOST_TEXTS = /Connection lost|ECONNRESET|EPIPE/;

function isLost(error: unknown): boolean {
  const { code = '', errno = 0, message = '' } = driverError(error);
  if (LOST_CODES.has(code) || LOST_FAMILIES.test(code) || LOST_NUMBERS.has(errno)) return true;
  return LOST_TEXTS.test(message) || isUnsent(error);
}

function isUnsent(error: unknown): boolean {
  return UNSENT_TEXTS.test(driverError(error).message ?? '');
}

/** MariaDB where it differs from MySQL. */
export const MARIADB: Dialect = {
  ...MYSQL,
  name: 'mariadb',
  limits: (seconds) => [`SET SESSION max_statement_time = ${seconds}, lock_wait_timeout = ${LOCK_WAIT}`],
};
