import { timeBefore } from './purge.command.js';

describe('timeBefore', () => {
  it.each([
    ['30d', '2026-10-21 08:39:00'],
    ['1d', '2026-11-19 08:39:00'],
    ['12h', '2026-11-19 20:39:00'],
    ['0d', '2026-11-20 08:39:00'],
  ])('subtracts %s', (age, expected) => {
    expect(timeBefore('2026-11-20 08:39:00', age, '--age')).toBe(expected);
  });

  it.each(['30', 'a month', '-1d', '30d ', '', '1.5d', '999999d'])('rejects %j and names the option', (age) => {
    expect(() => timeBefore('2026-11-20 08:39:00', age, '--age')).toThrow(`--age: "${age}" is not an age`);
  });
});
