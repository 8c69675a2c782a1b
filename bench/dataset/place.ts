import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { checkpointLog } from '../../src/database/connection/data-source.js';
import { sqlitePath } from '../../src/config/database-url.js';

/** A database of the bench. */
export interface BenchDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates an empty database on a server, or as a temporary SQLite file if `server` is undefined. */
export async function createDatabase(server: string | undefined, name: string): Promise<BenchDatabase> {
  if (server === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'kalends-bench-'));
    const drop = () => Promise.resolve(rmSync(folder, { recursive: true, force: true }));
    return { url: `sqlite:${join(folder, `${name}.sqlite`)}`, drop };
  }
  const url = new URL(server);
  url.pathname = `/kalends_bench_${name}_${process.pid}`;
  await onServer(server, `CREATE DATABASE ${url.pathname.slice(1)}`);
  return { url: url.toString(), drop: () => onServer(server, `DROP DATABASE ${url.pathname.slice(1)}`) };
}

/** Copies a database. Nothing may write to it in the meantime. */
export async function copyDatabase(from: string, server: string | undefined, name: string): Promise<BenchDatabase> {
  const benchDatabase = await createDatabase(server, name);
  if (server === undefined) {
    checkpointLog(sqlitePath(from));
    copyFileSync(sqlitePath(from), sqlitePath(benchDatabase.url));
    return benchDatabase;
  }
  const [source, target] = [from, benchDatabase.url].map((url) => new URL(url).pathname.slice(1));
  const connection = await mysql.createConnection(benchDatabase.url);
  const [tables] = await connection.query<mysql.RowDataPacket[]>(
    'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?',
    [source],
  );
  for (const { name: table } of tables as { name: string }[]) {
    await connection.query(`CREATE TABLE ${target}.${table} LIKE ${source}.${table}`);
    await connection.query(`INSERT INTO ${target}.${table} SELECT * FROM ${source}.${table}`);
    await connection.query(`ANALYZE TABLE ${target}.${table}`);
  }
  await connection.end();
  return benchDatabase;
}

async function onServer(server: string, statement: string): Promise<void> {
  const url = new URL(server);
  url.pathname = '';
  const connection = await mysql.createConnection(url.toString());
  await connection.query(statement);
  await connection.end();
}
