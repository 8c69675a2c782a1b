import { compareValues, isZero, numbersIn, numberValue } from './cost-number.js';

describe('numberValue', () => {
  it.each([
    ['COST-05', '0.00', '0.00'],
    ['COST-17', '10,20', '10.20'],
    ['COST-17', '0,500', '0.500'],
    ['COST-17', '1234,567', '1234.567'],
    ['COST-17', '10,2000', '10.2000'],
    ['COST-22', '999,999', '999999'],
    ['COST-22', '1,000,000', '1000000'],
    ['COST-22', '1,00,000', '100000'],
    ['COST-23', '1,234,567.5', '1234567.5'],
    ['COST-23', '1.234.567,5', '1234567.5'],
    ['COST-23', '1.234,567.8', undefined],
    ['COST-24', "1'234'567.50", '1234567.50'],
    ['COST-24', '1 234,567', '1234.567'],
    ['COST-24', '1\u202f234\u00a0567', '1234567'],
    ['COST-25', '12.345', '12.345'],
  ])('%s: %s', (_id, written, value) => expect(numberValue(written)).toBe(value));
});

describe('numbersIn', () => {
  it.each([
    ['COST-28', '10 200 to 10 20 or 5, 6', ['10200', '10', '20', '5', '6']],
    ['COST-28', '1.50. Or ,50', ['1.50', '50']],
    ['COST-28', '1.234,567.8 x', ['1', '234', '567', '8']],
    ['COST-28', '2027 100', ['2027', '100']],
    ['COST-30', 'VIP', []],
  ])('%s: %s', (_id, text, values) => expect(numbersIn(text)).toEqual(values));
});

describe('compareValues', () => {
  it.each([
    ['9', '10', -1],
    ['10', '9.99', 1],
    ['1.5', '1.25', 1],
    ['1.5', '1.50', 0],
    ['007', '7', 0],
    ['0.00', '0', 0],
    ['0.1', '0', 1],
    ['9007199254740993', '9007199254740992', 1],
  ])('COST-29: %s, %s', (left, right, sign) => expect(Math.sign(compareValues(left, right))).toBe(sign));
});

describe('isZero', () => {
  it.each([
    ['0', true],
    ['0.00', true],
    ['000', true],
    ['0.01', false],
    ['10', false],
  ])('COST-05: %s', (value, zero) => expect(isZero(value)).toBe(zero));
});
