import type { Connection } from 'mysql2/promise';
import type { ServerAddress } from './server-url.js';

const CONNECT_MILLISECONDS = 1_000;

export function isServer(databaseUrl: string): boolean {
  return databaseUrl.startsWith('mysql:');
}

/** Both servers are reached by `mysql://`; which one it is, it says itself. */
export async function engineOf(address: ServerAddress): Promise<'mysql' | 'mariadb'> {
  const connection = await connectTo(address);
  try {
    const [rows] = await connection.query('SELECT version() AS version');
    const [{ version }] = rows as [{ version: string }];
    return /mariadb/i.test(version) ? 'mariadb' : 'mysql';
  } finally {
    await connection.end();
  }
}

/** One connection beside the pool. */
export async function connectTo(address: ServerAddress): Promise<Connection> {
  // The driver of servers is loaded where there is one.
  const { createConnection } = await import('mysql2/promise');
  const { host, port, username: user, password, database, ssl } = address;
  const limits = { connectTimeout: CONNECT_MILLISECONDS };
  const connection = await createConnection({ host, port, user, password, database, ssl, ...limits });
  // The next statement tells what an error between two statements means.
  connection.on('error', () => undefined);
  return connection;
}

/** The path of `sqlite:PATH`. */
export function sqlitePath(databaseUrl: string): string {
  return databaseUrl.replace(/^sqlite:(\/\/(?=\/))?/, '');
}
