import { Column, Index, PrimaryColumn, PrimaryGeneratedColumn, type TableColumnOptions } from 'typeorm';
import { configuredDatabaseUrl } from '../../config/environment.js';
import { isServer } from '../../config/database-url.js';
import { OperatorError } from '../../errors/operator-error.js';

/**
 * The column types of the schema, for the engine of this process.
 * Entities and migrations use the same definitions, so that they stay equal.
 * Rows contain plain SQL values: instants and wall times are strings, flags are 0 or 1.
 */
const MYSQL = isServer(configuredDatabaseUrl());

/**
 * Throws if the database of the settings has another engine than the columns. This happens if `.env` names a database, and
 * a program that imports the package has loaded the entities before `serve` reads the file.
 */
export function mustFitColumns(databaseUrl: string): void {
  if (isServer(databaseUrl) === MYSQL) return;
  throw new OperatorError(
    'DATABASE_URL: the program has loaded the service before it has read .env. Set DATABASE_URL in the environment, ' +
      'for example by `node --env-file=.env`.',
  );
}

/** Every text column states its character set and collation, so that defaults of the server have no effect. */
const BINARY = MYSQL ? { charset: 'utf8mb4', collation: 'utf8mb4_bin' } : {};
const UNSIGNED = MYSQL ? { type: 'int', unsigned: true } : { type: 'integer' };

type Definition = Pick<TableColumnOptions, 'charset' | 'collation' | 'unsigned' | 'length'> & { type: string };

export const TYPES = {
  id: (): Definition => ({ ...UNSIGNED }),
  /** A number that may be negative within a transaction. */
  count: (): Definition => ({ type: MYSQL ? 'int' : 'integer' }),
  /** Up to `length` code points. */
  text: (length: number): Definition => ({ type: 'varchar', length: String(length), ...BINARY }),
  longText: (): Definition => ({ type: MYSQL ? 'longtext' : 'text', ...BINARY }),
  /** Up to `length` bytes. */
  bytes: (length: number): Definition => (MYSQL ? { type: 'varbinary', length: String(length) } : { type: 'blob' }),
  /** `YYYY-MM-DD HH:MM:SS`: an instant in UTC, or a wall time. */
  time: (): Definition => ({ type: 'datetime' }),
  flag: (): Definition => ({ type: MYSQL ? 'tinyint' : 'boolean' }),
  real: (): Definition => ({ type: 'double' }),
};

/** MySQL and MariaDB index only a prefix of a long text, and a prefix index cannot sort. */
export const LONG_TEXTS_ARE_INDEXED = !MYSQL;

interface Options {
  readonly nullable?: boolean;
  readonly default?: number | string;
}

export const Id = () => PrimaryGeneratedColumn('increment', TYPES.id() as object);
export const KeyId = () => PrimaryColumn(TYPES.id() as object);
export const KeyText = (length: number) => PrimaryColumn(TYPES.text(length) as object);
export const IdColumn = (options: Options = {}) => column(TYPES.id(), options);
export const TextColumn = (length: number, options: Options = {}) => column(TYPES.text(length), options);
export const LongTextColumn = () => column(TYPES.longText(), {});
export const BytesColumn = (length: number) => column(TYPES.bytes(length), {});
export const UtcColumn = (options: Options = {}) => column(TYPES.time(), options);
export const LocalTimeColumn = () => column(TYPES.time(), {});
export const FlagColumn = (options: Options = {}) => column(TYPES.flag(), options);
export const RealColumn = () => column(TYPES.real(), { nullable: true });

/** An index whose first column is a long text, on engines that support it. */
export const LongTextIndex = (name: string, columns: string[]): ClassDecorator =>
  LONG_TEXTS_ARE_INDEXED ? Index(name, columns) : () => undefined;

function column(definition: Definition, options: Options): PropertyDecorator {
  return Column({ ...definition, ...options } as object);
}
