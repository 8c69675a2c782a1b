import { MAX_ELEMENTS } from '../../src/kernel/text/html.js';
import { startApp, type TestApp } from '../support/app.js';
import { costRatio } from '../support/processor-time.js';

/** The cost of a request is linear in its size, whatever its content. Tests compare ratios of processor times. */
const SIZE = 200_000;
const HEADER_SIZE = 12_000;
const EVENT = { title: 'T', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };
const filled = (piece: string, size = SIZE) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
const PLAIN = filled('Some words of a description. ');

/** Pieces of HTML that are the most expensive to clean. */
const HTML = ['<b>x</b>', '<br>', '<img src=x>', '&lt;b&gt;', 'a\n', '<x>', '<a title=>', '<script></script>'];
/** Pieces that cleaning makes longer: each with its factor, and with the size of a text of as many elements as are accepted. */
const GROWING = [
  ['<', 4, SIZE],
  ['&', 5, SIZE],
  ['<tr><td>', 2, '<td>'.length * MAX_ELEMENTS],
] as const;

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
  await create({ ...EVENT, description: PLAIN }, service.tokens.adm);
});
afterAll(() => service.close());

/** Does not use the shared test client, because its checks of responses would count as processor time. */
async function send(path: string, body: object, headers: Record<string, string>): Promise<number> {
  const address = `http://127.0.0.1:${service.client.port}${service.client.mount}${path}`;
  const reply = await fetch(address, { method: 'POST', body: JSON.stringify(body), headers });
  await reply.arrayBuffer();
  return reply.status;
}

const create = (body: object, token?: string) =>
  send('/events', body, {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  });

describe('C3: the cost of a body is linear in its size, whatever its shape', () => {
  it.each(['<b>x</b>', '<p>x</p>', '<br>', '<img src=x>', '<td colspan=2>', '<', '&', 'a\n', 'a\n\nb', '<b>'])(
    'a description of %j',
    async (piece) => {
      const make = (description: string) => () => create({ ...EVENT, description }, service.tokens.adm);
      // Four times the text: quadratic work would be 16 times as much.
      expect(await costRatio(10, make(filled(piece)), make(filled(piece, SIZE / 4)))).toBeLessThan(10);
    },
  );

  test('a link URL that consists of <', async () => {
    const description = (size: number) => `<a href="${filled('<', size)}">x</a>`;
    const make = (size: number) => () => create({ ...EVENT, description: description(size) }, service.tokens.adm);
    expect(await costRatio(10, make(SIZE), make(SIZE / 4))).toBeLessThan(10);
  });

  it.each<[string, object]>([
    ['blanks before a name of a venue', { venue: `${filled(' ')}x` }],
    ['blanks and digits as an organizer', { organizer: [`${filled(' ')}0${filled(' ')}x`] }],
    ['a title of tags', { title: filled('<a<b>') }],
    ['a price of digits and blanks', { cost: filled('9 ') }],
    ['a date of digits', { start_date: filled('2027-01-01 ') }],
    ['a slug of signs', { slug: filled('-.') }],
    ['a list of as many venues as there is room for', { venue: filled('0,') }],
    ['a list of as many organizers', { organizer: filled('12,') }],
    ['a list of as many categories', { categories: filled('x,') }],
    ['a list of as many tags', { tags: filled('<b>,') }],
    ['a list of as many prices', { cost: filled('1,') }],
    ...HTML.map((piece): [string, object] => [
      `a description of ${JSON.stringify(piece)}`,
      { description: filled(piece) },
    ]),
    ['thousands of empty objects', { any: Array.from({ length: 9_000 }, () => ({})) }],
  ])('costs at most ten times as much as plain text: %s', async (_what, fields) => {
    const make = (body: object) => () => create({ ...EVENT, ...body }, service.tokens.adm);
    expect(await costRatio(10, make(fields), make({ description: PLAIN }))).toBeLessThan(10);
  });
});

describe('C3: text that cleaning makes longer costs at most ten times as much as plain text of its stored size', () => {
  it.each(GROWING)('a description of %j', async (piece, times, size) => {
    const make = (description: string) => () => create({ ...EVENT, description }, service.tokens.adm);
    const plain = filled('Some words of a description. ', times * size);
    expect(await costRatio(10, make(filled(piece, size)), make(plain))).toBeLessThan(10);
  });
});

describe('C3: requests of callers without write access are not cleaned', () => {
  it.each(['anon', 'sub'] as const)('HTML from %s costs less than four times as much as plain text', async (name) => {
    const token = name === 'anon' ? undefined : service.tokens[name];
    const make = (description: string) => () => create({ ...EVENT, description }, token);
    expect([401, 403]).toContain(await create({ ...EVENT, description: '<b>' }, token));
    expect(await costRatio(4, make(filled('<b>x</b>')), make(PLAIN))).toBeLessThan(4);
  });
});

describe('contract 5.6: an anonymous form costs at most ten times as much as plain JSON of its size', () => {
  const post = (type: string, text: string) => async () => {
    const address = `http://127.0.0.1:${service.client.port}${service.client.mount}/tags`;
    const body = Buffer.from(text, 'latin1');
    const reply = await fetch(address, { method: 'POST', body, headers: { 'content-type': type } });
    await reply.arrayBuffer();
  };
  const FORM_SIZE = 1_000_000;
  const plain = post('application/json', JSON.stringify({ description: filled('Some words. ', FORM_SIZE) }));

  it.each(['\x80', 'a\x80', '\xc3\xa9', '%C3%A9', '%', ' ', '+', '&&&&=', '[', '[b]'])('with %j', async (piece) => {
    const form = (text: string) => post('application/x-www-form-urlencoded', text);
    for (const before of ['', 'title=', 'a[']) {
      expect(await costRatio(10, form(before + filled(piece, FORM_SIZE)), plain)).toBeLessThan(10);
    }
  });
});

describe('C4: a hostile header costs less than five times as much as a harmless one of its length', () => {
  it.each<[string, (text: string) => Record<string, string>, string]>([
    ['Accept-Language', (text) => ({ 'accept-language': text }), `en${filled(' ', HEADER_SIZE)}x`],
    ['Content-Type', (text) => ({ 'content-type': text }), `text/plain; charset=${filled(' ', HEADER_SIZE)}"x"x`],
    ['X-Forwarded-Prefix', (text) => ({ 'x-forwarded-prefix': text }), `${filled('/', HEADER_SIZE)}x`],
  ])('%s', async (_name, headers, hostile) => {
    const ask = (text: string) => () => send('/tags', {}, headers(text));
    expect(await costRatio(5, ask(hostile), ask(filled('x', hostile.length)))).toBeLessThan(5);
  });
});
