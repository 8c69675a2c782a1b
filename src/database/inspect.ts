import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DataSource } from 'typeorm';
import { isServer, sqlitePath } from '../config/database-url.js';
import type { Environment } from '../config/environment.js';
import { dataSourceOptions, mustExist, openWriter } from './connection/data-source.js';
import { openingError } from './connector.js';
import type { Migrations } from './further-migrations.js';
import { schemaStateOf, type SchemaState } from './schema-state.js';
import { dialectOf } from './sql/engine-dialect.js';
import { TABLES } from './sql/tables.js';

/** What is known about the database, without changing it. */
export interface Inspection {
  /** Engine and version, such as `mariadb 11.8.2`. */
  readonly engine: string;
  readonly schema: SchemaState;
  /** Numbers of records. Empty if tables are missing. */
  readonly records: readonly (readonly [name: string, numbers: string])[];
  /** What keeps the service from working. */
  readonly problems: readonly string[];
  /** What may lose data, or tell it to others. */
  readonly warnings: readonly string[];
}

/** Inspects the database of the settings. Throws an `OperatorError` if it cannot be opened. Creates nothing. */
export async function inspectDatabase(settings: Environment, migrations?: Migrations): Promise<Inspection> {
  const source = new DataSource({ ...dataSourceOptions(settings, migrations), entities: [] });
  try {
    mustExist(source);
    await openWriter(source);
    return await inspect(source, settings);
  } catch (error) {
    throw openingError(error);
  } finally {
    if (source.isInitialized) await source.destroy();
  }
}

async function inspect(source: DataSource, { DATABASE_URL }: Environment): Promise<Inspection> {
  const dialect = dialectOf(source);
  const [{ version } = { version: '' }] = await source.query<{ version: string }[]>(dialect.version);
  const sent = Date.now();
  const [facts] = await source.query<object[]>(dialect.warningFacts);
  const warnings = facts === undefined ? [] : dialect.warnings(facts, { sent, received: Date.now() });
  const schema = await schemaStateOf(source);
  const isComplete = schema.pending.length === 0;
  const rights = isServer(DATABASE_URL) ? await rowRights(source, isComplete) : fileRights(sqlitePath(DATABASE_URL));
  return {
    engine: `${dialect.name} ${version}`,
    schema,
    records: isComplete ? await recordNumbers(source) : [],
    problems: rights.problems,
    warnings: [...warnings.map(({ text }) => text), ...rights.warnings],
  };
}

type Rights = Pick<Inspection, 'problems' | 'warnings'>;

/** Statements that need the rights of serving, and change no row. */
const NEEDED = {
  SELECT: `SELECT id FROM ${TABLES.events} WHERE 1 = 0`,
  INSERT: `INSERT INTO ${TABLES.nameLocks} SELECT * FROM ${TABLES.nameLocks} WHERE 1 = 0`,
  UPDATE: `UPDATE ${TABLES.dataVersion} SET version = version WHERE 1 = 0`,
  DELETE: `DELETE FROM ${TABLES.events} WHERE 1 = 0`,
};

async function rowRights(source: DataSource, isComplete: boolean): Promise<Rights> {
  const problems: string[] = [];
  for (const [right, sql] of isComplete ? Object.entries(NEEDED) : []) {
    try {
      await source.query(sql);
    } catch (error) {
      problems.push(`DATABASE_URL: the user lacks the right to ${right}: ${(error as Error).message}`);
    }
  }
  return { problems, warnings: [] };
}

function fileRights(path: string): Rights {
  const file = resolve(path);
  const unwritable = [file, dirname(file)].filter((name) => !isWritable(name));
  const isReadByOthers = (statSync(file).mode & 0o007) !== 0;
  return {
    problems: unwritable.map((name) => `DATABASE_URL: this user may not write ${name}`),
    warnings: isReadByOthers ? [`every user of this machine may read ${file}: chmod 600 it`] : [],
  };
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** How the records of a table are told apart. */
const GROUPED = [
  ['Events', TABLES.events, 'status'],
  ['Venues', TABLES.venues, 'status'],
  ['Organizers', TABLES.organizers, 'status'],
  ['Terms', TABLES.terms, 'taxonomy'],
  ['Users', TABLES.users, 'role'],
] as const;

async function recordNumbers(source: DataSource): Promise<(readonly [string, string])[]> {
  const numbers: (readonly [string, string])[] = [];
  for (const [name, table, column] of GROUPED) {
    const rows = await source.query<{ label: string; records: number | string }[]>(
      `SELECT ${column} AS label, count(*) AS records FROM ${table} GROUP BY ${column} ORDER BY ${column}`,
    );
    const total = rows.reduce((sum, { records }) => sum + Number(records), 0);
    const parts = rows.map(({ label, records }) => `${records} ${label}`).join(', ');
    numbers.push([name, parts === '' ? '0' : `${total}: ${parts}`]);
  }
  const [{ tokens } = { tokens: 0 }] = await source.query<{ tokens: number }[]>(
    `SELECT count(*) AS tokens FROM ${TABLES.tokens}`,
  );
  return [...numbers, ['Tokens', String(tokens)]];
}
