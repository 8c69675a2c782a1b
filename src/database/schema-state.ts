import type { DataSource } from 'typeorm';
import { OperatorError } from '../errors/operator-error.js';
import { counted } from '../kernel/text/counted.js';
import { dialectOf } from './sql/engine-dialect.js';

/** The names of migrations, by whether the database has them. Oldest first. */
export interface SchemaState {
  readonly applied: readonly string[];
  /** This version has them, the database has not. */
  readonly pending: readonly string[];
  /** A later version, or a module that is not here, has applied them. */
  readonly unknown: readonly string[];
}

/** Compares the migrations of an open database with those of this version. */
export async function schemaStateOf(dataSource: DataSource): Promise<SchemaState> {
  const known = dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name);
  const applied = await appliedMigrations(dataSource);
  return {
    applied,
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}

/** Throws if the database lacks migrations of this version, for commands that must not apply them. */
export async function mustBeUpToDate(dataSource: DataSource): Promise<void> {
  const { applied, pending } = await schemaStateOf(dataSource);
  if (pending.length === 0) return;
  throw new OperatorError(
    applied.length === 0
      ? 'The database has no tables yet. `kalends migrate` creates them.'
      : `The database lacks ${counted(pending.length, 'migration')} of this version. \`kalends migrate\` applies them.`,
  );
}

async function appliedMigrations(dataSource: DataSource): Promise<string[]> {
  try {
    const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY timestamp');
    return rows.map(({ name }) => name);
  } catch (error) {
    if (dialectOf(dataSource).isMissingTable(error)) return [];
    throw error;
  }
}
