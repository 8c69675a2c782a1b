import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const TABLES = ['events', 'venues', 'organizers'];

/**
 * Events are counted while they are stored as published, not as soon as they are scheduled: so the scheduled need not be
 * taken off again. What the clock has overtaken since is found by its status and date.
 */
export class StoredAsPublished1795363200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await replaceIndexes(runner, ['status', 'public_from']);
    await count(runner, "status = 'publish'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceIndexes(runner, ['public_from']);
    await count(runner, 'public_from IS NOT NULL');
  }
}

/** On servers each statement commits by itself: what an interrupted run has made already is left as it is. */
async function replaceIndexes(runner: QueryRunner, columnNames: string[]): Promise<void> {
  for (const name of TABLES) {
    const index = new TableIndex({ name: `ix_${name}_public`, columnNames });
    const known = (await runner.getTable(name))?.indices.find((one) => one.name === index.name);
    if (known !== undefined && String(known.columnNames) === String(columnNames)) continue;
    if (known !== undefined) await runner.dropIndex(name, known);
    await runner.createIndex(name, index);
  }
}

/** Both tables of counts anew, of the events that fulfil a condition. */
async function count(runner: QueryRunner, condition: string): Promise<void> {
  await runner.query('DELETE FROM term_counts');
  await runner.query(
    `INSERT INTO term_counts (term_id, event_count) SELECT l.term_id, count(*)
     FROM event_terms l JOIN events e ON e.id = l.event_id WHERE e.${condition} GROUP BY l.term_id`,
  );
  await runner.query('DELETE FROM event_days');
  await runner.query(
    `INSERT INTO event_days (hide_from_listings, start_day, end_day, event_count)
     SELECT hide_from_listings, substr(start_utc, 1, 10) AS start_day, substr(end_utc, 1, 10) AS end_day, count(*)
     FROM events WHERE ${condition} GROUP BY hide_from_listings, start_day, end_day`,
  );
}
