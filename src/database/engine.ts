import { createConnection } from 'mysql2/promise';

/** The databases the service runs on. */
export type Engine = 'sqlite' | 'mysql' | 'mariadb';

export function isServer(databaseUrl: string): boolean {
  return databaseUrl.startsWith('mysql:');
}

/** Both servers are reached by `mysql://`; which one it is, it says itself. */
export async function engineOf(databaseUrl: string): Promise<Engine> {
  if (!isServer(databaseUrl)) return 'sqlite';
  const connection = await createConnection({ uri: databaseUrl, connectTimeout: 5_000 });
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
