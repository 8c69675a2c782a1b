import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { checkpointLog } from '../../src/database/connection/data-source.js';
import { sqlitePath } from '../../src/config/database-url.js';

/** A database that the bench made for itself. */
export interface Place {
  readonly url: string;
  drop(): Promise<void>;
}

/** A new, empty database: on the server that `url` names, or a temporary file where it is undefined. */
export async function newPlace(server: string | undefined, name: string): Promise<Place> {
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

/** A new database with all that another one holds, which nobody uses meanwhile. */
export async function copyPlace(from: string, server: string | undefined, name: string): Promise<Place> {
  const place = await newPlace(server, name);
  if (server === undefined) {
    checkpointLog(sqlitePath(from));
    copyFileSync(sqlitePath(from), sqlitePath(place.url));
    return place;
  }
  const [source, target] = [from, place.url].map((url) => new URL(url).pathname.slice(1));
  const connection = await mysql.createConnection(place.url);
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
  return place;
}

async function onServer(server: string, statement: string): Promise<void> {
  const url = new URL(server);
  url.pathname = '';
  const connection = await mysql.createConnection(url.toString());
  await connection.query(statement);
  await connection.end();
}
