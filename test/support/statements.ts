import type { DataSource, Logger } from 'typeorm';
import { Database } from '../../src/database/database.js';
import type { TestApp } from './app.js';

const ignore = () => undefined;

/** The statements of a running service from now on, as they are sent. */
export function countStatements({ app }: TestApp): string[] {
  const statements: string[] = [];
  const logger: Logger = {
    logQuery: (sql) => void statements.push(sql),
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
