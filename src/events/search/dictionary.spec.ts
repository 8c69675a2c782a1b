import { Dictionary, findInChunk } from './dictionary.js';

function wordsIn(dictionary: Dictionary): string[] {
  return dictionary.chunks.flatMap((chunk) => chunk.slice(1, -1).split('\n'));
}

function containing(dictionary: Dictionary, needle: string, max = Infinity): string[] {
  const found: string[] = [];
  for (const chunk of dictionary.chunks) findInChunk(chunk, needle, max, found);
  return found;
}

describe('Dictionary', () => {
  it('is empty at first', () => {
    expect(new Dictionary().has('a')).toBe(false);
    expect(containing(new Dictionary(), 'a')).toEqual([]);
  });

  it('has each added word once, in ascending order', () => {
    const dictionary = new Dictionary();
    const all = new Set<string>();
    for (let seed = 1, batch = 0; batch < 200; batch += 1) {
      const words = Array.from({ length: 100 }, () => {
        seed = (seed * 48_271) % 2_147_483_647;
        return (seed % 30_011).toString(36) + (seed % 7 === 0 ? '東京' : '') + (seed % 11 === 0 ? '𠮷' : '');
      });
      dictionary.add(words);
      for (const word of words) all.add(word);
    }
    expect(wordsIn(dictionary)).toEqual([...all].sort());
    expect(dictionary.chunks.length).toBeGreaterThan(2);
    expect(dictionary.chunks.every((chunk) => /^\n[^]*\n$/.test(chunk) && chunk.length <= 32_768)).toBe(true);
    for (const word of all) expect(dictionary.has(word)).toBe(true);
    for (const word of ['', '0', 'zzzz', '東', '~']) expect(dictionary.has(word)).toBe(all.has(word));
    for (const needle of ['a', '1b', '東京𠮷', '\nx', 'z\n', '京\n']) {
      const expected = [...all].filter((word) => `\n${word}\n`.includes(needle)).sort();
      expect(containing(dictionary, needle)).toEqual(expected);
      expect(expected).not.toEqual([]);
    }
  });

  it('adds words before, between and behind others', () => {
    const dictionary = new Dictionary();
    for (const words of [['m'], ['a', 'z'], ['ma', 'm', 'b', 'b'], []]) dictionary.add(words);
    expect(wordsIn(dictionary)).toEqual(['a', 'b', 'm', 'ma', 'z']);
  });

  it('finds a word once, also if it has the needle several times, and stops behind the maximum', () => {
    const dictionary = new Dictionary();
    dictionary.add(['aaaa', 'baab', 'caa', 'd', 'eaa']);
    expect(containing(dictionary, 'a')).toEqual(['aaaa', 'baab', 'caa', 'eaa']);
    expect(containing(dictionary, 'a', 2)).toHaveLength(3);
    expect(containing(dictionary, '\naaaa\n')).toEqual(['aaaa']);
  });
});
