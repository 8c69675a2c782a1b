import { amountsOf, compareValues, isFreeWord, isZero, numbersIn, numberValue } from './cost-amount.js';

describe('amountsOf', () => {
  it.each([
    ['COST-02', '20$', '20', '$', 'postfix'],
    ['COST-18', '€\u00a010', '10', '€', 'prefix'],
    ['COST-20', 'EUR10', '10', 'EUR', 'prefix'],
    ['COST-21', 'US$ 25', '25', 'US$', 'prefix'],
    ['COST-21', '25 $US', '25', '$US', 'postfix'],
    ['COST-21', '25 C$CA', '25', 'C$CA', 'postfix'],
    ['COST-21', '₹ 1,00,000', '1,00,000', '₹', 'prefix'],
    ...['kr', 'kr.', 'Kč', 'zł', 'Ft', 'lei', 'лв', 'руб', 'руб.', 'Fr', 'Fr.', 'Rs', 'Rs.', 'R', 'RM', 'Rp'].flatMap(
      (symbol) => [
        ['COST-21', `10 ${symbol}`, '10', symbol, 'postfix'],
        ['COST-21', `${symbol} 10`, '10', symbol, 'prefix'],
      ],
    ),
  ])('%s: %s', (_id, entry, number, symbol, position) => {
    expect(amountsOf(entry)).toEqual([{ number, value: expect.any(String), symbol, position }]);
  });

  it.each(['€10€', '$10 USD', 'usd 10', '10 KR', '10 Euro', 'ABCD$ 10', '.50', '5.', '5.-', '10 20', '-5', '10;', '½'])(
    'COST-28: %s is free text',
    (entry) => expect(amountsOf(entry)).toBeUndefined(),
  );

  it('COST-07: the word Free is recognized in any case, and only as a whole amount', () => {
    expect(amountsOf('fREE')?.map(isFreeWord)).toEqual([true]);
    expect(amountsOf('Free; 0')?.map(isFreeWord)).toEqual([true, false]);
    expect(amountsOf('Free!')).toBeUndefined();
  });
});

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
