import { serverWarnings, type ServerFacts } from './database-warnings.js';
import { type Dialect, driverError } from './dialect.js';

/** Deadlock, lock wait, snapshot conflict, cluster not ready or certification failed. */
const RETRYABLE_NUMBERS = new Set([1213, 1205, 1020, 1047, 1180, 3100, 3101, 8002, 8022, 8028, 9007]);
/**
 * Killed, shut down, read-only after a failover, or (1598) stopping because the binary log cannot be written at COMMIT, as
 * on a full disk. MySQL may find that commit in its log when it starts again, so its outcome is unknown.
 */
const LOST_NUMBERS = new Set([1927, 3169, 1053, 1290, 1792, 1836, 1598]);
const LOST_CODES = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Network errors: ECONNREFUSED, EHOSTUNREACH, ENETDOWN … */
const LOST_FAMILIES = /^E(CONN|HOST|NET)/;
/** Too many connections, statements that timed out, and statements that an administrator killed. */
const OVERLOADED_NUMBERS = new Set([1040, 3024, 1969, 1317]);
/** No space left for a row, a table, a temporary file. */
const DISK_FULL_NUMBERS = new Set([3, 20, 1021, 1114]);
/** How long a statement waits for a lock. */
const LOCK_TIMEOUT_SECONDS = 3;

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
  hasSingleWriter: false,
  sessionSetup: [
    "SET SESSION time_zone = '+00:00'",
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
    "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO'",
    `SET SESSION innodb_lock_wait_timeout = ${LOCK_TIMEOUT_SECONDS}, group_concat_max_len = 1048576`,
    // Titles sort by their full text. The buffer must hold 15 keys of this length, or the server cannot sort.
    'SET SESSION max_sort_length = 65536, sort_buffer_size = 4194304',
  ],
  // max_execution_time ends SELECTs only. Other slow statements wait for a lock: lock_wait_timeout limits waits for tables.
  limits: (seconds) => [
    `SET SESSION max_execution_time = ${seconds * 1000}, lock_wait_timeout = ${LOCK_TIMEOUT_SECONDS}`,
  ],
  // Reading these variables needs no privilege, unlike the tables of all settings.
  warningFacts:
    'SELECT @@innodb_flush_log_at_trx_commit AS flushLog, @@sync_binlog AS syncBinlog, @@log_bin AS binaryLog, ' +
    'UNIX_TIMESTAMP(NOW(6)) AS now',
  warnings: (facts, trip) => serverWarnings(facts as ServerFacts, trip),
  insertedId: (result) => (result as WriteResult).insertId,
  byIndex: (name) => ` FORCE INDEX (${name})`,
  byId: ' FORCE INDEX (PRIMARY)',
  sortsWithinTies: false,
  joinInOrder: 'STRAIGHT_JOIN',
  // MariaDB has VALUES() only, not MySQL's alias for the new row.
  increment: (table, column) => `UPDATE ${table} SET ${column} = LAST_INSERT_ID(${column} + 1) WHERE id = 1`,
  incremented: (result) => (result as WriteResult).insertId,
  lockNames(names) {
    // ON DUPLICATE KEY UPDATE takes an exclusive lock on each row, whether or not it exists. INSERT IGNORE would take a
    // shared lock on an existing row, and transactions that share it would deadlock.
    const placeholders = names.map(() => '(?)').join(', ');
    return `INSERT INTO name_locks (name) VALUES ${placeholders} ON DUPLICATE KEY UPDATE name = name`;
  },
  forUpdate: ' FOR UPDATE',
  forUpdateSkipLocked: ' FOR UPDATE SKIP LOCKED',
  forShare: ' LOCK IN SHARE MODE',
  version: 'SELECT version() AS version',
  isMissingTable: (error) => driverError(error).errno === 1146,
  isDuplicate: (error) => driverError(error).errno === 1062,
  isRetryable: (error) => RETRYABLE_NUMBERS.has(driverError(error).errno ?? 0),
  isLost,
  isUnsent,
  isTooLarge: (error) => driverError(error).errno === 1153,
  isUnavailable: (error) => {
    const { errno = 0 } = driverError(error);
    return (
      isLost(error) || [RETRYABLE_NUMBERS, OVERLOADED_NUMBERS, DISK_FULL_NUMBERS].some((numbers) => numbers.has(errno))
    );
  },
};

/** The connection was lost before the statement was sent. */
const UNSENT_TEXTS = /closed state|ended by the other party/;
/** The driver's promises pass on the message of an error, but not always its code. */
const LOST_TEXTS = /Connection lost|ECONNRESET|EPIPE/;

function isLost(error: unknown): boolean {
  const { code = '', errno = 0 } = driverError(error);
  if (LOST_CODES.has(code) || LOST_FAMILIES.test(code) || LOST_NUMBERS.has(errno)) return true;
  return LOST_TEXTS.test(ownMessage(error)) || isUnsent(error);
}

function isUnsent(error: unknown): boolean {
  return UNSENT_TEXTS.test(ownMessage(error));
}

/** Returns the message of an error of the driver. Those of a server have a number, and quote values: `Duplicate entry 'EPIPE'`. */
function ownMessage(error: unknown): string {
  const { errno = 0, message = '' } = driverError(error);
  return errno > 0 ? '' : message;
}

/** The differences of MariaDB from MySQL. */
export const MARIADB: Dialect = {
  ...MYSQL,
  name: 'mariadb',
  limits: (seconds) => [`SET SESSION max_statement_time = ${seconds}, lock_wait_timeout = ${LOCK_TIMEOUT_SECONDS}`],
};
