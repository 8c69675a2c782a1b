import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import Sqlite from 'better-sqlite3';
import { Database } from '../../src/database/database.js';
import { startApp, type TestApp } from './app.js';
import { createTestDatabase } from './database.js';

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
  const url = new URL(database.url);
  const sockets = new Set<Socket>();
  const gate = createServer((near) => {
    const far = connect(Number(url.port || '3306'), url.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => other.destroy());
      socket.pipe(other);
    }
  });
  await once(gate.listen(0, '127.0.0.1'), 'listening');
  const gated = new URL(url);
  gated.host = `127.0.0.1:${(gate.address() as AddressInfo).port}`;
  const service = await startApp({ DATABASE_URL: gated.toString() });
  return {
    service,
    lose: async () => {
      const closed = once(gate, 'close');
      gate.close();
      sockets.forEach((socket) => socket.destroy());
      await closed;
    },
    close: async () => {
      await service.close();
      await database.drop();
    },
  };
}

async function besideLock(): Promise<LosableApp> {
  const service = await startApp();
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
