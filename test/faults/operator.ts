import type { Connection } from 'mysql2/promise';
import { BetterSqlite3 } from '../../src/database/connection/sqlite-driver.js';

/** An operator's connection to the database of the instances. */
export interface Operator {
  query<Row>(sql: string): Promise<Row[]>;
  end(): Promise<void>;
}

export function operatorOf(connection: Connection): Operator {
  return {
    query: async <Row>(sql: string) => (await connection.query(sql))[0] as Row[],
    end: () => connection.end(),
  };
}

/** Opens an SQLite file, for reading only. */
export function operatorOfFile(file: string): Operator {
  const database = new BetterSqlite3(file, { readonly: true });
  return {
    query: <Row>(sql: string) => Promise.resolve(database.prepare(sql).all() as Row[]),
    end: () => Promise.resolve(void database.close()),
  };
}
