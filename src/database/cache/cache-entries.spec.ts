import { CacheEntries } from './cache-entries.js';

const entriesOf = (capacity: number) =>
  new CacheEntries({ version: 1, epoch: '' }, '2026-11-20 09:00:00', '2026-11-21 00:00:00', capacity);
const cachedOf = (entries: CacheEntries, keys: readonly string[]) =>
  keys.filter((key) => entries.get(key) !== undefined);

test('the cache never exceeds its capacity', () => {
  const entries = entriesOf(20);
  const keys = Array.from({ length: 25 }, (_, index) => `key ${index + 1}`);
  for (const key of keys) entries.set(key, key, 3);
  const cached = cachedOf(entries, keys);
  expect(cached.length * 3).toBeLessThanOrEqual(20);
  expect(cached).toContain('key 25');
});

test('an entry in regular use is never evicted', () => {
  const entries = entriesOf(20);
  entries.set('total', 7, 1);
  for (let n = 1; n <= 100; n += 1) {
    entries.set(`page ${n}`, n, 3);
    expect(entries.get('total')).toBe(7);
  }
  expect(entries.get('page 1')).toBeUndefined();
});

test('a value that is set again counts once', () => {
  const entries = entriesOf(20);
  entries.set('other', 1, 1);
  for (let n = 1; n <= 100; n += 1) entries.set('same', n, 9);
  expect([entries.get('other'), entries.get('same')]).toEqual([1, 100]);
});

test('a value larger than half of the capacity is not cached, and evicts nothing', () => {
  const entries = entriesOf(20);
  entries.set('small', 1, 10);
  entries.set('large', 2, 11);
  expect([entries.get('small'), entries.get('large')]).toEqual([1, undefined]);
});
