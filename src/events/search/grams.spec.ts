import { blockOf, gramsOf, gramsToLookUp, idRange, mark, idsInAll, emptySlice } from './grams.js';

const sliceOf = (ids: readonly number[]) => {
  const slice = emptySlice();
  for (const id of ids) mark(slice, id);
  return slice;
};

it('a block contains the ids from its first up to the next block', () => {
  for (const block of [0, 1, 77]) {
    const [from, to] = idRange(block);
    expect([from - 1, from, to - 1, to].map(blockOf)).toEqual([block - 1, block, block, block + 1]);
  }
});

it('returns whether a mark is new', () => {
  const slice = emptySlice();
  expect([mark(slice, 9), mark(slice, 8), mark(slice, 9)]).toEqual([true, true, false]);
});

it('finds the first and the last id of a block, and ids between them', () => {
  const [from, to] = idRange(3);
  const ids = [from, from + 7, from + 8, to - 9, to - 1];
  expect(idsInAll(3, [sliceOf(ids)])).toEqual(ids);
});

it('finds the ids that are marked in all slices', () => {
  expect(idsInAll(0, [sliceOf([1, 2, 3, 600]), sliceOf([2, 3, 600]), sliceOf([2, 4, 600])])).toEqual([2, 600]);
  expect(idsInAll(0, [sliceOf([1]), emptySlice()])).toEqual([]);
});

describe('gramsOf', () => {
  it.each([
    ['nothing', '', 0],
    ['a letter', 'a', 0],
    ['two letters', 'ab', 0],
    ['three letters', 'abc', 1],
    ['a repeated letter', 'aaaaaaa', 1],
    ['a word', 'xylophone', 7],
    ['a Chinese word of two characters', '東京', 1],
    ['a Chinese word of three characters', '東京都', 3],
    ['an emoji', '🎉', 1],
  ])('returns the grams of %s', (_title, text, count) => {
    expect(gramsOf(text)).toHaveLength(count);
  });

  it.each([
    ['part of a word', 'xylophone', 'lopho'],
    ['across words', 'a big xylophone', 'g xy'],
    ['Chinese', '今日は東京都で', '京都'],
    ['an emoji', 'a🎉b', '🎉'],
    ['punctuation', '100% a_b \\', '0% a_'],
  ])('a text has all grams of its parts: %s', (_title, text, part) => {
    expect(gramsOf(text)).toEqual(expect.arrayContaining(gramsOf(part)));
    expect(gramsOf(part)).not.toEqual([]);
  });

  it('returns different grams for different words', () => {
    const words = ['concert', 'lecture', 'workshop', 'market', 'reading', 'festival', 'regatta', 'marathon'];
    for (const word of words) {
      const others = words.filter((other) => other !== word).map(gramsOf);
      expect(others.some((grams) => gramsOf(word).every((gram) => grams.includes(gram)))).toBe(false);
    }
  });
});

describe('gramsToLookUp', () => {
  it('returns the grams of all words, each once', () => {
    expect(gramsToLookUp(['abcd', 'bcde']).toSorted()).toEqual(gramsOf('abcde').toSorted());
  });

  it('returns a sample of many grams, from each word', () => {
    const words = ['violin', 'trumpet', 'xylophone', 'saxophone', 'accordion'];
    const grams = gramsToLookUp(words);
    expect(grams).toHaveLength(10);
    expect(new Set(grams).size).toBe(10);
    for (const word of words) expect(gramsOf(word).some((gram) => grams.includes(gram))).toBe(true);
  });

  it('returns none for words that are too short', () => {
    expect(gramsToLookUp(['a', 'bc', '%'])).toEqual([]);
  });
});
