import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { TYPES } from '../sql/columns.js';

const TABLE = 'imported_records';

export class ImportedRecords1795190000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const columns = [
      { name: 'line_key', ...TYPES.text(64), isPrimary: true },
      { name: 'record_id', ...TYPES.id() },
    ];
    await runner.createTable(new Table({ name: TABLE, columns, engine: 'InnoDB' }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE);
  }
}
