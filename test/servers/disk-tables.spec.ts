import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { MYSQL } from '../../src/database/sql/dialect.mysql.js';
import { startApp, type TestApp } from '../support/app.js';
import { event, tag, venue } from '../support/factories.js';
import { recordStatements, type SentStatement } from '../support/statements.js';
import { READS } from '../faults/visitors.js';

/** Reads must work while the disk is full, so that their statements must not create tables on the disk. */
let service: TestApp;
let connection: Connection;
let sent: SentStatement[];
beforeAll(async () => {
  service = await startApp({ INDEX: 'on' });
  sent = recordStatements(service);
  connection = await createConnection(service.databaseUrl);
  for (const statement of MYSQL.sessionSetup) await connection.query(statement);
});
afterAll(async () => {
  await connection.end();
  await service.close();
});

test('an index that loads all events, and lists, create no table on the disk of the server', async () => {
  const { client, tokens } = service;
  const { id: place } = await venue(client, tokens.adm);
  const { id: red } = await tag(client, tokens.adm);
  const description = 'Long and rarely read. '.repeat(1_000);
  for (let n = 0; n < 20; n += 1) await event(client, tokens.adm, { venue: place, tags: [red], description });
  sent.length = 0;
  for (const path of READS) expect((await client.get(path)).status).toBe(200);
  const statements = sent.filter(({ sql }) => sql.startsWith('SELECT'));
  expect(statements.filter(({ sql }) => sql.includes('group_concat(concat_ws'))).toHaveLength(1);
  for (const { sql, params } of statements) expect([sql, await diskTablesOf(sql, params)]).toEqual([sql, 0]);
});

async function diskTablesOf(sql: string, params: SentStatement['params']): Promise<number> {
  const before = await diskTables();
  await connection.query(sql, [...params]);
  return (await diskTables()) - before;
}

async function diskTables(): Promise<number> {
  const [[row]] = await connection.query<RowDataPacket[]>("SHOW SESSION STATUS LIKE 'Created_tmp_disk_tables'");
  return Number(row?.Value);
}
