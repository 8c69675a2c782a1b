import { MARIADB, MYSQL } from './dialect.mysql.js';

/** Numbers of errors of the servers, with their names. */
const LOST: readonly [errno: number, code: string][] = [
  [1053, 'ER_SERVER_SHUTDOWN'],
  [1290, 'ER_OPTION_PREVENTS_STATEMENT'],
  [1598, 'ER_BINLOG_LOGGING_IMPOSSIBLE'],
];
const DISK_FULL: readonly [errno: number, code: string][] = [
  [3, 'EE_WRITE'],
  [1021, 'ER_DISK_FULL'],
  [1114, 'ER_RECORD_FILE_FULL'],
];

const failed = (errno: number, code: string) => Object.assign(new Error(`message of ${code}`), { errno, code });

test.each(LOST)(
  'error %i (%s) means that the server is gone: 503, and the outcome of a commit is unknown',
  (...error) => {
    for (const dialect of [MYSQL, MARIADB]) {
      expect(dialect.isLost(failed(...error))).toBe(true);
      expect(dialect.isUnsent(failed(...error))).toBe(false);
      expect(dialect.isUnavailable(failed(...error))).toBe(true);
    }
  },
);

test.each(DISK_FULL)('error %i (%s) means a full disk: 503, and a commit has failed', (...error) => {
  for (const dialect of [MYSQL, MARIADB]) {
    expect(dialect.isLost(failed(...error))).toBe(false);
    expect(dialect.isUnavailable(failed(...error))).toBe(true);
  }
});
