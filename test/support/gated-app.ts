import type { Extension } from '../../src/create-app.js';
import { startOwnApp, type TestApp } from './app.js';
import { createTestDatabase } from './database.js';
import { Gate } from './gate.js';

/** A service and the open gate between it and its database server. */
export interface GatedApp {
  readonly service: TestApp;
  readonly gate: Gate;
  /** The URL of the database without the gate. */
  readonly databaseUrl: string;
  close(): Promise<void>;
}

export async function startGated(env: Record<string, string>, extension: Extension = {}): Promise<GatedApp> {
  const database = await createTestDatabase();
  const gate = new Gate(database.url);
  await gate.open();
  const service = await startOwnApp({ ...env, DATABASE_URL: gate.url }, extension);
  return {
    service,
    gate,
    databaseUrl: database.url,
    close: async () => {
      await service.close();
      await gate.shut();
      await database.drop();
    },
  };
}
