import { Memory } from './memory.js';

const CAPACITY = 10;

test('a memory never holds more than it may, and starts over when it is full', () => {
  const memory = new Memory(1, '2026-11-20 09:00:00', '2026-11-21 00:00:00');
  for (let n = 1; n <= 25; n += 1) memory.set(`key ${n}`, n, 3, CAPACITY);
  const held = Array.from({ length: 25 }, (_, index) => memory.get(`key ${index + 1}`)).filter(
    (value) => value !== undefined,
  );
  expect(held).toEqual([25]);
  memory.set('key 26', 26, 3, CAPACITY);
  expect([memory.get('key 25'), memory.get('key 26')]).toEqual([25, 26]);
});

test('what is larger than all the room is not kept, and drops nothing', () => {
  const memory = new Memory(1, '2026-11-20 09:00:00', '2026-11-21 00:00:00');
  memory.set('small', 1, 1, CAPACITY);
  memory.set('large', 2, 11, CAPACITY);
  expect([memory.get('small'), memory.get('large')]).toEqual([1, undefined]);
});
