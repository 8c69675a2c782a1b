import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions, TableIndex } from 'typeorm';
import { TYPES } from '../sql/columns.js';

const INDEX = new TableIndex({ name: 'ix_events_status', columnNames: ['status', 'public_from'] });
const DAYS = ['hide_from_listings', 'start_day', 'end_day'];

/** Stores the numbers of counted events that are scheduled, and finds due events by an index. */
export class ScheduledEvents1795363200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // On servers each statement commits by itself, so this keeps or recreates what an interrupted run has created.
    const events = await runner.getTable('events');
    if (!events?.indices.some(({ name }) => name === INDEX.name)) await runner.createIndex('events', INDEX);
    await makeAnew(runner, 'scheduled_terms', [{ name: 'term_id', ...TYPES.id(), isPrimary: true }]);
    await makeAnew(runner, 'scheduled_days', [
      { name: 'hide_from_listings', ...TYPES.flag(), isPrimary: true },
      ...DAYS.slice(1).map((name) => ({ name, ...TYPES.text(10), isPrimary: true })),
    ]);
    // Earlier versions never stored a due event as published. Without this the first count would correct all of them.
    const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
    await runner.query(`UPDATE events SET status = 'publish' WHERE status = 'future' AND public_from <= '${now}'`);
    await runner.query(
      `INSERT INTO scheduled_terms (term_id, event_count) SELECT l.term_id, count(*)
       FROM event_terms l JOIN events e ON e.id = l.event_id WHERE e.status = 'future' GROUP BY l.term_id`,
    );
    await runner.query(
      `INSERT INTO scheduled_days (${DAYS.join(', ')}, event_count)
       SELECT hide_from_listings, substr(start_utc, 1, 10) AS start_day, substr(end_utc, 1, 10) AS end_day, count(*)
       FROM events WHERE status = 'future' GROUP BY ${DAYS.join(', ')}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('scheduled_days');
    await runner.dropTable('scheduled_terms');
    await runner.dropIndex('events', INDEX);
  }
}

async function makeAnew(runner: QueryRunner, name: string, key: TableColumnOptions[]): Promise<void> {
  const columns = [...key, { name: 'event_count', ...TYPES.count() }];
  await runner.dropTable(name, true);
  await runner.createTable(new Table({ name, columns, engine: 'InnoDB' }));
}
