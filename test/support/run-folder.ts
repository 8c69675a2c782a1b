import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';

const MEMORY = '/dev/shm';

/** Vitest's global set-up: creates the folder of a run. Deletes it and the databases of the run at the end. */
export default function setUp(): () => Promise<void> {
  // Each Vitest project calls this function, but a run has one folder.
  if (process.env.TEST_FOLDER !== undefined) return () => Promise.resolve();
  const folder = mkdtempSync(join(isWritable(MEMORY) ? MEMORY : tmpdir(), 'kalends-tests-'));
  process.env.TEST_FOLDER = folder;
  return async () => {
    rmSync(folder, { recursive: true, force: true });
    await dropDatabases(basename(folder));
  };
}

/** Returns a new folder for a test, in a memory file system if possible, because a flush costs nothing there. */
export function temporaryFolder(name: string): string {
  return mkdtempSync(join(process.env.TEST_FOLDER ?? tmpdir(), `kalends-${name}-`));
}

/** Returns the prefix of the names of all databases of a run. */
export function databasePrefix(folder = basename(process.env.TEST_FOLDER ?? '')): string {
  return `kalends_test_${Buffer.from(folder.slice(-6)).toString('hex')}_`;
}

async function dropDatabases(folder: string): Promise<void> {
  const { DATABASE_URL = '' } = process.env;
  if (!DATABASE_URL.startsWith('mysql:')) return;
  const server = await createConnection(DATABASE_URL);
  const [rows] = await server.query<({ name: string } & RowDataPacket)[]>(
    'SELECT schema_name AS name FROM information_schema.schemata WHERE left(schema_name, ?) = ?',
    [databasePrefix(folder).length, databasePrefix(folder)],
  );
  for (const { name } of rows) await server.query(`DROP DATABASE ${name}`);
  await server.end();
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
