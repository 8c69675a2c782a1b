import { growth, MOST_GROWTH } from '../../test/support/processor-time.js';
import { cleanCostEntry, costEntries, MAX_COST_ENTRY_LENGTH, offerOf, parseCost, presentCost } from './cost.js';

const DOLLAR = { symbol: '$', position: 'prefix' } as const;

interface Row {
  id: string;
  inputs: unknown[];
  cost: string;
  currency?: string;
  values: string[];
}

const row = (id: string, inputs: unknown[], cost: string, values: string[], currency = ' '): Row => ({
  id,
  inputs,
  cost,
  values,
  currency,
});

/** The table of contract section 8. A row with several inputs and results has one entry for each. */
const TABLE: Row[][] = [
  [
    row('COST-01', ['20', 20], '$20', ['20']),
    row('COST-01', [15], '$15', ['15']),
    row('COST-01', ['10.5'], '$10.5', ['10.5']),
    row('COST-01', ['1000'], '$1000', ['1000']),
  ],
  [row('COST-02', ['20$'], '20$', ['20'], '$ postfix')],
  [row('COST-03', ['$20'], '$20', ['20'], '$ prefix')],
  [row('COST-04', ['0', 0], 'Free', ['0'])],
  [row('COST-05', ['0.00'], 'Free', ['0.00'])],
  [row('COST-06', ['$0'], 'Free', ['0'], '$ prefix')],
  [row('COST-07', ['Free'], 'Free', ['free']), row('COST-07', ['free'], 'free', ['free'])],
  [row('COST-08', ['Donation'], 'Donation', ['donation'])],
  [row('COST-09', ['10 - 20', '10-20', '20 - 10', ['10', '20']], '$10 – $20', ['10', '20'])],
  [row('COST-10', ['$10 - $20', '$10, $20'], '$10 – $20', ['10', '20'], '$ prefix')],
  [row('COST-11', ['£3.50 - £9'], '£3.50 – £9', ['3.50', '9'], '£ prefix')],
  [row('COST-12', ['10-20€', ['10', '20€']], '10€ – 20€', ['10', '20'], '€ postfix')],
  [row('COST-13', [['0$', '20$', '30$']], 'Free – 30$', ['0', '20', '30'], '$ postfix')],
  [row('COST-14', [['Free', '10']], 'Free – $10', ['free', '10'])],
  [row('COST-15', ['Free - $20'], 'Free – $20', ['free', '20'], '$ prefix')],
  [row('COST-16', ['10, 20, 30'], '$10 – $30', ['10', '20', '30'])],
  [row('COST-17', ['10,20'], '$10,20', ['10.20'])],
  [row('COST-18', ['€ 15.50'], '€15.50', ['15.50'], '€ prefix')],
  [row('COST-19', ['5,50 €'], '5,50€', ['5.50'], '€ postfix')],
  [
    row('COST-20', ['10 USD'], '10USD', ['10'], 'USD postfix'),
    row('COST-20', ['USD 10'], 'USD10', ['10'], 'USD prefix'),
  ],
  [
    row('COST-21', ['US$ 25'], 'US$25', ['25'], 'US$ prefix'),
    row('COST-21', ['120 kr'], '120kr', ['120'], 'kr postfix'),
  ],
  [row('COST-22', ['1,000'], '$1,000', ['1000']), row('COST-22', ['1.000.000'], '$1.000.000', ['1000000'])],
  [row('COST-23', ['1,234.50'], '$1,234.50', ['1234.50']), row('COST-23', ['1.234,50'], '$1.234,50', ['1234.50'])],
  [
    row('COST-24', ['1 234,50 €'], '1 234,50€', ['1234.50'], '€ postfix'),
    row('COST-24', ["CHF 1'000"], "CHF1'000", ['1000'], 'CHF prefix'),
  ],
  [row('COST-25', ['12.345'], '$12.345', ['12.345'])],
  [row('COST-26', ['1,000 - 2,500'], '$1,000 – $2,500', ['1000', '2500'])],
  [row('COST-27', ['$10 - €20'], '$10 – €20', ['10', '20'])],
  [
    row('COST-28', ['10 per person'], '10 per person', ['10']),
    row('COST-28', ['from 10 €'], 'from 10 €', ['10']),
    row('COST-28', ['-5'], '-5', ['5']),
  ],
  [row('COST-29', ['10/5 €'], '10/5 €', ['5', '10'])],
  [row('COST-30', [['VIP', 'Standard']], 'VIP, Standard', ['vip', 'standard'])],
  [row('COST-31', [['Donation', '10']], '$10', ['donation', '10'])],
  [row('COST-32', ['<b>9</b>'], '$9', ['9'])],
  [row('COST-33', ['', null, []], '', [])],
];

const MORE: Row[] = [
  row('COST-33: blanks and tags alone', ['  ', ['', ' '], '<b></b>'], '', []),
  row('COST-01: numbers in a list', [[10, 20]], '$10 – $20', ['10', '20']),
  row('COST-01: equal amounts are shown once', [['10', '10.00']], '$10', ['10', '10.00']),
  row('COST-01: leading zeros do not count', [['007', '6.9']], '$6.9 – $007', ['6.9', '007']),
  row(
    'COST-01: beyond the digits of a float',
    ['90071992547409931; 90071992547409930'],
    '$90071992547409930 – $90071992547409931',
    ['90071992547409930', '90071992547409931'],
  ),
  row('COST-05: zero and Free are one amount', [['free', '0.00']], 'Free', ['free', '0.00']),
  row('COST-06: zeros of two currencies', ['$0; €0'], 'Free', ['0']),
  row('COST-07: only the word, twice', ['FREE; free'], 'FREE', ['free']),
  row('COST-07: the word hides a free text', [['Donation', 'free']], 'free', ['donation', 'free']),
  row('COST-08: a free text without letters has no slug', ['–'], '–', []),
  row('COST-09: every cut', ['20–10', '20 — 10', '20;10', '20 ; 10', '20, 10'], '$10 – $20', ['10', '20']),
  row('COST-09: blanks collapsed', ['10  \t-\n 20'], '$10 – $20', ['10', '20']),
  row('COST-12: the same symbol at two positions is no pair', [['€10', '20€', '15']], '€10 – 20€', ['10', '15', '20']),
  row('COST-24: a no-break blank stays', ['1\u00a0234,50\u00a0€'], '1\u00a0234,50€', ['1234.50'], '€ postfix'),
  row('COST-27: the same price in two currencies', ['$10; €10'], '$10 – €10', ['10']),
  row('COST-27: without an own symbol the configured one', [['€10', '£20', '5']], '$5 – £20', ['5', '10', '20']),
  row('COST-28: one piece that is no amount', ['10 - 20 per person'], '10 - 20 per person', ['10', '20']),
  row('COST-28: symbols on both sides', ['$10 USD'], '$10 USD', ['10']),
  row('COST-28: blank between other groups than three', ['10 20'], '10 20', ['10', '20']),
  row('COST-30: a shared slug', [['VIP', 'vip!', '10 x', '5 x']], 'VIP, vip!, 10 x, 5 x', ['vip', '5', '10']),
];

function check({ inputs, cost, values, currency = ' ' }: Row): void {
  const [currency_symbol, currency_position] = currency.split(' ');
  for (const input of inputs) {
    const parsed = parseCost(costEntries(input) ?? ['wrong type']);
    const stored = parsed && (JSON.parse(JSON.stringify(parsed)) as typeof parsed);
    expect({ input, ...presentCost(stored, DOLLAR) }).toEqual({
      input,
      cost,
      cost_details: { currency_symbol, currency_code: '', currency_position, values },
    });
  }
}

describe('cost', () => {
  for (const rows of TABLE) {
    const title = rows.map(({ inputs }) => inputs.map((input) => JSON.stringify(input)).join(', ')).join(' / ');
    it(`${rows[0]?.id}: ${title}`, () => rows.forEach(check));
  }

  it.each(MORE.map((one) => [one.id, one] as const))('%s', (_, one) => check(one));

  it('COST-01: the settings give symbol and position', () => {
    const euro = { symbol: '€', position: 'postfix' } as const;
    expect(presentCost(parseCost(['10-20']), euro).cost).toBe('10€ – 20€');
    expect(presentCost(parseCost(['$10-20']), euro).cost).toBe('$10 – $20');
  });

  it('COST-33: parses an empty cost as undefined', () => {
    expect(parseCost([])).toBeUndefined();
    expect(parseCost([' ', '<b></b>'])).toBeUndefined();
  });

  it.each([
    '1,'.repeat(127),
    '1 '.repeat(127),
    `1${'.111'.repeat(63)}x`,
    '1'.repeat(255),
    ' '.repeat(100_000) + '-'.repeat(100_000),
    'Z'.repeat(100_000),
    '1;'.repeat(50_000) + 'x',
  ])('COST-28: %#, a long text takes linear time', async (text) => {
    const copies = text.length > 1000 ? 1 : 50;
    const present = (part: string) => presentCost(parseCost(Array<string>(copies).fill(part)), DOLLAR);
    expect(await growth(text, present)).toBeLessThan(MOST_GROWTH);
  });
});

describe('costEntries', () => {
  it.each([[true], [false], [{}], [{ 0: '10' }], [[null]], [['10', true]], [[['10']]], [undefined], [NaN], [1e21]])(
    'TXT-01: %j is rejected',
    (input) => expect(costEntries(input)).toBeUndefined(),
  );

  it.each([
    [null, []],
    ['', []],
    [[], []],
    [12.5, ['12.5']],
    ['a, b', ['a, b']],
    [
      ['10', 20],
      ['10', '20'],
    ],
  ])('TXT-01: %j is accepted', (input, entries) => expect(costEntries(input)).toEqual(entries));
});

describe('cleanCostEntry', () => {
  it('TXT-01: tags do not count towards the maximum length', () => {
    const entry = cleanCostEntry(`<b>${'é'.repeat(MAX_COST_ENTRY_LENGTH)}</b>   `);
    expect([...entry]).toHaveLength(MAX_COST_ENTRY_LENGTH);
    expect(cleanCostEntry(entry)).toBe(entry);
  });
});

describe('offerOf', () => {
  it.each([
    [[], undefined],
    [['Donation'], undefined],
    [['20€'], { price: '20', priceCurrency: 'EUR' }],
    [['£3.50 - £9'], { price: '3.50', priceCurrency: 'GBP' }],
    [['CHF 1,000'], { price: '1000', priceCurrency: 'CHF' }],
    [['10'], { price: '10', priceCurrency: 'USD' }],
    [['120 kr'], { price: '120', priceCurrency: 'USD' }],
    [['10 lei'], { price: '10', priceCurrency: 'USD' }],
    [['€10 - $20'], { price: '10', priceCurrency: 'EUR' }],
    [['free'], { price: '0', priceCurrency: 'USD' }],
    [['0.00 EUR'], { price: '0', priceCurrency: 'EUR' }],
    [['Free - 20€'], { price: '0', priceCurrency: 'EUR' }],
    [['from 10 €'], { price: '10', priceCurrency: 'USD' }],
    [['20 €', 'children 5'], { price: '5', priceCurrency: 'EUR' }],
  ])('EV-GET-11: offers of %j', (entries: string[], offer) => {
    expect(offerOf(parseCost(entries), 'USD')).toEqual(offer);
  });
});
