import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { LONG_TEXTS_ARE_INDEXED } from '../sql/columns.js';

const OF_LISTS = ['id', 'hide_from_listings', 'start_utc', 'public_from', 'end_utc'];
const INDEXES: Record<string, string> = {
  ix_events_date: 'date_utc',
  ix_events_modified: 'modified_utc',
  ...(LONG_TEXTS_ARE_INDEXED ? { ix_events_title: 'title_key' } : {}),
};

/** Adds indexes for the other orders of the event list. */
export class EventOrders1795402000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // On servers each statement commits by itself, so this keeps what an interrupted run has created.
    const events = await runner.getTable('events');
    for (const [name, column] of Object.entries(INDEXES)) {
      if (events?.indices.some((known) => known.name === name)) continue;
      await runner.createIndex('events', new TableIndex({ name, columnNames: [column, ...OF_LISTS] }));
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.dropIndex('events', name);
  }
}
