import { expectRefused, useApp } from '../support/events.js';
import { E, event, tag } from '../support/factories.js';

type Json = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- documents of every shape

/** JavaScript reads this many digits as Infinity, which MariaDB and MySQL would read as a column name. */
const HUGE = '9'.repeat(309);
const TEXTS = [
  HUGE,
  `-${HUGE}`,
  `1,${HUGE}`,
  `${HUGE}.5`,
  '9007199254740993',
  '1e400',
  'Infinity',
  `@${'9'.repeat(12)}`,
  '+999999999999 years',
  '+999999999 years',
  '-999999999 weeks +999999999 hours',
];
/** Literals of JSON, whose numbers have no limit. */
const NUMBERS = ['1e400', `-${HUGE}`, '9007199254740993', '5e-324', '999999999999'];
const COLLECTIONS = ['events', 'venues', 'organizers', 'categories', 'tags'];

const app = useApp();
const ids: Record<string, number> = {};

beforeAll(async () => {
  const { client, tokens } = app();
  for (const collection of COLLECTIONS) {
    const names = { events: E, venues: { venue: 'V' }, organizers: { organizer: 'O' } }[collection] ?? { name: 'N' };
    ids[collection] = (await client.post(`/${collection}`, names, tokens.adm)).body.id as number;
  }
});

const documentOf = async (): Promise<Json> => (await app().client.get('/doc')).body;

describe('2.2: a number beyond the exact range of JavaScript causes no server error', () => {
  test.each(COLLECTIONS)('in any filter of GET /%s', async (collection) => {
    const { client, tokens } = app();
    const { parameters } = (await documentOf()).paths[`/${collection}`].get;
    const failed: string[] = [];
    const filters = parameters.filter((one: Json) => one.in === 'query' && one.name !== '_fields');
    for (const { name, schema } of filters) {
      for (const text of TEXTS) {
        const { status } = await client.get(`/${collection}?${name}=${encodeURIComponent(text)}`, tokens.adm);
        const isNumeric = ['integer', 'number', 'array'].includes(schema.type as string);
        const isFine = status === 400 || (!isNumeric && status === 200) || (name === 'page' && status === 404);
        if (!isFine) failed.push(`${name}=${text.slice(0, 40)}: ${status}`);
      }
    }
    expect(failed).toEqual([]);
  });

  test.each(COLLECTIONS)('in any field of PUT /%s/{id}, as text or as a JSON number', async (collection) => {
    const { client, tokens } = app();
    const { requestBody } = (await documentOf()).paths[`/${collection}/{id}`].put;
    const failed: string[] = [];
    for (const name of Object.keys(requestBody.content['application/json'].schema.properties as object)) {
      const values = [...TEXTS.map((text) => JSON.stringify(text)), ...NUMBERS];
      for (const value of [
        ...values,
        ...NUMBERS.slice(0, 2).flatMap((number) => [`[1,${number}]`, `{"id":${number}}`]),
      ]) {
        const { status } = await client.put(`/${collection}/${ids[collection]}`, `{"${name}":${value}}`, tokens.adm);
        // 409: categories and tags share their slugs.
        if (![200, 400, 409].includes(status)) failed.push(`${name}: ${value.slice(0, 40)}: ${status}`);
      }
    }
    expect(failed).toEqual([]);
    expect((await client.get(`/${collection}/${ids[collection]}`, tokens.adm)).status).toBe(200);
  });

  test.each(COLLECTIONS)('in the path of /%s/{id}', async (collection) => {
    const { client, tokens } = app();
    for (const id of [HUGE, '9007199254740993', '18446744073709551616']) {
      expect((await client.get(`/${collection}/${id}`)).status).toBe(404);
      expect((await client.put(`/${collection}/${id}`, {}, tokens.adm)).status).toBe(404);
      expect((await client.delete(`/${collection}/${id}?force=true`, tokens.adm)).status).toBe(404);
      expect((await client.get(`/${collection}/by-slug/${id.slice(0, 200)}`)).status).toBe(404);
    }
  });

  test.each(COLLECTIONS)('in If-Match of a write to /%s, which returns 412', async (collection) => {
    const headers = { 'if-match': `"${HUGE}-x", W/"9007199254740993-"` };
    const sent = { method: 'PUT', body: {}, headers, token: app().tokens.adm };
    expect((await app().client.send(`/${collection}/${ids[collection]}`, sent)).status).toBe(412);
  });

  test('as the product of page and per_page', async () => {
    const { client } = app();
    for (const collection of ['events', 'venues', 'organizers', 'categories', 'tags']) {
      const { status, body } = await client.get(
        `/${collection}?page=9007199254740991&per_page=9007199254740991&hide_empty=no`,
      );
      expect([collection, status, body.data?.status ?? body[collection]]).toEqual(
        ['categories', 'tags'].includes(collection) ? [collection, 200, []] : [collection, 404, 404],
      );
    }
  });
});

describe('EV-LIST-25: digits too large for an id are a slug', () => {
  const DIGITS = '9'.repeat(200);

  test.each(['categories', 'tags'])('%s: rejects an unknown one', async (name) => {
    for (const digits of [HUGE, DIGITS, '9007199254740993', `1,${HUGE}`]) {
      expectRefused(await app().client.get(`/events?${name}=${digits}`), { [name]: 'rest_unknown_reference' });
    }
  });

  test.each(['categories', 'tags'])('%s of a write: rejects an unknown one and creates no term', async (name) => {
    const { client, tokens } = app();
    const body = { ...E, [name]: [DIGITS] };
    expectRefused(await client.post('/events', body, tokens.adm), { [name]: 'rest_unknown_reference' });
  });

  test('a known one finds its events', async () => {
    const { client, tokens } = app();
    await tag(client, tokens.adm, { name: DIGITS });
    const { id } = await event(client, tokens.adm, { tags: [DIGITS] });
    const { body } = await client.get(`/events?tags=${DIGITS}`);
    expect(body.events.map((one: Json) => one.id)).toEqual([id]);
  });
});
