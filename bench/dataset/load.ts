import { openDriver } from '../database.js';
import { command } from '../processes.js';
import { Bodies, type Sizes } from './bodies.js';
import { DataSetRows } from './rows.js';

export const SEED = 6;

/** The day around which a data set lies: today's midnight in UTC, in milliseconds. */
export function today(): number {
  return Math.floor(Date.now() / 86_400_000) * 86_400_000;
}

/** Makes the schema in an empty database and fills it. Row by row it is what the application would have written. */
export async function load(url: string, sizes: Sizes): Promise<void> {
  await command('migrate', url);
  const driver = openDriver(url);
  const nowUtc = new Date().toISOString().slice(0, 19).replace('T', ' ');
  // While the database takes one part the next one is made.
  let inserting = Promise.resolve();
  for (const [table, rows] of new DataSetRows(new Bodies(sizes, SEED, today()), sizes, nowUtc).parts()) {
    await inserting;
    if (rows.length > 0) inserting = driver.insert(table, rows);
  }
  await inserting;
  await command('recount', url);
  // SQLite gets no statistics: the application gathers none either.
  if (url.startsWith('mysql:')) await driver.rows('ANALYZE TABLE events, event_terms, event_venues, event_organizers');
  await driver.close();
}
