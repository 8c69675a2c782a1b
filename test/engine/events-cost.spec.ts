import { startApp, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { E, event } from '../support/factories.js';
import { expectInvalid } from '../support/refusals.js';

type Body = Reply['body'];
/** The sent cost, the cost in the response, its symbol and position, its values. */
type Case = readonly [input: unknown, cost: string, currency: string, values: readonly string[]];

let service: TestApp;
let adm: string;

beforeAll(async () => {
  service = await startApp();
  adm = service.tokens.adm;
});

afterAll(() => service.close());

const make = (cost: unknown): Promise<Body> => event(service.client, adm, { cost });
const put = (id: number, cost: unknown) => service.client.put(`/events/${id}`, { cost }, adm);

/** The rows of the cost table in contract section 8. */
const TABLE: readonly (readonly Case[])[] = [
  [
    ['20', '$20', '', ['20']],
    [15, '$15', '', ['15']],
    ['10.5', '$10.5', '', ['10.5']],
    ['1000', '$1000', '', ['1000']],
  ],
  [['20$', '20$', '$ postfix', ['20']]],
  [['$20', '$20', '$ prefix', ['20']]],
  [
    ['0', 'Free', '', ['0']],
    [0, 'Free', '', ['0']],
  ],
  [['0.00', 'Free', '', ['0.00']]],
  [['$0', 'Free', '$ prefix', ['0']]],
  [
    ['Free', 'Free', '', ['free']],
    ['free', 'free', '', ['free']],
  ],
  [['Donation', 'Donation', '', ['donation']]],
  [
    ['10 - 20', '$10 – $20', '', ['10', '20']],
    ['10-20', '$10 – $20', '', ['10', '20']],
    ['20 - 10', '$10 – $20', '', ['10', '20']],
    [['10', '20'], '$10 – $20', '', ['10', '20']],
  ],
  [
    ['$10 - $20', '$10 – $20', '$ prefix', ['10', '20']],
    ['$10, $20', '$10 – $20', '$ prefix', ['10', '20']],
  ],
  [['£3.50 - £9', '£3.50 – £9', '£ prefix', ['3.50', '9']]],
  [
    ['10-20€', '10€ – 20€', '€ postfix', ['10', '20']],
    [['10', '20€'], '10€ – 20€', '€ postfix', ['10', '20']],
  ],
  [[['0$', '20$', '30$'], 'Free – 30$', '$ postfix', ['0', '20', '30']]],
  [[['Free', '10'], 'Free – $10', '', ['free', '10']]],
  [['Free - $20', 'Free – $20', '$ prefix', ['free', '20']]],
  [['10, 20, 30', '$10 – $30', '', ['10', '20', '30']]],
  [['10,20', '$10,20', '', ['10.20']]],
  [['€ 15.50', '€15.50', '€ prefix', ['15.50']]],
  [['5,50 €', '5,50€', '€ postfix', ['5.50']]],
  [
    ['10 USD', '10USD', 'USD postfix', ['10']],
    ['USD 10', 'USD10', 'USD prefix', ['10']],
  ],
  [
    ['US$ 25', 'US$25', 'US$ prefix', ['25']],
    ['120 kr', '120kr', 'kr postfix', ['120']],
  ],
  [
    ['1,000', '$1,000', '', ['1000']],
    ['1.000.000', '$1.000.000', '', ['1000000']],
  ],
  [
    ['1,234.50', '$1,234.50', '', ['1234.50']],
    ['1.234,50', '$1.234,50', '', ['1234.50']],
  ],
  [
    ['1 234,50 €', '1 234,50€', '€ postfix', ['1234.50']],
    ["CHF 1'000", "CHF1'000", 'CHF prefix', ['1000']],
  ],
  [['12.345', '$12.345', '', ['12.345']]],
  [['1,000 - 2,500', '$1,000 – $2,500', '', ['1000', '2500']]],
  [['$10 - €20', '$10 – €20', '', ['10', '20']]],
  [
    ['10 per person', '10 per person', '', ['10']],
    ['from 10 €', 'from 10 €', '', ['10']],
    ['-5', '-5', '', ['5']],
  ],
  [['10/5 €', '10/5 €', '', ['5', '10']]],
  [[['VIP', 'Standard'], 'VIP, Standard', '', ['vip', 'standard']]],
  [[['Donation', '10'], '$10', '', ['donation', '10']]],
  [['<b>9</b>', '$9', '', ['9']]],
  [
    ['', '', '', []],
    [null, '', '', []],
    [[], '', '', []],
  ],
];

describe('POST /events with a cost', () => {
  test.each(TABLE.map((cases, row) => [String(row + 1).padStart(2, '0'), cases] as const))(
    'COST-%s: %j',
    async (_, cases) => {
      for (const [input, cost, currency, values] of cases) {
        const [symbol = '', position = ''] = currency.split(' ');
        const details = { currency_symbol: symbol, currency_code: '', currency_position: position, values };
        const { id, ...made } = await make(input);
        expect([input, made.cost, made.cost_details]).toEqual([input, cost, details]);
        const { body } = await service.client.get(`/events/${id}`);
        expect([body.cost, body.cost_details]).toEqual([cost, details]);
        expect(Object.keys(body.cost_details as object)).toEqual(Object.keys(details));
      }
    },
  );

  test('TXT-01: rejects booleans, objects, lists of these, and unsafe integers', async () => {
    for (const cost of [true, false, {}, { a: 1 }, [true], ['10', {}], [['10']], [null], 2 ** 53]) {
      const reply = await service.client.post('/events', { ...E, cost }, adm);
      expectInvalid(reply, 'cost');
      expect(reply.body.data.details.cost.code).toBe('rest_invalid_type');
    }
  });

  test('TXT-01: keeps symbol and values when a client sends the cost of a response back', async () => {
    for (const row of TABLE) {
      for (const [input, cost] of row) {
        const made = await make(input);
        const { status, body } = await put(made.id as number, cost);
        expect([input, status, body.cost, body.cost_details]).toEqual([input, 200, cost, made.cost_details]);
      }
    }
  });

  test('TXT-01: parses any other cost anew, and clears it for null', async () => {
    const { id } = await make(['Donation', '10']);
    expect((await put(id as number, '$10 ')).body.cost_details.values).toEqual(['donation', '10']);
    expect((await put(id as number, ['$11'])).body).toMatchObject({
      cost: '$11',
      cost_details: { currency_symbol: '$', currency_position: 'prefix', values: ['11'] },
    });
    expect((await put(id as number, null)).body.cost_details.values).toEqual([]);
  });

  test('TXT-01: accepts up to 50 entries of up to 255 characters', async () => {
    const long = 'x'.repeat(255);
    expect((await make(long)).cost).toBe(long);
    expect((await make([`${long}`, ' <b></b> ', `a ${' '.repeat(300)} b`])).cost).toBe(`${long}, a b`);
    expect((await make(Array.from({ length: 50 }, (_, n) => n))).cost).toBe('Free – $49');
    for (const cost of [`${long}y`, ['1', `${long}y`], Array.from({ length: 51 }, () => '1')]) {
      const reply = await service.client.post('/events', { ...E, cost }, adm);
      expectInvalid(reply, 'cost');
      expect(reply.body.data.details.cost.code).toBe('rest_too_long');
    }
    const { id } = await make('10');
    for (const cost of [`${long}y`, ['1', `${long}y`]]) expectInvalid(await put(id as number, cost), 'cost');
  });

  test('section 8: takes the fallback symbol from the settings, and does not store it', async () => {
    const other = await startApp({ CURRENCY_SYMBOL: '₹', CURRENCY_POSITION: 'postfix', CURRENCY_CODE: 'INR' });
    try {
      const created = async (cost: unknown): Promise<Body> =>
        (await other.client.post('/events', { ...E, cost }, other.tokens.adm)).body;
      expect(await created('10 - 20')).toMatchObject({
        cost: '10₹ – 20₹',
        cost_details: { currency_symbol: '', currency_position: '' },
      });
      expect((await created('$10 - 20')).cost).toBe('$10 – $20');
      expect((await created('$10 - €20 - 5')).cost).toBe('5₹ – €20');
    } finally {
      await other.close();
    }
  });
});
