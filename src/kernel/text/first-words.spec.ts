import { firstWords } from './first-words.js';

test.each([
  ['as it is', 8, 'as it is'],
  ['one two three', 12, 'one two…'],
  ['one two three', 7, 'one…'],
  ['one\ntwo three', 6, 'one…'],
  ['one \n two', 7, 'one…'],
  ['unbroken', 4, 'unbr…'],
  ['ab😀cd', 3, 'ab…'],
  ['ab😀cd', 4, 'ab😀…'],
  ['', 0, ''],
])('%j of at most %i units is %j', (text, max, expected) => {
  expect(firstWords(text, max)).toBe(expected);
});
