import { blockOf, decodePlaces, encodePlaces, EventSet, hasPlaces, idRange, placeOf, withPlaces } from './event-set.js';

const range = (length: number, step = 1, first = 0) => Array.from({ length }, (_, n) => first + n * step);

it('a block has the ids from its first up to the next block', () => {
  for (const block of [0, 1, 77]) {
    const [from, to] = idRange(block);
    expect([from - 1, from, to - 1, to].map(blockOf)).toEqual([block - 1, block, block, block + 1]);
    expect([from, to - 1].map(placeOf)).toEqual([0, 16_383]);
  }
});

describe('stored places', () => {
  it.each([
    ['none', [], 0],
    ['the first', [0], 1],
    ['the last', [16_383], 2],
    ['neighbours', [5, 6, 7], 3],
    ['distances of one and two bytes', [127, 255, 384, 16_383], 6],
    ['up to the size of a bitmap', range(2047), 2047],
    ['from there on a bitmap', range(2048), 2048],
    ['far apart', range(1024, 16), 1024],
    ['all', range(16_384), 2048],
  ])('%s', (_title, places, bytes) => {
    const stored = encodePlaces(places);
    expect(stored).toHaveLength(bytes);
    expect(decodePlaces(stored)).toEqual(places);
    const set = new EventSet();
    set.addStored(2, stored);
    expect(set.ids()).toEqual(places.map((place) => 2 * 16_384 + place));
  });

  it.each([100, 5_000])('%i places have only those', (count) => {
    const stored = encodePlaces(range(count, 3));
    expect(hasPlaces(stored, [])).toBe(true);
    expect(hasPlaces(stored, [0, 3, 3 * (count - 1)])).toBe(true);
    for (const missing of [1, 3 * count]) expect(hasPlaces(stored, [0, missing])).toBe(false);
  });

  it('are joined in ascending order', () => {
    expect(withPlaces([1, 5, 300], [2, 5, 16_000])).toEqual([1, 2, 5, 300, 16_000]);
  });
});

describe('EventSet', () => {
  const [some, others] = [EventSet.of([1, 2, 16_384, 70_000]), EventSet.of([2, 3, 70_000, 900_000])];

  it('has the ids that it was made of', () => {
    expect([some.size, some.ids(), some.has(16_384), some.has(3), some.has(900_000)]).toEqual([
      4,
      [1, 2, 16_384, 70_000],
      true,
      false,
      false,
    ]);
  });

  it('is joined, intersected and reduced, and stays as it is', () => {
    expect(some.and(others).ids()).toEqual([2, 70_000]);
    expect(some.or(others).ids()).toEqual([1, 2, 3, 16_384, 70_000, 900_000]);
    expect(some.without(others).ids()).toEqual([1, 16_384]);
    expect([some.size, others.size]).toEqual([4, 4]);
  });
});
