import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { TYPES } from '../sql/columns.js';

const WEBHOOKS = new Table({
  name: 'webhooks',
  columns: [
    { name: 'id', ...TYPES.id(), isPrimary: true, isGenerated: true, generationStrategy: 'increment' },
    { name: 'url', ...TYPES.text(2000) },
    { name: 'description', ...TYPES.text(500) },
    { name: 'types', ...TYPES.text(1000) },
    { name: 'audience', ...TYPES.text(10) },
    { name: 'payload', ...TYPES.text(10) },
    { name: 'active', ...TYPES.flag() },
    { name: 'disabled_reason', ...TYPES.text(10) },
    { name: 'position_seq', ...TYPES.id() },
    { name: 'position_id', ...TYPES.id() },
    { name: 'failing_since_utc', ...TYPES.time(), isNullable: true },
    { name: 'failures', ...TYPES.id() },
    { name: 'not_before_utc', ...TYPES.time(), isNullable: true },
    { name: 'missed_before_utc', ...TYPES.time(), isNullable: true },
    { name: 'last_success_utc', ...TYPES.time(), isNullable: true },
    { name: 'secret', ...TYPES.text(60) },
    { name: 'previous_secret', ...TYPES.text(60) },
    { name: 'previous_until_utc', ...TYPES.time(), isNullable: true },
    { name: 'created_utc', ...TYPES.time() },
    { name: 'modified_utc', ...TYPES.time() },
    { name: 'revision', ...TYPES.id() },
  ],
  engine: 'InnoDB',
});

const MESSAGES = new Table({
  name: 'webhook_messages',
  columns: [
    { name: 'id', ...TYPES.id(), isPrimary: true, isGenerated: true, generationStrategy: 'increment' },
    { name: 'webhook_id', ...TYPES.id() },
    { name: 'message_id', ...TYPES.text(64) },
    { name: 'type', ...TYPES.text(30) },
    { name: 'record_type', ...TYPES.text(10) },
    { name: 'record_id', ...TYPES.id() },
    { name: 'change_id', ...TYPES.id() },
    { name: 'made_utc', ...TYPES.time() },
    { name: 'state', ...TYPES.text(10) },
    { name: 'due_utc', ...TYPES.time(), isNullable: true },
    { name: 'leased', ...TYPES.flag() },
    { name: 'tries', ...TYPES.id() },
    { name: 'attempts', ...TYPES.longText() },
    { name: 'created_utc', ...TYPES.time() },
    { name: 'ended_utc', ...TYPES.time(), isNullable: true },
  ],
  engine: 'InnoDB',
});

const INDEXES = [
  { name: 'ux_webhook_messages_key', columnNames: ['message_id'], isUnique: true },
  { name: 'ix_webhook_messages_due', columnNames: ['webhook_id', 'state', 'due_utc'] },
  { name: 'ix_webhook_messages_record', columnNames: ['webhook_id', 'record_id'] },
  { name: 'ix_webhook_messages_ended', columnNames: ['ended_utc'] },
];

/** Stores webhooks, and the messages that wait to be sent or were sent. */
export class Webhooks1795420000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // On servers each statement commits by itself, so this keeps what an interrupted run has created.
    for (const table of [WEBHOOKS, MESSAGES]) await runner.createTable(table.clone(), true);
    const made = await runner.getTable(MESSAGES.name);
    for (const index of INDEXES) {
      if (made?.indices.some(({ name }) => name === index.name)) continue;
      await runner.createIndex(MESSAGES.name, new TableIndex(index));
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [MESSAGES, WEBHOOKS]) await runner.dropTable(table.name);
  }
}
