import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const TABLES = ['events', 'venues', 'organizers'];

/** Finds the next scheduled record to become public by an index. */
export class PublicFrom1795219200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // On servers each statement commits by itself, so this keeps what an interrupted run has created.
    for (const name of TABLES) {
      const table = await runner.getTable(name);
      const index = new TableIndex({ name: `ix_${name}_public`, columnNames: ['public_from'] });
      if (!table?.indices.some((known) => known.name === index.name)) await runner.createIndex(name, index);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.dropIndex(table, `ix_${table}_public`);
  }
}
