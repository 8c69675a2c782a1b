import { parseSearch, searchPieces } from './search-query.js';

describe('parseSearch', () => {
  it.each([
    ['one word', 'Foo', ['foo'], []],
    ['two words', ' foo \t bar ', ['foo', 'bar'], []],
    ['folded', 'Wrocław &amp; é', ['wroclaw', '&', 'e'], []],
    ['a phrase', '"foo  bar" baz', ['foo  bar', 'baz'], []],
    ['a phrase behind a word', 'a"b c"d', ['a', 'b c', 'd'], []],
    ['an unbalanced quote', 'a "b c', ['a', 'b c'], []],
    ['excluded words are folded', 'Wein -Wine -"Red &amp; RosÉ"', ['wein'], ['wine', 'red & rose']],
    ['excluded words', 'a -b -"c d" --e', ['a'], ['b', 'c d', '-e']],
    ['an excluded phrase to the end', 'a -"b c', ['a'], ['b c']],
    ['a dash inside a word', 'a-b', ['a-b'], []],
    ['a dash alone', 'rock - pop', ['rock', 'pop'], []],
    ['control characters', 'a\0b\nc', ['a', 'b', 'c'], []],
    ['control characters in a phrase', '"a\0b"', ['a b'], []],
    ['blanks of every kind', 'a\u00a0b\u3000c', ['a', 'b', 'c'], []],
    ['wild cards are characters like others', '100% a_b', ['100%', 'a_b'], []],
    ['nothing', '', [], []],
    ['nothing but control characters', '\0', [], []],
    ['nothing but excluded words', '-x', [], ['x']],
    ['an empty phrase', '""', [], []],
    ['a phrase of blanks', '" "', [], []],
    ['nothing left of it', '\u0301 &nbsp; -', [], []],
  ])('EV-LIST-22: %s', (_title, text, include, exclude) => {
    expect(parseSearch(text)).toEqual({ include, exclude });
  });

  it.each([
    ['20 words are words', `${'a '.repeat(19)}-b`, Array.from({ length: 19 }, () => 'a'), ['b']],
    ['21 words are one phrase', ` ${'a '.repeat(20)} É `, [`${'a '.repeat(20)} e`], []],
    ['in which dashes and quotes are text', `-a "b c" ${'d '.repeat(19)}e`, [`-a "b c" ${'d '.repeat(19)}e`], []],
    ['excluded words alone, too', '-a '.repeat(21), ['-a '.repeat(21).trim()], []],
    ['control characters are blanks there', `a\0${'b '.repeat(21)}`, [`a ${'b '.repeat(21).trim()}`], []],
    ['a phrase of 30 words is one word', `"${'a '.repeat(30)}b" -c`, [`${'a '.repeat(30)}b`], ['c']],
    ['dashes alone are no words', `${'a - '.repeat(20)}`, Array.from({ length: 20 }, () => 'a'), []],
  ])('EV-LIST-22: %s', (_title, text, include, exclude) => {
    expect(parseSearch(text)).toEqual({ include, exclude });
  });

  it('EV-LIST-23: text that looks like a tag is a search word', () => {
    expect(parseSearch('<b>').include).toEqual(['<b>']);
  });
});

describe('searchPieces', () => {
  it.each([
    ['VO-05', 'Blue Room', ['blue', 'room']],
    ['VO-06', 'london', ['london']],
    ['VO-06', '"temple avenue"', ['temple', 'avenue']],
    ['VO-06', 'France, Île de', ['france', 'ile', 'de']],
    ['VO-07', '+1 555-0100', ['1', '555-0100']],
    ['VO-07', 'common.com', ['common', 'com']],
    ['VO-07', '@common.com', ['common', 'com']],
    ['VO-07', 'http://one.com', ['http', 'one', 'com']],
    ['entities', 'A &amp; B', ['a', 'b']],
    ['dashes alone', 'a - b --', ['a', 'b']],
    ['letters with marks', 'हिन्दी', ['हिन्दी']],
    ['neither letter nor digit', '!? - 🎉️', []],
    ['nothing', '', []],
  ])('%s: %j', (_title, text, expected) => {
    expect(searchPieces(text)).toEqual(expected);
  });
});
