import { blockOf, idsOf, mark, markedInAll, newSlice } from './gram-slices.js';

const sliceOf = (ids: readonly number[]) => {
  const slice = newSlice();
  for (const id of ids) mark(slice, id);
  return slice;
};

it('a block has the ids from its first up to the next block', () => {
  for (const block of [0, 1, 77]) {
    const [from, to] = idsOf(block);
    expect([from - 1, from, to - 1, to].map(blockOf)).toEqual([block - 1, block, block, block + 1]);
  }
});

it('says whether a mark is new', () => {
  const slice = newSlice();
  expect([mark(slice, 9), mark(slice, 8), mark(slice, 9)]).toEqual([true, true, false]);
});

it('finds the first and the last id of a block, and those between', () => {
  const [from, to] = idsOf(3);
  const ids = [from, from + 7, from + 8, to - 9, to - 1];
  expect(markedInAll(3, [sliceOf(ids)])).toEqual(ids);
});

it('finds what all slices have', () => {
  expect(markedInAll(0, [sliceOf([1, 2, 3, 600]), sliceOf([2, 3, 600]), sliceOf([2, 4, 600])])).toEqual([2, 600]);
  expect(markedInAll(0, [sliceOf([1]), newSlice()])).toEqual([]);
});
