import { decimalOf, integerOf } from './number-input.js';

const DIGITS = '9'.repeat(309);

describe('integerOf', () => {
  it.each([
    ['12', 12],
    ['-12', -12],
    ['007', 7],
    [`${'0'.repeat(400)}5`, 5],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', undefined],
    ['-9007199254740992', undefined],
    [DIGITS, undefined],
    [`-${DIGITS}`, undefined],
    ['', undefined],
    ['1.0', undefined],
    ['1e3', undefined],
    ['+1', undefined],
    ['１', undefined],
    ['Infinity', undefined],
  ])('2.2: parses or rejects %j', (text, expected) => {
    expect(integerOf(text)).toBe(expected);
  });
});

describe('decimalOf', () => {
  it.each([
    ['4.5', 4.5],
    ['-.5', -0.5],
    ['+2.', 2],
    [`0.${DIGITS}`, 1],
    [DIGITS, undefined],
    [`-${DIGITS}.5`, undefined],
    ['1e3', undefined],
    ['.', undefined],
    ['NaN', undefined],
    ['', undefined],
  ])('2.2: parses or rejects %j', (text, expected) => {
    expect(decimalOf(text)).toBe(expected);
  });
});
