import { RecordCache } from './record-cache.js';
import type { Sql } from '../sql/dialect.js';

const at = (version: number, epoch = 'first') => ({ version, epoch });
const EVENTS = { table: 'events', ids: [1, 2], minVersion: 0 };
const SELECT = 'SELECT id FROM events';

/** A database in a state, whose statements return event 1. */
function database(state: ReturnType<typeof at>): Sql {
  const row = { read_version: state.version, read_epoch: state.epoch, id: 1, title: `of ${state.version}` };
  return { query: <Row>() => Promise.resolve([row] as Row[]) };
}

async function filled(records: RecordCache, state: ReturnType<typeof at>) {
  await records.load(database(state), EVENTS, (sql) => sql.query<{ id: number }>(SELECT));
  return [records.get('events', 1), records.get('events', 2)];
}

function newCache(): RecordCache {
  const records = new RecordCache(100, new Set(['events']));
  records.clear(at(5));
  return records;
}

test('caches rows, and that a record does not exist, until they are dropped', async () => {
  const records = newCache();
  expect(await filled(records, at(5))).toMatchObject([{ id: 1, title: 'of 5' }, null]);
  records.drop('events', [1]);
  expect([records.get('events', 1), records.get('events', 2)]).toEqual([undefined, null]);
  records.clear(at(6));
  expect(records.get('events', 2)).toBeUndefined();
});

test('does not cache rows that were read before their change was dropped', async () => {
  const records = newCache();
  const reading = filled(records, at(6));
  records.drop('events', [1]);
  records.moveTo(at(7));
  expect(await reading).toEqual([undefined, undefined]);
  expect(await filled(records, at(7))).toMatchObject([{ title: 'of 7' }, null]);
});

test('does not cache rows of another history of the database, nor before it knows a state', async () => {
  expect(await filled(newCache(), at(9, 'restored'))).toEqual([undefined, undefined]);
  expect(await filled(new RecordCache(100, new Set(['events'])), at(9))).toEqual([undefined, undefined]);
});

test('tells whether records of some tables have changed since a request read the state', () => {
  const records = new RecordCache(100, new Set(['events', 'venues', 'terms']));
  expect(records.watch(['venues'], at(5))).toBeUndefined();
  records.clear(at(5));
  const [places, terms] = [records.watch(['venues', 'terms'], at(5))!, records.watch(['terms'], at(5))!];
  records.drop('events', [1]);
  records.drop('venues', []);
  expect([places(), terms()]).toEqual([true, true]);
  records.drop('venues', [7]);
  expect([places(), terms()]).toEqual([false, true]);
  records.clear(at(5));
  expect(terms()).toBe(false);
});

test('does not tell of changes to a request that has read a state before them', () => {
  const records = newCache();
  records.drop('events', [1]);
  records.moveTo(at(7));
  expect([at(6), at(7, 'second')].map((state) => records.watch(['events'], state))).toEqual([undefined, undefined]);
  expect(records.watch(['events'], at(7))?.()).toBe(true);
});
