import { readFileSync } from 'node:fs';
import type { SslOptions } from 'mysql2';
import type { Connection } from 'mysql2/promise';
import { InvalidEnvironment } from './environment.js';

/** Where a MySQL or MariaDB server is, and how to reach it. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  readonly ssl: SslOptions | undefined;
}

/** The ways to use TLS, by MySQL's own names. */
const SSL_MODES = ['DISABLED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'];
const SSL_FILES = { 'ssl-ca': 'ca', 'ssl-cert': 'cert', 'ssl-key': 'key' } as const;

/**
 * Reads `mysql://user:password@host:port/database?ssl-mode=VERIFY_IDENTITY&ssl-ca=/path/ca.pem`. Files named by the
 * address are read at once, so that a missing one stops the start. `passwordFile`: holds the password instead.
 */
export function parseServerUrl(databaseUrl: string, passwordFile?: string): ServerAddress {
  const url = named('DATABASE_URL', 'is not an address', () => new URL(databaseUrl));
  const known = ['ssl-mode', ...Object.keys(SSL_FILES)];
  const unknown = [...url.searchParams.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw wrong('DATABASE_URL', `has no parameter ${unknown}; known are ${known.join(', ')}`);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 3306 : Number(url.port),
    username: unescaped(url.username),
    password:
      passwordFile === undefined
        ? unescaped(url.password)
        : fileOf('DATABASE_PASSWORD_FILE', passwordFile).toString().trimEnd(),
    database: unescaped(url.pathname.slice(1)),
    ssl: sslOf(url.searchParams),
  };
}

function sslOf(params: URLSearchParams): SslOptions | undefined {
  const files = Object.entries(SSL_FILES).flatMap(([name, member]) => {
    const path = params.get(name);
    return path === null ? [] : [[member, fileOf('DATABASE_URL', path)] as const];
  });
  // Naming an authority without saying why means to check it.
  const mode = (params.get('ssl-mode') ?? (params.has('ssl-ca') ? 'VERIFY_CA' : 'DISABLED')).toUpperCase();
  if (!SSL_MODES.includes(mode)) throw wrong('DATABASE_URL', `ssl-mode must be one of ${SSL_MODES.join(', ')}`);
  if (mode === 'DISABLED') return undefined;
  return {
    ...Object.fromEntries(files),
    rejectUnauthorized: mode !== 'REQUIRED',
    verifyIdentity: mode === 'VERIFY_IDENTITY',
  };
}

function unescaped(text: string): string {
  return named('DATABASE_URL', 'has a broken percent escape', () => decodeURIComponent(text));
}

function fileOf(variable: string, path: string): Buffer {
  return named(variable, `names a file that cannot be read: ${path}`, () => readFileSync(path));
}

/** Reads a part of the configuration; what fails is told by the variable, never by its value, which may be secret. */
function named<Value>(variable: string, problem: string, read: () => Value): Value {
  try {
    return read();
  } catch {
    throw wrong(variable, problem);
  }
}

function wrong(variable: string, problem: string): InvalidEnvironment {
  return new InvalidEnvironment(`The configuration is wrong.\n${variable}: ${problem}`);
}

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
