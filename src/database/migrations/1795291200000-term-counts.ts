import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { TYPES } from '../sql/columns.js';

const TABLE = 'term_counts';

/** Stores the number of published events per term, because counting them for each request is slow. */
export class TermCounts1795291200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const columns = [
      { name: 'term_id', ...TYPES.id(), isPrimary: true },
      { name: 'event_count', ...TYPES.count() },
    ];
    // On servers each statement commits by itself, so this recreates what an interrupted run has created.
    await runner.dropTable(TABLE, true);
    await runner.createTable(new Table({ name: TABLE, columns, engine: 'InnoDB' }));
    await runner.query(
      `INSERT INTO ${TABLE} (term_id, event_count) SELECT l.term_id, count(*)
       FROM event_terms l JOIN events e ON e.id = l.event_id WHERE e.public_from IS NOT NULL GROUP BY l.term_id`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE);
  }
}
