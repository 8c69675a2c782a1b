import { splitIntoBatches } from './row-batches.js';

const sizeOf = (text: string) => text.length;

test.each([
  { about: 'no items', items: [], batches: [] },
  { about: 'items that fit', items: ['ab', 'cd'], batches: [['ab', 'cd']] },
  { about: 'items that just fit', items: ['ab', 'cd', 'e', 'f'], batches: [['ab', 'cd', 'e'], ['f']] },
  { about: 'an item that is too large', items: ['a', 'bcdefg', 'h'], batches: [['a'], ['bcdefg'], ['h']] },
  { about: 'too many items', items: ['a', 'b', 'c', 'd'], batches: [['a', 'b', 'c'], ['d']] },
])('splits $about into batches', ({ items, batches }) => {
  expect(splitIntoBatches<string>(items, { sizeOf, maxSize: 5, maxItems: 3 })).toEqual(batches);
});

test('without maxItems the number of items has no limit', () => {
  expect(splitIntoBatches(['a', 'b', 'c', 'd', 'e', 'f'], { sizeOf, maxSize: 5 })).toEqual([
    ['a', 'b', 'c', 'd', 'e'],
    ['f'],
  ]);
});
