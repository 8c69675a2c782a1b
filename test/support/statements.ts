import type { DataSource, Logger } from 'typeorm';
import { Database } from '../../src/database/database.js';
import type { TestApp } from './app.js';

export interface SentStatement {
  readonly sql: string;
  readonly params: readonly unknown[];
}

const ignore = () => undefined;

/** Returns an array that collects the statements that the service sends from now on. */
export function recordStatements({ app }: Pick<TestApp, 'app'>): SentStatement[] {
  const statements: SentStatement[] = [];
  const logger: Logger = {
    logQuery: (sql, params = []) => void statements.push({ sql, params: params as unknown[] }),
    logQueryError: ignore,
    logQuerySlow: ignore,
    logSchemaBuild: ignore,
    logMigration: ignore,
    log: ignore,
  };
  const { reader, writer } = app.get<Database, { reader: DataSource; writer: DataSource }>(Database);
  for (const source of new Set([reader, writer])) source.logger = logger;
  return statements;
}
