import type { DatabaseWarning, RoundTrip } from './database-warnings.js';

/** Sends one statement; `?` are the places of the parameters. */
export interface Sql {
  query<Row = Record<string, unknown>>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
}

export type SqlValue = string | number | null | Uint8Array;

/** All that differs between the engines. Nobody else asks which one it is. */
export interface Dialect {
  readonly name: 'sqlite' | 'mysql' | 'mariadb';
  /** Opens a write transaction. */
  readonly begin: string;
  /** Open a transaction that only reads, and sees the state of one moment. */
  readonly snapshot: readonly string[];
  /** Whether transactions of one process must wait for each other before they begin. */
  readonly oneWriter: boolean;
  /** Statements a new connection starts with. */
  readonly session: readonly string[];
  /** Statements after which the server itself ends what takes too long on that connection; not for migrations. */
  limits(seconds: number): readonly string[];
  insertedId(result: unknown): number;
  /** Behind a table of a SELECT: it is read by this index and no other, in whose order its rows then come. */
  byIndex(name: string): string;
  /** Behind a table of a SELECT: its rows are looked up by their ids, whichever index has them in the order asked for. */
  readonly byId: string;
  /** Whether rows that an index has in order are sorted among equal ones only, where the order asks for more than it has. */
  readonly sortsWithinTies: boolean;
  /** Joins two tables of a SELECT so that rows of the second are looked for only where the first has one that counts. */
  readonly joinInOrder: string;
  /** Behind an INSERT: where there is a row of this key, the number is added to its column instead. */
  addToExisting(key: readonly string[], column: string): string;
  /** Adds one to a number in the row with id 1, and `raised` reads from its result what it is then; 0: there is no such row. */
  raise(table: string, column: string): string;
  raised(result: unknown): number;
  /** Reads in one row what the promises of this service hang on, of which `doubts` makes sentences. */
  readonly selfReport: string;
  warnings(facts: object, trip: RoundTrip): DatabaseWarning[];
  /** Holds names for the rest of the transaction, whether or not records of these names exist. */
  lockNames(sql: Sql, names: readonly string[]): Promise<void>;
  /** Suffix of a SELECT that must see, and keep, the newest state of its rows. */
  readonly forUpdate: string;
  /** The same of rows that nobody else holds; those are left out. */
  readonly forUpdateOfFree: string;
  /** As `forUpdate`, but others may see them in this way, too. */
  readonly forShare: string;
  isDuplicate(error: unknown): boolean;
  /** The whole transaction may be repeated. */
  isRetryable(error: unknown): boolean;
  /** The connection is gone, or leads to a server that takes no writes any more. */
  isLost(error: unknown): boolean;
  /** Whether it was lost before the statement was sent, which has surely not happened then. */
  isUnsent(error: unknown): boolean;
  /** The statement is larger than the server takes. */
  isTooLarge(error: unknown): boolean;
  /** The database cannot be reached or does not get to it: an answer 503, not 500. */
  isUnavailable(error: unknown): boolean;
}

/** What drivers tell of an error. */
interface DriverError {
  readonly code?: string;
  readonly errno?: number;
  readonly message?: string;
}

/** The driver's error behind what TypeORM wraps. */
export function driverError(error: unknown): DriverError {
  const wrapped = error as { driverError?: DriverError } | undefined;
  return wrapped?.driverError ?? (error as DriverError | undefined) ?? {};
}
