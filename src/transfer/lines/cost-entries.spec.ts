import { costEntriesOf } from './cost-entries.js';
import { type Cost, parseCost } from '../../kernel/cost.js';

/** Returns a cost in its stored form. */
const stored = (entries: readonly string[]) => JSON.parse(JSON.stringify(parseCost(entries))) as Cost;

describe('costEntriesOf', () => {
  it.each<[string[], string[]]>([
    [['20'], ['20']],
    [['$20'], ['$20']],
    [['20 €'], ['20€']],
    [['0'], ['0']],
    [['0.00'], ['0.00']],
    [['$0'], ['$0']],
    [['Free'], ['Free']],
    [['free'], ['free']],
    [['Donation'], ['Donation']],
    [['10 - 20'], ['10', '20']],
    [
      ['0$', '20$', '30$'],
      ['0$', '20$', '30$'],
    ],
    [
      ['Free', '10'],
      ['Free', '10'],
    ],
    [['10, 20, 30'], ['10', '20', '30']],
    [['10,20'], ['10,20']],
    [['1.000.000'], ['1.000.000']],
    [['1 234,50 €'], ['1 234,50€']],
    [["CHF 1'000"], ["CHF1'000"]],
    [['$10 - €20'], ['$10', '€20']],
    [['10 per person'], ['10 per person']],
    [
      ['VIP', 'Standard'],
      ['VIP', 'Standard'],
    ],
    [
      ['Donation', '10'],
      ['10', 'Donation'],
    ],
    [
      ['Free', '0', '5'],
      ['0', '5', 'Free'],
    ],
  ])('%j is exported as %j', (sent, expected) => {
    const cost = stored(sent);
    expect(costEntriesOf(cost)).toEqual({ entries: expected, isExact: true });
    expect(parseCost(expected)).toEqual(cost);
  });

  it('reports a stored cost that lost parts of the sent one', () => {
    const cost = stored(['$10', '€20', '$30']);
    expect(costEntriesOf(cost)).toEqual({ entries: ['$10', '20', '$30'], isExact: false });
  });
});
