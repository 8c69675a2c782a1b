import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2/promise';

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

async function onServer(server: string, statement: string): Promise<void> {
  const url = new URL(server);
  url.pathname = '';
  const connection = await mysql.createConnection(url.toString());
  await connection.query(statement);
  await connection.end();
}
