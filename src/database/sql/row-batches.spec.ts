import { partsWithin } from './row-batches.js';

const sizeOf = (text: string) => text.length;

test.each([
  { about: 'nothing', items: [], parts: [] },
  { about: 'what fits', items: ['ab', 'cd'], parts: [['ab', 'cd']] },
  { about: 'just what fits', items: ['ab', 'cd', 'e', 'f'], parts: [['ab', 'cd', 'e'], ['f']] },
  { about: 'too large alone', items: ['a', 'bcdefg', 'h'], parts: [['a'], ['bcdefg'], ['h']] },
  { about: 'too many', items: ['a', 'b', 'c', 'd'], parts: [['a', 'b', 'c'], ['d']] },
])('parts of $about', ({ items, parts }) => {
  expect(partsWithin<string>(items, { sizeOf, largest: 5, most: 3 })).toEqual(parts);
});

test('without a number, any number of items', () => {
  expect(partsWithin(['a', 'b', 'c', 'd', 'e', 'f'], { sizeOf, largest: 5 })).toEqual([
    ['a', 'b', 'c', 'd', 'e'],
    ['f'],
  ]);
});
