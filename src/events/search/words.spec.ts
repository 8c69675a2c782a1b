import { cluesOf, wordsOf } from './words.js';

const long = (length: number) => Array.from({ length }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');

describe('wordsOf', () => {
  it.each([
    ['nothing', '', []],
    ['punctuation and emoji', '-- % 🎉 (!)', []],
    ['words', 'a jazz night, a jazz-club', ['a', 'jazz', 'night', 'a', 'jazz', 'club']],
    ['lines', 'title\ntext\n', ['title', 'text']],
    ['digits', '12:30 3.50 ²', ['12', '30', '3', '50', '²']],
    ['an underscore separates', '50_50', ['50', '50']],
    ['marks', 'हिन्दी が', ['हिन्दी', 'が']],
    ['letters outside the basic plane', '𠮷野家', ['𠮷野家']],
    ['emoji separate', 'a🎉b', ['a', 'b']],
  ])('returns %s', (_title, text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('returns pieces of long words, each at most 64 code points', () => {
    for (const letter of ['x', '𠮷']) {
      for (const length of [64, 65, 96, 97, 128, 129, 1000]) {
        const sizes = wordsOf(letter.repeat(length)).map((word) => [...word].length);
        expect(Math.max(...sizes)).toBeLessThanOrEqual(64);
      }
    }
    expect(wordsOf(long(64))).toEqual([long(64)]);
    expect(wordsOf(long(97))).toEqual([long(64), long(96).slice(32), long(97).slice(64)]);
  });
});

describe('cluesOf', () => {
  it.each([
    ['a word', 'jazz', ['jazz'], true],
    ['a word in a script without spaces', '東京', ['東京'], true],
    ['a word of 32 letters', long(32), [long(32)], true],
    ['a longer word', long(33), [long(32), long(33).slice(1)], false],
    ['a hyphen', 'jazz-night', ['jazz\n', '\nnight'], false],
    ['a phrase', 'a jazz night', ['a\n', '\njazz\n', '\nnight'], false],
    ['punctuation at the ends', '(jazz)', ['\njazz\n'], false],
    ['a sign behind', '100%', ['100\n'], false],
    ['a long word in a phrase', `a ${long(40)} b`, ['a\n', `\n${long(32)}`, `${long(40).slice(8)}\n`, '\nb'], false],
    ['no word', '🎉', [], false],
  ])('returns the clues of %s', (_title, term, needles, areExact) => {
    expect(cluesOf(term)).toEqual({ needles, areExact });
  });

  it('each part of a text has its clues in the words of the text', () => {
    const text = `one jazz-night, ${long(200)} 🎉b(𠮷${'𠮷'.repeat(90)}) ends.`;
    const lines = wordsOf(text).map((word) => `\n${word}\n`);
    for (let from = 0; from < text.length; from += 1) {
      for (const length of [1, 2, 3, 7, 31, 32, 33, 64, 65, 150]) {
        const part = text.slice(from, from + length);
        if (!part.isWellFormed()) continue;
        for (const needle of cluesOf(part).needles) {
          expect({ part, needle, isThere: lines.some((line) => line.includes(needle)) }).toMatchObject({
            isThere: true,
          });
        }
      }
    }
  });
});
