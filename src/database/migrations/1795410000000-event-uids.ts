import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { TYPES } from '../sql/columns.js';

const EVENTS = 'events';
const COLUMN = 'uid';
const INDEX = 'ux_events_uid';

/** Stores the identity of events in calendar programs, if they came with one (ical 3). */
export class EventUids1795410000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // On servers each statement commits by itself, so this keeps what an interrupted run has created.
    const events = await runner.getTable(EVENTS);
    // Not `addColumn`, which copies the whole table on SQLite.
    if (events?.findColumnByName(COLUMN) === undefined) await runner.query(`ALTER TABLE ${EVENTS} ADD ${column()}`);
    if (events?.indices.some(({ name }) => name === INDEX)) return;
    await runner.createIndex(EVENTS, new TableIndex({ name: INDEX, columnNames: [COLUMN], isUnique: true }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex(EVENTS, INDEX);
    await runner.query(`ALTER TABLE ${EVENTS} DROP COLUMN ${COLUMN}`);
  }
}

function column(): string {
  const { type, length, charset, collation } = TYPES.text(255);
  const encoding = charset === undefined ? '' : ` CHARACTER SET ${charset} COLLATE ${collation}`;
  return `${COLUMN} ${type}(${length})${encoding} NULL`;
}
