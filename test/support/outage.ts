import { Database } from '../../src/database/database.js';
import { BetterSqlite3 } from '../../src/database/connection/sqlite-driver.js';
import { startOwnApp, type TestApp } from './app.js';
import { startGated } from './gated-app.js';
import { IN_TIME } from './patience.js';

/** A service whose database can become unavailable. */
export interface LosableApp {
  readonly service: TestApp;
  lose(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

const ON_SERVER = (process.env.DATABASE_URL ?? '').startsWith('mysql:');

/** `lose` makes a server unreachable. On SQLite another connection locks the file instead. */
export function startLosable(settings: Record<string, string> = {}): Promise<LosableApp> {
  return (ON_SERVER ? behindGate : besideLock)({ ...IN_TIME, ...settings });
}

async function behindGate(settings: Record<string, string>): Promise<LosableApp> {
  const gated = await startGated(settings);
  const { service, gate } = gated;
  return { service, lose: () => gate.shut(), restore: () => gate.open(), close: () => gated.close() };
}

async function besideLock(settings: Record<string, string>): Promise<LosableApp> {
  const service = await startOwnApp(settings);
  const [file] = await service.app.get(Database).query<{ file: string }>('PRAGMA database_list');
  const other = new BetterSqlite3(file?.file ?? '');
  return {
    service,
    lose: () => Promise.resolve(void other.exec('BEGIN IMMEDIATE')),
    restore: () => Promise.resolve(void other.exec('ROLLBACK')),
    close: async () => {
      other.close();
      await service.close();
    },
  };
}
