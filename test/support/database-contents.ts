import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { BetterSqlite3 } from '../../src/database/connection/sqlite-driver.js';

type Row = Record<string, unknown>;

/** All rows of a database at one moment. */
export interface Contents {
  /** By table. */
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  /** Restores the rows and the next ids. Returns false if the tables have changed. */
  restore(): Promise<boolean>;
  close(): Promise<void>;
}

/** `restore` raises the version, because a cache of an earlier version must not become valid again. */
const VERSION = 'data_version';

export function fileContents(path: string): Contents {
  const file = new BetterSqlite3(path, { timeout: 5_000 });
  file.pragma('synchronous = OFF');
  const all = (sql: string) => file.prepare(sql).all() as Row[];
  const schema = () => JSON.stringify(all('SELECT name, sql FROM sqlite_master'));
  const before = schema();
  const tables = all("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => String(name));
  const rows = new Map(tables.map((table) => [table, all(`SELECT * FROM ${table}`)]));
  const restore = file.transaction(() => {
    for (const table of tables) {
      if (table === VERSION) file.exec(`UPDATE ${table} SET version = version + 1`);
      else if (!isSame(all(`SELECT * FROM ${table} LIMIT ${(rows.get(table)?.length ?? 0) + 1}`), rows.get(table))) {
        file.exec(`DELETE FROM ${table}`);
        for (const row of rows.get(table) ?? []) file.prepare(insert(table, row)).run(...Object.values(row));
      }
    }
  });
  return {
    rows,
    restore: () => {
      if (schema() !== before) return Promise.resolve(false);
      restore.immediate();
      return Promise.resolve(true);
    },
    close: () => Promise.resolve(void file.close()),
  };
}

export async function serverContents(url: string): Promise<Contents> {
  const connection = await createConnection({ uri: url, dateStrings: true });
  const all = async (sql: string) => (await connection.query<(Row & RowDataPacket)[]>(sql))[0];
  const tablesNow = async () =>
    (await all('SHOW FULL TABLES WHERE Table_type = "BASE TABLE"')).map((row) => String(Object.values(row)[0]));
  const tables = await tablesNow();
  // Otherwise MySQL would return cached values of `auto_increment`.
  await connection.query('SET SESSION information_schema_stats_expiry = 0').catch(() => undefined);
  const nextIds = async () =>
    new Map(
      (
        await all(
          'SELECT table_name AS name, auto_increment AS next FROM information_schema.tables WHERE table_schema = database()',
        )
      ).map(({ name, next }) => [String(name), Number(next ?? 1)]),
    );
  const ids = await nextIds();
  const rows = new Map<string, Row[]>();
  for (const table of tables) rows.set(table, await all(`SELECT * FROM ${table}`));
  const restoreTable = async (table: string) => {
    const before = rows.get(table) ?? [];
    if (isSame(await all(`SELECT * FROM ${table} LIMIT ${before.length + 1}`), before)) return;
    await connection.query(`DELETE FROM ${table}`);
    for (const row of before) await connection.query(insert(table, row), Object.values(row));
  };
  return {
    rows,
    restore: async () => {
      if ((await tablesNow()).join() !== tables.join()) return false;
      // One commit, because a server flushes each commit to its disk.
      await connection.beginTransaction();
      for (const table of tables) {
        if (table === VERSION) await connection.query(`UPDATE ${table} SET version = version + 1`);
        else await restoreTable(table);
      }
      await connection.commit();
      for (const [table, next] of await nextIds())
        if (next !== ids.get(table)) await connection.query(`ALTER TABLE ${table} AUTO_INCREMENT = 1`);
      return true;
    },
    close: () => connection.end(),
  };
}

const isSame = (some: readonly Row[], others: readonly Row[] = []) => JSON.stringify(some) === JSON.stringify(others);

function insert(table: string, row: Row): string {
  const names = Object.keys(row);
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
}
