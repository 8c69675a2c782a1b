import { randomBytes } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, createConnection } from 'mysql2/promise';
import { DataSource } from 'typeorm';
import { dataSourceOptions, openWriter } from '../../src/database/connection/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { BetterSqlite3 } from '../../src/database/connection/sqlite-driver.js';
import { fileContents, serverContents } from './database-contents.js';
import { databasePrefix, temporaryFolder } from './run-folder.js';

/** A separate database for one test, on the engine of DATABASE_URL. The default is a temporary SQLite file. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** DATABASE_URL at the start of the run, because each service replaces the variable by its own database. */
const CONFIGURED = process.env.DATABASE_URL ?? '';
const ON_SERVER = CONFIGURED.startsWith('mysql:');

/** Creates a database without tables. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return ON_SERVER ? createOnServer() : createFile();
}

function createFile(): TestDatabase {
  const folder = temporaryFolder('test');
  return {
    url: `sqlite:${join(folder, 'kalends.sqlite')}`,
    drop: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
  };
}

async function createOnServer(): Promise<TestDatabase> {
  const name = `${databasePrefix()}${randomBytes(8).toString('hex')}`;
  await onServer((server) => server.query(`CREATE DATABASE ${name}`));
  const url = new URL(CONFIGURED);
  url.pathname = `/${name}`;
  return { url: url.toString(), drop: () => onServer((server) => server.query(`DROP DATABASE ${name}`)) };
}

async function onServer(work: (server: Connection) => Promise<unknown>): Promise<void> {
  const server = new URL(CONFIGURED);
  server.pathname = '';
  const connection = await createConnection(server.toString());
  await work(connection);
  await connection.end();
}

/** Creates a database with the newest schema and no records, as after a migration. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  return ON_SERVER ? takeFromServer() : copyTemplate();
}

/** Created once per worker, because a copy takes a tenth of the time of the migrations. */
let template: Promise<string> | undefined;

async function copyTemplate(): Promise<TestDatabase> {
  const database = createFile();
  const path = database.url.replace('sqlite:', '');
  cpSync(await (template ??= createTemplate()), path);
  const file = new BetterSqlite3(path);
  // Every installation has its own instance name.
  file.prepare('UPDATE site SET instance = ?').run(newInstance());
  file.close();
  return database;
}

async function createTemplate(): Promise<string> {
  const { url } = createFile();
  await migrated(url);
  return url.replace('sqlite:', '');
}

async function migrated(url: string): Promise<void> {
  const source = new DataSource(
    dataSourceOptions({ DATABASE_URL: url, DATABASE_PASSWORD_FILE: undefined, SQLITE_SYNCHRONOUS: 'full' }),
  );
  await openWriter(source);
  await migrate(source);
  await source.destroy();
}

const newInstance = () => randomBytes(6).toString('hex');

/** Unused databases on the server. Each is emptied before its next use and dropped with the run. */
const unused: { readonly database: TestDatabase; readonly empty: () => Promise<boolean> }[] = [];

async function takeFromServer(): Promise<TestDatabase> {
  for (let next = unused.pop(); next !== undefined; next = unused.pop()) {
    // A test of the server may have killed the connection that empties it.
    if (await next.empty().catch(() => false)) return returnable(next.database, next.empty);
    await next.database.drop();
  }
  const database = await createOnServer();
  await migrated(database.url);
  const contents = await serverContents(database.url);
  return returnable(database, async () => {
    const isEmptied = await contents.restore();
    if (isEmptied)
      await onServer((server) => server.query(`UPDATE ${nameOf(database)}.site SET instance = ?`, [newInstance()]));
    return isEmptied;
  });
}

function returnable(database: TestDatabase, empty: () => Promise<boolean>): TestDatabase {
  return { url: database.url, drop: () => Promise.resolve(void unused.push({ database, empty })) };
}

const nameOf = ({ url }: TestDatabase) => new URL(url).pathname.slice(1);

/** Saves the current contents of a database, so that it can be restored. */
export function contentsOf(url: string) {
  return ON_SERVER ? serverContents(url) : Promise.resolve(fileContents(url.replace('sqlite:', '')));
}
