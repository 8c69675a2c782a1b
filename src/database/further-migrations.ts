import type { DataSourceOptions } from 'typeorm';

/** Migrations as TypeORM's option `migrations` takes them: classes, or globs of compiled files. */
export type Migrations = NonNullable<DataSourceOptions['migrations']>;

/** Token of the migrations that modules from elsewhere bring. Those in a folder `migrations` of `src` are found without. */
export const FURTHER_MIGRATIONS = Symbol('further migrations');
