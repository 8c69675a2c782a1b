import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { TYPES } from '../sql/columns.js';

const TABLES = {
  search_index: { id: TYPES.id(), seq: TYPES.id() },
  search_slices: { block: TYPES.id(), gram: TYPES.id(), events: TYPES.bytes(512) },
};
const KEYS = ['id', 'block', 'gram'];

/** Creates the tables of the search index. The first search that needs them fills them. */
export class SearchIndex1795291300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, types] of Object.entries(TABLES)) {
      const columns = Object.entries(types).map(([column, type]) => ({
        name: column,
        ...type,
        isPrimary: KEYS.includes(column),
      }));
      // On servers each statement commits by itself, so this keeps what an interrupted run has created.
      await runner.createTable(new Table({ name, columns, engine: 'InnoDB' }), true);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(TABLES)) await runner.dropTable(name);
  }
}
