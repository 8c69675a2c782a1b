import { fitsAsJson } from './json-size.js';

describe('fitsAsJson', () => {
  test.each([
    ['letters', 'a'.repeat(98)],
    ['quotation marks', '"'.repeat(49)],
    ['line ends', '\n'.repeat(49)],
    ['control characters', '\u0001'.repeat(16) + 'ab'],
    ['characters of two bytes', 'é'.repeat(49)],
    ['characters of three bytes', '名'.repeat(32) + 'ab'],
    ['characters of four bytes', '😀'.repeat(24) + 'ab'],
  ])('counts the bytes of %s as JSON, quotation marks included', (_, text) => {
    expect(Buffer.byteLength(JSON.stringify(text))).toBe(100);
    expect([99, 100].map((maxBytes) => fitsAsJson(text, maxBytes))).toEqual([false, true]);
  });

  test('counts two bytes for an empty text', () => {
    expect([1, 2].map((maxBytes) => fitsAsJson('', maxBytes))).toEqual([false, true]);
  });
});
