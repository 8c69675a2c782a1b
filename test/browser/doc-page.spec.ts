import type { Browser } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { type Credentials, DocPage, startBrowser } from '../support/browser.js';
import { type Gateway, PREFIX, startNginx } from '../support/nginx.js';

const MOUNT = '/calendar/events/v1';
const COMPAT_MOUNT = '/wp-json/tribe/events/v1';
const WIDTHS = [1280, 390];

let service: TestApp;
let gateway: Gateway;
let browser: Browser;
beforeAll(async () => {
  service = await startApp({ TRUST_PROXY: '127.0.0.1' });
  gateway = await startNginx([service.client.port]);
  browser = await startBrowser();
}, 60_000);
afterAll(async () => {
  await browser.close();
  await gateway.stop();
  await service.close();
});

interface Place {
  readonly name: string;
  readonly path: string;
  readonly gateway?: boolean;
  readonly basic?: boolean;
}

type Paths = Record<string, Record<string, { tags: string[] }>>;

const PLACES: readonly Place[] = [
  { name: 'en', path: MOUNT },
  { name: 'de', path: `/de${MOUNT}`, basic: true },
  { name: 'fr', path: `/fr${MOUNT}` },
  { name: 'compat', path: COMPAT_MOUNT, basic: true },
  { name: 'nginx', path: `${PREFIX}${MOUNT}`, gateway: true },
  { name: 'nginx-de', path: `${PREFIX}/de${MOUNT}`, gateway: true, basic: true },
];

const rootOf = ({ path, gateway: behind }: Place) =>
  `http://127.0.0.1:${behind === true ? gateway.port : service.client.port}${path}`;
const open = (place: Place, width?: number) => DocPage.open(browser, `${rootOf(place)}/doc`, width);
const credentials = ({ basic }: Place): Credentials =>
  basic === true ? { login: 'administrator5', token: service.tokens.adm } : { token: service.tokens.adm };

describe.each(PLACES.map((place) => [place.name, place] as const))('the page of /doc: %s', (_, place) => {
  test('DOC-07: executes POST /events and GET /events', async () => {
    const root = rootOf(place);
    const doc = await open(place);
    await doc.screenshot(`${place.name}-1-top`);
    await doc.authorize(credentials(place));

    const create = await doc.operation('createEvent');
    const title = `Tried on ${place.name}`;
    const event = { title, start_date: '2027-03-10 20:00', end_date: '2027-03-10 23:00', venue: [{ venue: 'Hall' }] };
    await create.locator('textarea.body-param__text').fill(JSON.stringify(event, undefined, 2));
    const made = await doc.execute(create);
    expect(made.status).toBe(201);
    expect(JSON.parse(made.body)).toMatchObject({ title, rest_url: expect.stringContaining(`${root}/events/`) });
    await create.locator('.live-responses-table').scrollIntoViewIfNeeded();
    await doc.screenshot(`${place.name}-2-created`);
    await create.locator('.opblock-summary-control').click();

    const list = await doc.operation('listEvents');
    await list.locator('[data-param-name="search"] input').fill(`"${title}"`);
    const listed = await doc.execute(list);
    expect(listed.status).toBe(200);
    expect(JSON.parse(listed.body)).toMatchObject({ total: 1, events: [{ title, venue: { venue: 'Hall' } }] });
    await list.locator('.live-responses-table').scrollIntoViewIfNeeded();
    await doc.screenshot(`${place.name}-3-listed`);
    expect(await doc.cut()).toEqual([]);
    expect(doc.complaints).toEqual([]);
    await doc.page.close();
  }, 60_000);

  test('DOC-05: shows tags and operations in the order of the document', async () => {
    const { paths } = (await (await fetch(`${rootOf(place)}/doc`)).json()) as { paths: Paths };
    const expected = new Map<string, string[]>();
    for (const [path, item] of Object.entries(paths)) {
      for (const [
        method,
        {
          tags: [tag = ''],
        },
      ] of Object.entries(item))
        expected.set(tag, [...(expected.get(tag) ?? []), `${method.toUpperCase()} ${path}`]);
    }
    const doc = await open(place);
    expect(await doc.operations()).toEqual([...expected]);
    expect([...expected.values()].flat()).toHaveLength(52);
    await doc.page.close();
  }, 60_000);
});

test.each(WIDTHS)(
  'DOC-07: the page cuts off no content at a width of %i',
  async (width) => {
    for (const place of PLACES.slice(0, 3)) {
      const doc = await open(place, width);
      await doc.operation('createEvent');
      await doc.operation('listEvents');
      expect(await doc.cut()).toEqual([]);
      await doc.screenshot(`${place.name}-4-width-${width}`);
      await doc.page.close();
    }
  },
  120_000,
);

test.each(['de', 'fr'])(
  'DOC-08: the page in %s contains no English text',
  async (language) => {
    const texts = async (name: string) => {
      const doc = await open(PLACES.find((place) => place.name === name) ?? { name, path: MOUNT });
      await doc.operation('createEvent');
      await doc.operation('listEvents');
      await doc.page.locator('.auth-wrapper .authorize').click();
      await doc.screenshot(`${name}-5-authorize`);
      const found = await doc.texts();
      await doc.page.close();
      return found;
    };
    const english = new Set(await texts('en'));
    // Single words are ignored, because they are names of the API or the same in both languages.
    const isProse = (text: string) =>
      /\p{L}+[ ,.:]+\p{L}/u.test(text) && !/^\(http, |^(get|post|put|patch|delete) /.test(text);
    expect((await texts(language)).filter((text) => isProse(text) && english.has(text))).toEqual([]);
  },
  120_000,
);
