import { randomBytes } from 'node:crypto';
import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { TYPES } from '../sql/columns.js';

const TABLE = 'site';

/** Stores an id by which installations without a configured URL differ. */
export class Site1795403000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const columns = [
      { name: 'id', ...TYPES.id(), isPrimary: true },
      { name: 'instance', ...TYPES.text(12) },
    ];
    // A dump of the previous version may have created the table already. It stays as it is.
    await runner.createTable(new Table({ name: TABLE, columns, engine: 'InnoDB' }), true);
    const made = (await runner.query(`SELECT id FROM ${TABLE}`)) as unknown[];
    if (made.length > 0) return;
    await runner.query(`INSERT INTO ${TABLE} (id, instance) VALUES (1, ?)`, [randomBytes(6).toString('hex')]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE);
  }
}
