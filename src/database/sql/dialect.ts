import type { DatabaseWarning, RoundTrip } from './database-warnings.js';

/** Sends one statement. `?` are the placeholders of the parameters. */
export interface Sql {
  query<Row = Record<string, unknown>>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
}

export type SqlValue = string | number | null | Uint8Array;

/** All differences between the engines. No other code asks for the engine. */
export interface Dialect {
  readonly name: 'sqlite' | 'mysql' | 'mariadb';
  /** The statement that begins a write transaction. */
  readonly begin: string;
  /** The statements that begin a read-only transaction on a consistent snapshot. */
  readonly snapshot: readonly string[];
  /** Whether write transactions must wait for each other before they begin. */
  readonly hasSingleWriter: boolean;
  /** Statements that set up a new connection. */
  readonly sessionSetup: readonly string[];
  /** Statements that make the server end slow statements of a connection. Not for migrations. */
  limits(seconds: number): readonly string[];
  insertedId(result: unknown): number;
  /** Suffix of a table in a SELECT: an index hint that forces this index and so its row order. */
  byIndex(name: string): string;
  /** Suffix of a table in a SELECT: an index hint that forces the primary key. */
  readonly byId: string;
  /** Whether the engine sorts incrementally: only rows with equal index keys, if ORDER BY has more columns than the index. */
  readonly sortsWithinTies: boolean;
  /** A JOIN that reads the first table before the second. */
  readonly joinInOrder: string;
  /** The statement that adds 1 to a column of the row with id 1. */
  increment(table: string, column: string): string;
  /** Returns the new number from the result of `increment`, or 0 if the row does not exist. */
  incremented(result: unknown): number;
  /** The query of the settings that `warnings` checks. It returns one row. */
  readonly warningFacts: string;
  warnings(facts: object, trip: RoundTrip): DatabaseWarning[];
  /**
   * Returns the statement that locks names until the end of the transaction, whether or not records with these names exist.
   * The names are its values. undefined: the transaction has locked everything.
   */
  lockNames(names: readonly string[]): string | undefined;
  /** Suffix of a SELECT that reads the newest state of its rows and locks them. */
  readonly forUpdate: string;
  /** As `forUpdate`, but skips rows that are locked. */
  readonly forUpdateSkipLocked: string;
  /** As `forUpdate`, but with a shared lock. */
  readonly forShare: string;
  /** The query of the engine's version: one row with a column `version`. */
  readonly version: string;
  isDuplicate(error: unknown): boolean;
  /** Whether a statement names a table that does not exist. */
  isMissingTable(error: unknown): boolean;
  /** Whether the whole transaction may be repeated. */
  isRetryable(error: unknown): boolean;
  /** Whether the connection is lost, or its server no longer accepts writes. */
  isLost(error: unknown): boolean;
  /** Whether the connection was lost before the statement was sent, so that the statement had no effect. */
  isUnsent(error: unknown): boolean;
  /** Whether the statement is larger than the server accepts. */
  isTooLarge(error: unknown): boolean;
  /** Whether the database is unreachable or overloaded: a 503 instead of a 500. */
  isUnavailable(error: unknown): boolean;
}

/** The properties that drivers give an error. */
interface DriverError {
  readonly code?: string;
  readonly errno?: number;
  readonly message?: string;
}

/** Returns the driver's error, which TypeORM may have wrapped. */
export function driverError(error: unknown): DriverError {
  const wrapped = error as { driverError?: DriverError } | undefined;
  return wrapped?.driverError ?? (error as DriverError | undefined) ?? {};
}
