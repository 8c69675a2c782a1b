import { blockOf, gramsOf, gramsToAsk, idsOf, mark, markedInAll, newSlice } from './grams.js';

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

describe('gramsOf', () => {
  it.each([
    ['nothing', '', 0],
    ['a letter', 'a', 0],
    ['two letters', 'ab', 0],
    ['three letters', 'abc', 1],
    ['the same again', 'aaaaaaa', 1],
    ['a word', 'xylophone', 7],
    ['a Chinese word of two', '東京', 1],
    ['of three', '東京都', 3],
    ['an emoji', '🎉', 1],
  ])('%s', (_title, text, count) => {
    expect(gramsOf(text)).toHaveLength(count);
  });

  it.each([
    ['in a word', 'xylophone', 'lopho'],
    ['across words', 'a big xylophone', 'g xy'],
    ['in Chinese', '今日は東京都で', '京都'],
    ['an emoji', 'a🎉b', '🎉'],
    ['signs', '100% a_b \\', '0% a_'],
  ])('a text has the grams of what it contains: %s', (_title, text, part) => {
    expect(gramsOf(text)).toEqual(expect.arrayContaining(gramsOf(part)));
    expect(gramsOf(part)).not.toEqual([]);
  });

  it('tells most words apart', () => {
    const words = ['concert', 'lecture', 'workshop', 'market', 'reading', 'festival', 'regatta', 'marathon'];
    for (const word of words) {
      const others = words.filter((other) => other !== word).map(gramsOf);
      expect(others.some((grams) => gramsOf(word).every((gram) => grams.includes(gram)))).toBe(false);
    }
  });
});

describe('gramsToAsk', () => {
  it('are those of all words, each once', () => {
    expect(gramsToAsk(['abcd', 'bcde']).toSorted()).toEqual(gramsOf('abcde').toSorted());
  });

  it('are few of many, from the first words and the last ones', () => {
    const words = ['violin', 'trumpet', 'xylophone', 'saxophone', 'accordion'];
    const grams = gramsToAsk(words);
    expect(grams).toHaveLength(10);
    expect(new Set(grams).size).toBe(10);
    for (const word of words) expect(gramsOf(word).some((gram) => grams.includes(gram))).toBe(true);
  });

  it('are none of words that are too short', () => {
    expect(gramsToAsk(['a', 'bc', '%'])).toEqual([]);
  });
});
