import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const TABLES = ['events', 'venues', 'organizers'];

/** When the next scheduled record becomes public must be found without a look at all of them. */
export class PublicFrom1795219200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // On servers each statement commits by itself: what an interrupted run has made already is left as it is.
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
