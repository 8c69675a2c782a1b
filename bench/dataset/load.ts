import { openDriver } from '../database.js';
import { nowUtc } from '../now-utc.js';
import { command } from '../processes.js';
import { Bodies, type Sizes } from './bodies.js';
import { DataSetRows } from './rows.js';

export const SEED = 6;

/** Returns today's midnight in UTC, in milliseconds since 1970. */
export function today(): number {
  return Math.floor(Date.now() / 86_400_000) * 86_400_000;
}

/** Creates the schema in an empty database and fills it with the rows that the application would write. */
export async function load(url: string, sizes: Sizes): Promise<void> {
  await command('migrate', url);
  const driver = openDriver(url);
  // Generates the next part while the database inserts this one.
  let inserting = Promise.resolve();
  for (const [table, rows] of new DataSetRows(new Bodies(sizes, SEED, today()), sizes, nowUtc()).parts()) {
    await inserting;
    if (rows.length > 0) inserting = driver.insert(table, rows);
  }
  await inserting;
  // No statistics for SQLite, because the application does not gather them either.
  if (url.startsWith('mysql:')) await driver.rows('ANALYZE TABLE events, event_terms, event_venues, event_organizers');
  await driver.close();
}
