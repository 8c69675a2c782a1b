import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';

/** A database of its own for one test file, on the engine that DATABASE_URL names; default a temporary SQLite file. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** What the run was started with; each file replaces the variable by its own database. */
const CONFIGURED = process.env.DATABASE_URL ?? '';

export async function createTestDatabase(): Promise<TestDatabase> {
  return CONFIGURED.startsWith('mysql:') ? createOnServer(CONFIGURED) : createFile();
}

function createFile(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'kalends-test-'));
  return {
    url: `sqlite:${join(folder, 'kalends.sqlite')}`,
    drop: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
  };
}

async function createOnServer(configured: string): Promise<TestDatabase> {
  const name = `kalends_test_${randomBytes(8).toString('hex')}`;
  const server = new URL(configured);
  server.pathname = '';
  await onServer(server, `CREATE DATABASE ${name}`);
  const url = new URL(configured);
  url.pathname = `/${name}`;
  return { url: url.toString(), drop: () => onServer(server, `DROP DATABASE ${name}`) };
}

async function onServer(server: URL, statement: string): Promise<void> {
  const connection = await createConnection(server.toString());
  await connection.query(statement);
  await connection.end();
}
