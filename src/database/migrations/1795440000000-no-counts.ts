import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TermCounts1795291200000 } from './1795291200000-term-counts.js';
import { EventDays1795294800000 } from './1795294800000-event-days.js';
import { ScheduledEvents1795363200000 } from './1795363200000-scheduled-events.js';

const TABLES = ['term_counts', 'event_days', 'scheduled_terms', 'scheduled_days'];

/** Removes stored counts, because each process counts in memory now. */
export class NoCounts1795440000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.dropTable(table, true);
  }

  async down(runner: QueryRunner): Promise<void> {
    await new TermCounts1795291200000().up(runner);
    await new EventDays1795294800000().up(runner);
    await new ScheduledEvents1795363200000().up(runner);
  }
}
