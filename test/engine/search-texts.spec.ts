import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource, QueryRunner } from 'typeorm';
import { withOriginalQueryRunners } from '../../src/database/repositories/repositories.js';
import { Database } from '../../src/database/database.js';
import { SearchTexts1795404000000 } from '../../src/database/migrations/1795404000000-search-texts.js';
import { EventSearch } from '../../src/events/search/event-search.js';
import { useApp } from '../support/events.js';
import { event, organizer, venue } from '../support/factories.js';

/** Builds the search index from the first event on. */
const app = useApp({ SEARCH_INDEX_FROM: '1' });
const GLUED = '<p>alpha</p><p>beta</p>';

let runner: QueryRunner;
const ids: Record<string, number> = {};
const texts = (table: string) =>
  app()
    .app.get(Database)
    .query<{ id: number; search_text: string }>(`SELECT id, search_text FROM ${table} ORDER BY id`);
const version = async () =>
  (await app().app.get(Database).query<{ version: number }>('SELECT version FROM data_version'))[0]?.version;
const found = async (path: string) => {
  const { body } = await app().client.get(path);
  return Object.values<{ id: number }[]>(body)[0]?.map(({ id }) => id);
};

/** Stores the search texts as the previous version did. */
async function glue(): Promise<void> {
  for (const table of ['events', 'venues', 'organizers']) {
    await runner.query(`UPDATE ${table} SET search_text = replace(search_text, 'alpha beta', 'alphabeta')`);
  }
}

beforeAll(async () => {
  const { app: nest, client, tokens } = app();
  ids.event = (await event(client, tokens.adm, { title: 'Glued', description: GLUED })).id;
  ids.excerpt = (await event(client, tokens.adm, { title: 'Excerpt', excerpt: GLUED })).id;
  ids.plain = (await event(client, tokens.adm, { title: 'Plain', description: 'alphabeta' })).id;
  await event(client, tokens.adm, { title: 'Nothing' });
  ids.venue = (await venue(client, tokens.adm, { venue: 'Hall', description: GLUED, city: 'Łódź' })).id;
  ids.organizer = (
    await organizer(client, tokens.adm, { organizer: 'Ann', description: GLUED, email: 'a@b.example' })
  ).id;
  const source = nest.get<DataSource>(getDataSourceToken());
  runner = withOriginalQueryRunners(() => source.createQueryRunner());
  await nest.get(EventSearch).updateIndex();
});
afterAll(() => runner.release());

describe('the migration of search texts', () => {
  test('stores the texts that a write stores now', async () => {
    const tables = ['events', 'venues', 'organizers'];
    const before = await Promise.all(tables.map(texts));
    await glue();
    expect(await Promise.all(tables.map(texts))).not.toEqual(before);
    const migration = new SearchTexts1795404000000();
    // Runs twice, because an interrupted migration starts again.
    for (let times = 0; times < 2; times += 1) await migration.up(runner);
    expect(await Promise.all(tables.map(texts))).toEqual(before);
  });

  test('updates the search index and invalidates cached reads', async () => {
    const { app: nest } = app();
    const search = nest.get(EventSearch);
    await glue();
    for (const table of ['search_words', 'search_blocks']) await runner.query(`DELETE FROM ${table}`);
    await runner.query('DELETE FROM search_index');
    await runner.query('UPDATE data_version SET version = version + 1');
    await search.updateIndex();
    expect(await found('/events?search=%22alpha+beta%22')).toEqual([]);
    expect(await found('/events?search=alphabeta')).toEqual([ids.event, ids.excerpt, ids.plain]);
    const number = await version();
    await new SearchTexts1795404000000().up(runner);
    expect(await version()).toBe(number! + 1);
    for (let times = 0; times < 2; times += 1) {
      expect(await found('/events?search=%22alpha+beta%22')).toEqual([ids.event, ids.excerpt]);
      expect(await found('/events?search=alphabeta')).toEqual([ids.plain]);
      await search.updateIndex();
    }
    expect(await found('/venues?search=alphabeta')).toEqual([]);
    expect(await found('/venues?search=alpha')).toEqual([ids.venue]);
    expect(await found('/organizers?search=beta')).toEqual([ids.organizer]);
  });

  test('keeps the text of a concurrent write', async () => {
    await glue();
    const start = runner.startTransaction.bind(runner);
    runner.startTransaction = async () => {
      await runner.query(
        `UPDATE events SET description = '<p>new</p>', search_text = 'glued\nnew\n' WHERE id = ${ids.event}`,
      );
      await start();
    };
    await new SearchTexts1795404000000().up(runner);
    const rows = await texts('events');
    expect(rows.map(({ search_text }) => search_text).slice(0, 2)).toEqual(['glued\nnew\n', 'excerpt\n\nalpha beta']);
  });
});

test('VO-17: json_ld separates blocks of text by a blank', async () => {
  const { body } = await app().client.get(`/venues/${ids.venue}`);
  expect(body.json_ld.description).toBe('alpha beta');
});
