import { CacheEntries } from './cache-entries.js';

const memoryOf = (capacity: number) => new CacheEntries(1, '2026-11-20 09:00:00', '2026-11-21 00:00:00', capacity);
const heldOf = (memory: CacheEntries, keys: readonly string[]) => keys.filter((key) => memory.get(key) !== undefined);

test('a memory never holds more than it may', () => {
  const memory = memoryOf(20);
  const keys = Array.from({ length: 25 }, (_, index) => `key ${index + 1}`);
  for (const key of keys) memory.set(key, key, 3);
  const held = heldOf(memory, keys);
  expect(held.length * 3).toBeLessThanOrEqual(20);
  expect(held).toContain('key 25');
});

test('what is asked for again and again stays, whatever else comes and goes', () => {
  const memory = memoryOf(20);
  memory.set('total', 7, 1);
  for (let n = 1; n <= 100; n += 1) {
    memory.set(`page ${n}`, n, 3);
    expect(memory.get('total')).toBe(7);
  }
  expect(memory.get('page 1')).toBeUndefined();
});

test('a value that is set once more takes its room once', () => {
  const memory = memoryOf(20);
  memory.set('other', 1, 1);
  for (let n = 1; n <= 100; n += 1) memory.set('same', n, 9);
  expect([memory.get('other'), memory.get('same')]).toEqual([1, 100]);
});

test('what is larger than half of the room is not kept, and drops nothing', () => {
  const memory = memoryOf(20);
  memory.set('small', 1, 10);
  memory.set('large', 2, 11);
  expect([memory.get('small'), memory.get('large')]).toEqual([1, undefined]);
});
