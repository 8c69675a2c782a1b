import { type Dialect, driverError } from './dialect.js';
import { type FileFacts, fileWarnings } from './database-warnings.js';

export const SQLITE: Dialect = {
  name: 'sqlite',
  // IMMEDIATE takes the write lock before the first read. Otherwise a transaction that reads first and writes later would
  // fail if another process wrote in between.
  begin: 'BEGIN IMMEDIATE',
  snapshot: ['BEGIN'],
  hasSingleWriter: true,
  sessionSetup: [],
  limits: () => [],
  warningFacts: 'SELECT synchronous FROM pragma_synchronous',
  warnings: (facts) => fileWarnings(facts as FileFacts),
  insertedId: (result) => Number(result),
  byIndex: (name) => ` INDEXED BY ${name}`,
  byId: ' NOT INDEXED',
  sortsWithinTies: true,
  joinInOrder: 'CROSS JOIN',
  increment: (table, column) =>
    `UPDATE ${table} SET ${column} = ${column} + 1 WHERE id = 1 RETURNING ${column} AS raised`,
  incremented: (result) => (result as { raised: number }[])[0]?.raised ?? 0,
  // The transaction already holds the write lock of the file.
  lockNames: () => undefined,
  forUpdate: '',
  forUpdateSkipLocked: '',
  forShare: '',
  version: 'SELECT sqlite_version() AS version',
  isMissingTable: (error) => /^no such table/.test(driverError(error).message ?? ''),
  isDuplicate: (error) => /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(driverError(error).code ?? ''),
  isRetryable: (error) => /^SQLITE_(BUSY|LOCKED)/.test(driverError(error).code ?? ''),
  isLost: () => false,
  isUnsent: () => false,
  isTooLarge: (error) => driverError(error).code === 'SQLITE_TOOBIG',
  isUnavailable: (error) => /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY)/.test(driverError(error).code ?? ''),
};
