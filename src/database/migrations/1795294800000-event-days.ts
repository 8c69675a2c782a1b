import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { TYPES } from '../sql/columns.js';

const TABLE = 'event_days';

/** Stores the number of published events per day, because counting them for each request is slow. */
export class EventDays1795294800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const columns = [
      { name: 'hide_from_listings', ...TYPES.flag(), isPrimary: true },
      { name: 'start_day', ...TYPES.text(10), isPrimary: true },
      { name: 'end_day', ...TYPES.text(10), isPrimary: true },
      { name: 'event_count', ...TYPES.count() },
    ];
    // On servers each statement commits by itself, so this recreates what an interrupted run has created.
    await runner.dropTable(TABLE, true);
    await runner.createTable(new Table({ name: TABLE, columns, engine: 'InnoDB' }));
    await runner.query(
      `INSERT INTO ${TABLE} (hide_from_listings, start_day, end_day, event_count)
       SELECT hide_from_listings, substr(start_utc, 1, 10) AS start_day, substr(end_utc, 1, 10) AS end_day, count(*)
       FROM events WHERE public_from IS NOT NULL GROUP BY hide_from_listings, start_day, end_day`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE);
  }
}
