import Sqlite from 'better-sqlite3';
import { Database } from '../../src/database/database.js';
import { startApp, type TestApp } from './app.js';
import { createTestDatabase } from './database.js';
import { Gate } from './gate.js';
import { IN_TIME } from './patience.js';

/** A service whose database can be taken away from it. */
export interface LosableApp {
  readonly service: TestApp;
  lose(): Promise<void>;
  close(): Promise<void>;
}

const ON_SERVER = (process.env.DATABASE_URL ?? '').startsWith('mysql:');

/** The server can no longer be reached; the file is kept locked by somebody else. */
export function startLosable(): Promise<LosableApp> {
  return ON_SERVER ? behindGate() : besideLock();
}

async function behindGate(): Promise<LosableApp> {
  const database = await createTestDatabase();
  const gate = new Gate(database.url);
  await gate.open();
  const service = await startApp({ ...IN_TIME, DATABASE_URL: gate.url });
  return {
    service,
    lose: () => gate.shut(),
    close: async () => {
      await service.close();
      await database.drop();
    },
  };
}

async function besideLock(): Promise<LosableApp> {
  const service = await startApp(IN_TIME);
  const [file] = await service.app.get(Database).query<{ file: string }>('PRAGMA database_list');
  const other = new Sqlite(file?.file ?? '');
  return {
    service,
    lose: () => Promise.resolve(void other.exec('BEGIN IMMEDIATE')),
    close: async () => {
      other.close();
      await service.close();
    },
  };
}
