import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SslOptions } from 'mysql2';
import type { Connection } from 'mysql2/promise';
import { InvalidEnvironment } from './environment.js';

/** Address and credentials of a MySQL or MariaDB server. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  readonly ssl: SslOptions | undefined;
}

/** The TLS modes, by MySQL's names. */
const SSL_MODES = ['DISABLED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'];
const SSL_FILES = { 'ssl-ca': 'ca', 'ssl-cert': 'cert', 'ssl-key': 'key' } as const;

/**
 * Parses `mysql://user:password@host:port/database?ssl-mode=VERIFY_IDENTITY&ssl-ca=/path/ca.pem`. Reads the files that
 * it names, so that a missing file stops the start. `passwordFile` contains the password instead of the URL.
 */
export function parseServerUrl(databaseUrl: string, passwordFile?: string): ServerAddress {
  const url = readSetting('DATABASE_URL', 'is not a valid URL', () => new URL(databaseUrl));
  const known = ['ssl-mode', ...Object.keys(SSL_FILES)];
  const unknown = [...url.searchParams.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw invalidSetting('DATABASE_URL', `has no parameter ${unknown}; known are ${known.join(', ')}`);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 3306 : Number(url.port),
    username: percentDecoded(url.username),
    password:
      passwordFile === undefined
        ? percentDecoded(url.password)
        : readFileOf('DATABASE_PASSWORD_FILE', passwordFile).toString().trimEnd(),
    database: percentDecoded(url.pathname.slice(1)),
    ssl: sslOf(url.searchParams),
  };
}

function sslOf(params: URLSearchParams): SslOptions | undefined {
  const files = Object.entries(SSL_FILES).flatMap(([name, member]) => {
    const path = params.get(name);
    return path === null ? [] : [[member, readFileOf('DATABASE_URL', path)] as const];
  });
  // A certificate authority without a mode means to verify it.
  const mode = (params.get('ssl-mode') ?? (params.has('ssl-ca') ? 'VERIFY_CA' : 'DISABLED')).toUpperCase();
  if (!SSL_MODES.includes(mode))
    throw invalidSetting('DATABASE_URL', `ssl-mode must be one of ${SSL_MODES.join(', ')}`);
  if (mode === 'DISABLED') return undefined;
  return {
    ...Object.fromEntries(files),
    rejectUnauthorized: mode !== 'REQUIRED',
    verifyIdentity: mode === 'VERIFY_IDENTITY',
  };
}

function percentDecoded(text: string): string {
  return readSetting('DATABASE_URL', 'has a broken percent escape', () => decodeURIComponent(text));
}

function readFileOf(variable: string, path: string): Buffer {
  return readSetting(variable, `names a file that cannot be read: ${path}`, () => readFileSync(path));
}

/** Reads a part of a setting. The error names the variable but never its value, which may be secret. */
function readSetting<Value>(variable: string, problem: string, read: () => Value): Value {
  try {
    return read();
  } catch {
    throw invalidSetting(variable, problem);
  }
}

function invalidSetting(variable: string, problem: string): InvalidEnvironment {
  return new InvalidEnvironment(`${variable}: ${problem}`);
}

const CONNECT_TIMEOUT_MS = 1_000;

export function isServer(databaseUrl: string): boolean {
  return databaseUrl.startsWith('mysql:');
}

/** Asks a server for its engine, because both kinds have URLs with `mysql://`. */
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

/** Opens a connection outside the pool. */
export async function connectTo(address: ServerAddress): Promise<Connection> {
  // Loaded here so that services with SQLite do not load the driver.
  const { createConnection } = await import('mysql2/promise');
  const { host, port, username: user, password, database, ssl } = address;
  const limits = { connectTimeout: CONNECT_TIMEOUT_MS };
  const connection = await createConnection({ host, port, user, password, database, ssl, ...limits });
  // Without a listener, an error between two statements would end the process. The next statement fails with it.
  connection.on('error', () => undefined);
  return connection;
}

/** Returns the path of `sqlite:PATH`. */
export function sqlitePath(databaseUrl: string): string {
  return databaseUrl.replace(/^sqlite:(\/\/(?=\/))?/, '');
}

/** Returns the database as messages name it: the absolute path of the file, or the URL without credentials. */
export function databaseName(databaseUrl: string): string {
  if (!isServer(databaseUrl)) return resolve(sqlitePath(databaseUrl));
  const { host, port, database } = parseServerUrl(databaseUrl);
  return `mysql://${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
}
