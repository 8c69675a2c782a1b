import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { TYPES } from '../sql/columns.js';

const TABLE = 'idempotency_keys';

export class IdempotencyKeys1795176000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const columns = [
      { name: 'key_hash', ...TYPES.text(64), isPrimary: true },
      { name: 'fingerprint', ...TYPES.text(64) },
      { name: 'owner', ...TYPES.text(36) },
      { name: 'answer', ...TYPES.longText() },
      { name: 'expires_utc', ...TYPES.time() },
    ];
    await runner.createTable(new Table({ name: TABLE, columns, engine: 'InnoDB' }));
    await runner.createIndex(
      TABLE,
      new TableIndex({ name: 'ix_idempotency_keys_expires', columnNames: ['expires_utc'] }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE);
  }
}
