import { Database } from '../../src/database/database.js';
import { BlockWords, readBlock, replaceBlock } from '../../src/events/search/block-writer.js';
import { EventSearch } from '../../src/events/search/event-search.js';
import { decodePlaces } from '../../src/events/search/event-set.js';
import { startBeside } from '../support/app.js';
import { useApp } from '../support/events.js';
import { event } from '../support/factories.js';
import { insertEvents } from '../support/rows.js';

const app = useApp({ SEARCH_INDEX_FROM: '1', CACHE_ENTRIES: '0' });
const dates = { start_date: '2027-01-01', end_date: '2027-01-02' };
const database = () => app().app.get(Database);
const keepUp = () => app().app.get(EventSearch).updateIndex();
const total = async (search: string, { client }: Pick<ReturnType<typeof app>, 'client'> = app()) =>
  (await client.get(`/events?search=${encodeURIComponent(search)}`)).body.total as number;

async function stored(word: string): Promise<number[]> {
  const rows = await database().query<{ events: Uint8Array }>(
    'SELECT events FROM search_words WHERE word = ? AND block = 0',
    [word],
  );
  return rows.flatMap(({ events }) => decodePlaces(events));
}

async function staleCount(): Promise<number> {
  return decodePlaces((await readBlock(database(), 0)).stale).length;
}

/** Changes the texts of events as the service does, without its checks. */
async function retitle(ids: readonly number[], search_text: string): Promise<void> {
  await database().inTransaction(async (tx) => {
    for (const id of ids) {
      await tx.update('events', id, { search_text });
      tx.recordChange('event.updated', id, 0);
    }
  });
}

test('a block with many changed texts is built again, without their former words', async () => {
  const ids = await insertEvents(
    app(),
    Array.from({ length: 4_200 }, () => ({ search_text: 'former words' })),
  );
  await keepUp();
  expect([await total('former'), await stored('former'), await staleCount()]).toEqual([4_200, ids, 0]);
  await retitle(ids.slice(0, 90), 'present words');
  await keepUp();
  expect([await total('former'), (await stored('former')).length, await staleCount()]).toEqual([4_110, 4_200, 90]);
  expect([await total('present'), await total('words -former'), await total('present former')]).toEqual([90, 90, 0]);
  for (let from = 90; from < 4_200; from += 500) await retitle(ids.slice(from, from + 500), 'present words');
  await keepUp();
  expect([await stored('former'), await staleCount()]).toEqual([[], expect.any(Number)]);
  expect(await staleCount()).toBeLessThan(1_100);
  expect([await total('former'), await total('present'), await total('ormer')]).toEqual([0, 4_200, 0]);
});

test('a block that another process has written meanwhile is not replaced by older words', async () => {
  const { client, tokens } = app();
  await event(client, tokens.adm, { ...dates, title: 'Earlier' });
  await keepUp();
  const { revision } = await readBlock(database(), 0);
  const { id } = await event(client, tokens.adm, { ...dates, title: 'Latest' });
  await keepUp();
  const words = new BlockWords();
  expect(await replaceBlock(database(), 0, { words, revision })).toBe(false);
  expect([await stored('latest'), await total('latest')]).toEqual([[id], 1]);
});

test('a process learns the words that another one indexes', async () => {
  const { client, tokens } = app();
  const other = await startBeside(app(), { SEARCH_INDEX_FROM: '1', CACHE_ENTRIES: '0' });
  await event(client, tokens.adm, { ...dates, title: 'Known' });
  await keepUp();
  expect(await total('known', other)).toBe(1);
  await event(client, tokens.adm, { ...dates, title: 'Learned' });
  expect(await total('earned', other)).toBe(1);
  await keepUp();
  expect(await total('earned', other)).toBe(1);
  // The changes are purged before the other process has read them.
  await event(client, tokens.adm, { ...dates, title: 'Purged' });
  await keepUp();
  await database().inTransaction((tx) => tx.execute('DELETE FROM changes'));
  expect(await total('urge', other)).toBe(1);
  // SQL by hand, after which the index is built again.
  await event(client, tokens.adm, { ...dates, title: 'Replaced' });
  await database().inTransaction(async (tx) => {
    await tx.execute(`UPDATE events SET search_text = 'manual' WHERE search_text LIKE 'replaced%'`);
    await tx.execute('UPDATE data_version SET version = version + 1');
  });
  await keepUp();
  expect([await total('manual', other), await total('replaced', other)]).toEqual([1, 0]);
  await other.close();
});

test('an interrupted build continues, and is not used before its end', async () => {
  const { client, tokens } = app();
  await event(client, tokens.adm, { ...dates, title: 'Interrupted' });
  await keepUp();
  await database().inTransaction(async (tx) => {
    await tx.execute('UPDATE search_index SET next_block = 0');
    await tx.execute('DELETE FROM search_words');
    await tx.execute('DELETE FROM search_blocks');
  });
  expect(await total('interrupted')).toBe(1);
  await keepUp();
  expect([await total('interrupted'), (await stored('interrupted')).length]).toEqual([1, 1]);
});

test('recount has the index built again, because it may follow changes by SQL', async () => {
  await keepUp();
  const { revision } = await readBlock(database(), 0);
  await database().inTransaction((tx) => {
    tx.recordChange('all.changed', 0, 0);
    return Promise.resolve();
  });
  await keepUp();
  expect((await readBlock(database(), 0)).revision).toBe(revision + 1);
});

test('a server updates the index after 500 commits without a search, and goes on building it, but does not begin one', async () => {
  const updateIfOld = () => app().app.get(EventSearch).updateIfOld();
  const indexed = async () => {
    const rows = await database().query<{ seq: number; next_block: number | null }>('SELECT * FROM search_index');
    return rows.map(({ seq, next_block }) => [seq, next_block]);
  };
  const { id } = await event(app().client, app().tokens.adm, { ...dates, title: 'Quiet' });
  await keepUp();
  const [[seq] = []] = await indexed();
  for (let commits = 1; commits < 500; commits += 1) await retitle([id as number], 'silent');
  await updateIfOld();
  expect([await indexed(), await stored('silent')]).toEqual([[[seq, null]], []]);
  await retitle([id as number], 'silent');
  await updateIfOld();
  expect([await indexed(), await stored('silent')]).toEqual([[[seq! + 500, null]], [id]]);

  await database().inTransaction((tx) => tx.execute('UPDATE search_index SET next_block = 0'));
  await updateIfOld();
  expect((await indexed())[0]?.[1]).toBeNull();
  await database().inTransaction((tx) => tx.execute('DELETE FROM search_index'));
  await updateIfOld();
  expect(await indexed()).toEqual([]);
});
