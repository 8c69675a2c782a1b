import { createConnection } from 'mysql2/promise';
import type { ServerAddress } from './server-url.js';

export function isServer(databaseUrl: string): boolean {
  return databaseUrl.startsWith('mysql:');
}

/** Both servers are reached by `mysql://`; which one it is, it says itself. */
export async function engineOf({ username: user, ...address }: ServerAddress): Promise<'mysql' | 'mariadb'> {
  const connection = await createConnection({ ...address, user, connectTimeout: 5_000 });
  try {
    const [rows] = await connection.query('SELECT version() AS version');
    const [{ version }] = rows as [{ version: string }];
    return /mariadb/i.test(version) ? 'mariadb' : 'mysql';
  } finally {
    await connection.end();
  }
}

/** The path of `sqlite:PATH`. */
export function sqlitePath(databaseUrl: string): string {
  return databaseUrl.replace(/^sqlite:(\/\/(?=\/))?/, '');
}
