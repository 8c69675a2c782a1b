import { Database } from '../../src/database/database.js';
import { BetterSqlite3 } from '../../src/database/connection/sqlite-driver.js';
import { startApp, type TestApp } from './app.js';
import { startGated } from './gated-app.js';
import { IN_TIME } from './patience.js';

/** A service whose database can become unavailable. */
export interface LosableApp {
  readonly service: TestApp;
  lose(): Promise<void>;
  close(): Promise<void>;
}

const ON_SERVER = (process.env.DATABASE_URL ?? '').startsWith('mysql:');

/** `lose` makes a server unreachable. On SQLite another connection locks the file instead. */
export function startLosable(): Promise<LosableApp> {
  return ON_SERVER ? behindGate() : besideLock();
}

async function behindGate(): Promise<LosableApp> {
  const gated = await startGated(IN_TIME);
  return { service: gated.service, lose: () => gated.gate.shut(), close: () => gated.close() };
}

async function besideLock(): Promise<LosableApp> {
  const service = await startApp(IN_TIME);
  const [file] = await service.app.get(Database).query<{ file: string }>('PRAGMA database_list');
  const other = new BetterSqlite3(file?.file ?? '');
  return {
    service,
    lose: () => Promise.resolve(void other.exec('BEGIN IMMEDIATE')),
    close: async () => {
      other.close();
      await service.close();
    },
  };
}
