import { WeightedCache } from './weighted-cache.js';

const keysIn = (cache: WeightedCache, keys: readonly string[]) => keys.filter((key) => cache.get(key) !== undefined);

test('the cache never exceeds its capacity', () => {
  const cache = new WeightedCache(20);
  const keys = Array.from({ length: 25 }, (_, index) => `key ${index + 1}`);
  for (const key of keys) cache.set(key, key, 3);
  const cached = keysIn(cache, keys);
  expect(cached.length * 3).toBeLessThanOrEqual(20);
  expect(cached).toContain('key 25');
});

test('an entry in regular use is never evicted', () => {
  const cache = new WeightedCache(20);
  cache.set('total', 7, 1);
  for (let n = 1; n <= 100; n += 1) {
    cache.set(`page ${n}`, n, 3);
    expect(cache.get('total')).toBe(7);
  }
  expect(cache.get('page 1')).toBeUndefined();
});

test('a value that is set again counts once', () => {
  const cache = new WeightedCache(20);
  cache.set('other', 1, 1);
  for (let n = 1; n <= 100; n += 1) cache.set('same', n, 9);
  expect([cache.get('other'), cache.get('same')]).toEqual([1, 100]);
});

test('a value larger than half of the capacity is not cached, and evicts nothing', () => {
  const cache = new WeightedCache(20);
  cache.set('small', 1, 10);
  cache.set('large', 2, 11);
  expect([cache.get('small'), cache.get('large')]).toEqual([1, undefined]);
});

test('values that fill the cache stay, whether they are read in turn or not', () => {
  const cache = new WeightedCache(20);
  const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
  for (const key of keys) cache.set(key, key, 1);
  for (let round = 0; round < 3; round += 1) expect(keysIn(cache, keys)).toEqual(keys);
});

test('a value that was deleted or replaced no longer counts', () => {
  const cache = new WeightedCache(20);
  cache.set('kept', 1, 10);
  for (let n = 1; n <= 100; n += 1) {
    cache.set('passing', n, 10);
    if (n % 2 === 0) cache.delete('passing');
  }
  cache.set('small', 2, 10);
  expect(keysIn(cache, ['kept', 'passing', 'small'])).toEqual(['kept', 'small']);
  cache.set('small', 3, 11);
  expect(cache.get('small')).toBeUndefined();
});
