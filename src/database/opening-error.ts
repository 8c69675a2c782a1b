import { OperatorError } from '../platform/operator-error.js';
import { driverError } from './dialect.js';

/** Refused credentials: the password may stand in a file. */
const ACCESS_DENIED = 1045;
/** A statement, or a column of a table, is not allowed. */
const DENIED = new Set([1142, 1143, 1044, 1227]);

/**
 * Why the database could not be opened, in one line for the operator that names the setting. What neither the engine
 * nor the system says (a mistake in the program) is handed on as it is.
 */
export function openingError(thrown: unknown): unknown {
  const { code, errno = 0, message = '' } = driverError(thrown);
  if (code === undefined && errno === 0) return thrown;
  const setting = errno === ACCESS_DENIED ? 'DATABASE_URL (or DATABASE_PASSWORD_FILE)' : 'DATABASE_URL';
  const advice = DENIED.has(errno)
    ? '; migrations need more rights than serving, see "Privileges" in docs/operations.md'
    : '';
  return new OperatorError(`${setting}: the database cannot be opened: ${message}${advice}`);
}
