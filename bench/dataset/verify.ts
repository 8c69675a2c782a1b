import { deepStrictEqual } from 'node:assert';
import { openDriver } from '../database.js';
import { ADMIN_TOKEN, command, startKalends } from '../processes.js';
import { Bodies, type Body, type Sizes } from './bodies.js';
import { load, SEED, today } from './load.js';
import { createDatabase } from './place.js';

/** Large enough to contain every status, zone and form of a cost, and duplicate slugs. */
const SAMPLE: Sizes = { events: 300, venues: 12, organizers: 12, categories: 9, tags: 8 };

const TABLES = ['venues', 'organizers', 'terms', 'events', 'event_venues', 'event_organizers', 'event_terms', 'images'];

/** Sends a sample of the data set through the API and compares each row with that of the bulk load. */
export async function verifyRows(server: string | undefined): Promise<void> {
  const [written, loaded] = [await createDatabase(server, 'written'), await createDatabase(server, 'loaded')];
  try {
    await load(loaded.url, SAMPLE);
    await command('migrate', written.url);
    await writeThroughApi(written.url);
    for (const table of TABLES) deepStrictEqual(await contents(written.url, table), await contents(loaded.url, table));
  } finally {
    await written.drop();
    await loaded.drop();
  }
}

async function writeThroughApi(url: string): Promise<void> {
  const kalends = await startKalends(url);
  const bodies = new Bodies(SAMPLE, SEED, today());
  const create = async (collection: string, body: Body) => {
    const answer = await fetch(`http://127.0.0.1:${kalends.port}/calendar/events/v1/${collection}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status !== 201) throw new Error(`POST ${collection}: ${await answer.text()}`);
  };
  for (let id = 1; id <= SAMPLE.venues; id += 1) await create('venues', bodies.venue(id));
  for (let id = 1; id <= SAMPLE.organizers; id += 1) await create('organizers', bodies.organizer(id));
  for (let id = 1; id <= SAMPLE.categories; id += 1) await create('categories', bodies.category(id));
  for (let n = 1; n <= SAMPLE.tags; n += 1) await create('tags', bodies.tag(n));
  for (let id = 1; id <= SAMPLE.events; id += 1) await create('events', bodies.event(id));
  await kalends.stop();
}

/** Returns all rows, without the times at which they were written. */
async function contents(url: string, table: string): Promise<object[]> {
  const driver = openDriver(url);
  const rows = await driver.rows(`SELECT * FROM ${table} ORDER BY 1, 2`);
  await driver.close();
  return rows.map(({ modified_utc: _modified, created_utc: _created, ...row }) => ({ table, ...row }));
}
