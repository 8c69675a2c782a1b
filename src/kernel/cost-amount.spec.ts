import { amountsOf, isFreeWord } from './cost-amount.js';

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

  it('COST-07: Free is the word in any case and nothing else', () => {
    expect(amountsOf('fREE')?.map(isFreeWord)).toEqual([true]);
    expect(amountsOf('Free; 0')?.map(isFreeWord)).toEqual([true, false]);
    expect(amountsOf('Free!')).toBeUndefined();
  });
});
