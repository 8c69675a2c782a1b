import { gramsOf, gramsToAsk } from './search-grams.js';

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
