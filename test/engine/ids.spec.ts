import type { Reply } from '../support/client.js';
import { useApp } from '../support/events.js';
import { category, event, organizer, tag, venue } from '../support/factories.js';

/** `record`: the first record of the resource; `unknown`: the resource has no such id; `no route`: not an id. */
type Outcome = 'record' | 'unknown' | 'no route';

/** Path segments in place of `{id}`, as sent (contract section 1: an id is one or more decimal digits). */
const IDS: readonly (readonly [sent: string, outcome: Outcome])[] = [
  ['1', 'record'],
  ['1/', 'record'],
  ['01', 'record'],
  ['0001', 'record'],
  [`${'0'.repeat(500)}1`, 'record'],
  ['1?id=2', 'record'],
  ['1?', 'record'],
  ['0', 'unknown'],
  ['00', 'unknown'],
  ['999', 'unknown'],
  ['2147483647', 'unknown'],
  ['2147483648', 'unknown'],
  ['4294967295', 'unknown'],
  ['4294967297', 'unknown'],
  ['9007199254740991', 'unknown'],
  ['9007199254740993', 'unknown'],
  ['9223372036854775807', 'unknown'],
  ['9223372036854775809', 'unknown'],
  ['18446744073709551615', 'unknown'],
  ['18446744073709551616', 'unknown'],
  ['18446744073709551617', 'unknown'],
  ['9'.repeat(400), 'unknown'],
  ['1abc', 'no route'],
  ['abc', 'no route'],
  ['1%20or%201=1', 'no route'],
  ['1+or+1=1', 'no route'],
  ["1'", 'no route'],
  ["1'--", 'no route'],
  ['1;', 'no route'],
  ['1;drop%20table%20events', 'no route'],
  ['1%3Cscript%3E', 'no route'],
  ['%31', 'no route'],
  ['%2531', 'no route'],
  ['%u0031', 'no route'],
  ['%EF%BC%91', 'no route'], // １, full width
  ['%D9%A1', 'no route'], // ١, Arabic
  ['%DB%B1', 'no route'], // ۱, Persian
  ['%E0%A5%A7', 'no route'], // १, Devanagari
  ['%C2%B9', 'no route'], // ¹
  ['%E2%91%A0', 'no route'], // ①
  ['+1', 'no route'],
  ['%2B1', 'no route'],
  ['-1', 'no route'],
  ['--1', 'no route'],
  ['%201', 'no route'],
  ['1%20', 'no route'],
  ['1%09', 'no route'],
  ['1%0A', 'no route'],
  ['1%00', 'no route'],
  ['%00', 'no route'],
  ['1%2F', 'no route'],
  ['1//', 'no route'],
  ['/1', 'no route'],
  ['1/1', 'no route'],
  ['./1', 'no route'],
  ['1/../1', 'no route'],
  ['1%23', 'no route'],
  ['1#', 'no route'],
  ['1%3F', 'no route'],
  ['1.0', 'no route'],
  ['1.', 'no route'],
  ['.1', 'no route'],
  ['1,0', 'no route'],
  ['1,2', 'no route'],
  ['1_000', 'no route'],
  ['1e0', 'no route'],
  ['1E0', 'no route'],
  ['0x1', 'no route'],
  ['0b1', 'no route'],
  ['1n', 'no route'],
  ['[1]', 'no route'],
  ['1[]', 'no route'],
  ['{id}', 'no route'],
  [':id', 'no route'],
  ['*', 'no route'],
  ['%7B%7D', 'no route'],
  ['NaN', 'no route'],
  ['Infinity', 'no route'],
  ['null', 'no route'],
  ['undefined', 'no route'],
  ['true', 'no route'],
  ['__proto__', 'no route'],
  ['constructor', 'no route'],
  ['%E0%A4%A', 'no route'],
  ['%', 'no route'],
  ['%ED%A0%80', 'no route'],
];

const NOUNS = { events: 'event', venues: 'venue', organizers: 'organizer', categories: 'category', tags: 'tag' };

const app = useApp();
const first: Record<string, number> = {};

beforeAll(async () => {
  const { client, tokens } = app();
  first.events = (await event(client, tokens.adm)).id;
  first.venues = (await venue(client, tokens.adm)).id;
  first.organizers = (await organizer(client, tokens.adm)).id;
  first.categories = (await category(client, tokens.adm, { name: 'Category' })).id;
  first.tags = (await tag(client, tokens.adm, { name: 'Tag' })).id;
});

/** Categories and tags share their ids, so that the first tag has id 2. */
const inPlace = (sent: string, collection: string) => (collection === 'tags' ? sent.replaceAll('1', '2') : sent);

const outcomeOf = ({ status, body }: Reply, collection: keyof typeof NOUNS): string => {
  if (status === 200 && body.id === first[collection]) return 'record';
  if (status === 404 && body.code === `rest-${NOUNS[collection]}-not-found`) return 'unknown';
  return status === 404 && body.code === 'rest_no_route' ? 'no route' : `${status} ${JSON.stringify(body)}`;
};

test('the table of ids has at least 60 distinct rows', () => {
  expect(new Set(IDS.map(([sent]) => sent)).size).toBe(IDS.length);
  expect(IDS.length).toBeGreaterThanOrEqual(60);
});

describe.each(Object.keys(NOUNS) as (keyof typeof NOUNS)[])('/%s/{id}', (collection) => {
  const rows = IDS.map(([sent, outcome]) => [inPlace(sent, collection), outcome] as const);

  test('GEN-07, ERR-10, ERR-11: GET finds a record by decimal digits only', async () => {
    const { client } = app();
    const found: (readonly [string, string])[] = [];
    for (const [sent] of rows) found.push([sent, outcomeOf(await client.get(`/${collection}/${sent}`), collection)]);
    expect(found).toEqual(rows.map(([sent, outcome]) => [sent, outcome]));
  });

  test('GEN-07: PUT and DELETE without the id of a record return 404 and change nothing', async () => {
    const { client, tokens } = app();
    const path = `/${collection}/${first[collection]}`;
    const before = await client.get(path);
    for (const [sent, outcome] of rows.filter((row) => row[1] !== 'record')) {
      for (const method of ['PUT', 'DELETE']) {
        const reply = await client.send(`/${collection}/${sent}`, { method, token: tokens.adm, body: { slug: 'x' } });
        expect([method, sent, outcomeOf(reply, collection)]).toEqual([method, sent, outcome]);
      }
    }
    expect((await client.get(path)).text).toBe(before.text);
  });
});

describe('ids in filters', () => {
  /** Filters accept an integer (contract 2.2) with blanks around it. `+` is a blank in a query. */
  const FILTERS = ['events?post_parent=', 'events?venue=', 'events?include=', 'venues?event=', 'tags?post='];
  const TAKEN = ['1', '01', '+1', '1%20', '%31'];
  const REFUSED = IDS.map(([sent]) => sent).filter((sent) => !/^\d|^%31$|^\+1$|^%201$|^[^%]*&|^\/1$/.test(sent));

  test.each(FILTERS)('EV-LIST-27, EV-LIST-31, EV-LIST-32, VO-09, TERM-08: %s accepts integers only', async (filter) => {
    const { client } = app();
    for (const sent of TAKEN) expect([sent, (await client.get(`/${filter}${sent}`)).status]).toEqual([sent, 200]);
    for (const sent of [...REFUSED, '1abc', '1%20or%201=1', '1.0', '1e0', '1%00', '1_000', '0x1', '1n']) {
      const { status, body } = await client.get(`/${filter}${sent}`);
      expect([sent, status, body.code]).toEqual([sent, 400, 'rest_invalid_param']);
    }
  });
});
