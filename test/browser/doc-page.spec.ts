import type { Browser } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { type Credentials, DocPage, startBrowser } from '../support/browser.js';
import { type Gateway, PREFIX, startNginx } from '../support/nginx.js';

const MOUNT = '/calendar/events/v1';
const COMPAT_MOUNT = '/wp-json/tribe/events/v1';
const WIDTHS = [1440, 390];

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

type Paths = Record<string, Record<string, { tags: string[]; operationId: string; security: object[] }>>;

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
const open = (place: Place, options?: { width?: number; isDark?: boolean }) =>
  DocPage.open(browser, `${rootOf(place)}/doc`, options);
const credentials = ({ basic }: Place): Credentials =>
  basic === true ? { login: 'administrator5', token: service.tokens.adm } : { token: service.tokens.adm };

describe.each(PLACES.map((place) => [place.name, place] as const))('the page of /doc: %s', (_, place) => {
  let doc: DocPage;
  beforeAll(async () => (doc = await open(place)));
  afterAll(() => doc.page.close());

  test('DOC-07: executes POST /events and GET /events', async () => {
    const root = rootOf(place);
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
  }, 60_000);

  test('DOC-05: shows tags and operations in the order of the document, PATCH for all updates', async () => {
    const { paths } = (await (await fetch(`${rootOf(place)}/doc`)).json()) as { paths: Paths };
    const expected = new Map<string, string[]>();
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(item)) {
        const [tag = ''] = operation.tags;
        const isTwin = ['post', 'put'].includes(method) && /^update.*(Post|Put)$/.test(operation.operationId);
        if (!isTwin) expected.set(tag, [...(expected.get(tag) ?? []), `${method.toUpperCase()} ${path}`]);
      }
    }
    expect(await doc.operations()).toEqual([...expected]);
    expect(expected.size).toBeGreaterThan(5);
  }, 60_000);
});

test('DOC-05: the page of /doc shows no group whose routes are switched off', async () => {
  const without = await startApp({ WEBHOOKS: 'off' });
  const doc = await DocPage.open(browser, `http://127.0.0.1:${without.client.port}${MOUNT}/doc`);
  const groups = (await doc.operations()).map(([name]) => name);
  await doc.page.close();
  await without.close();
  expect(groups).toContain('Tags');
  expect(groups).not.toContain('Webhooks');
}, 60_000);

describe('the page of /doc', () => {
  let doc: DocPage;
  beforeAll(async () => (doc = await open({ name: 'en', path: MOUNT })));
  afterAll(() => doc.page.close());
  const shown = async () => (await doc.operations()).flatMap(([, operations]) => operations);

  test('DOC-07: has a text for every group and every operation', async () => {
    const groups = doc.page.locator('.opblock-tag');
    expect(await groups.locator('small .renderedMarkdown').count()).toBe(await groups.count());
    expect(await doc.page.locator('.info li').count()).toBe(4);
  });

  test('DOC-07: the document can be downloaded', async () => {
    const [download] = await Promise.all([
      doc.page.waitForEvent('download'),
      doc.page.locator('.download-document').click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({
      openapi: '3.0.0',
      info: { title: 'Kalends' },
    });
  });

  test('DOC-07: a lock stands only where credentials are needed', async () => {
    const locked = doc.page.locator('.opblock:has(.authorization__btn)');
    expect(await locked.count()).toBe((await shown()).filter((operation) => !operation.startsWith('GET ')).length);
  });

  test('DOC-07: the box filters operations by words', async () => {
    const box = doc.page.locator('.filter-box input');
    const all = await shown();
    await box.fill('SLUG upd');
    await expect
      .poll(shown)
      .toEqual(['PATCH /events/by-slug/{slug}', 'PATCH /venues/by-slug/{slug}', 'PATCH /organizers/by-slug/{slug}']);
    await box.fill('geoloc_radius');
    await expect.poll(shown).toEqual(['GET /events', 'GET /events.ics']);
    await box.fill('nothing has this');
    await doc.page.getByText('No operation matches.').waitFor();
    await box.fill('');
    await expect.poll(shown).toEqual(all);
  });

  test('DOC-07: Authorize names two ways, and the first has the focus', async () => {
    await doc.page.locator('.auth-wrapper .authorize').click();
    expect(await doc.page.locator('.modal-ux strong').allInnerTexts()).toEqual([
      'With a token,',
      'With login and token,',
    ]);
    expect(await doc.page.locator('.modal-ux input:focus').getAttribute('id')).toBe('auth-bearer-value');
    await doc.page.keyboard.press('Escape');
  });

  test('DOC-07: a link of the head opens its operation, whose errors stand behind one line', async () => {
    await doc.page.locator('.info a', { hasText: 'GET /events' }).click();
    const list = doc.page.locator('#operations-Events-listEvents');
    await list.locator('.execute').waitFor();
    const responses = list.locator('.responses-table tr.response');
    // They are drawn after the form.
    await expect
      .poll(() => responses.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-code'))))
      .toEqual(['200', '304']);
    const error = list.getByText('rest_invalid_param', { exact: true });
    expect(await error.isVisible()).toBe(false);
    await list.locator('.errors-folded > summary').click();
    expect(await error.isVisible()).toBe(true);
    await doc.screenshot('en-6-errors');
  });

  test('DOC-07: a schema shows types, never [...]', async () => {
    const list = doc.page.locator('#operations-Events-listEvents');
    await list.locator('.tablinks', { hasText: 'Schema' }).first().click();
    const schema = await list.locator('.model-box').first().innerText();
    expect(schema).toContain('integer');
    expect(schema).not.toContain('[...]');
    await doc.screenshot('en-7-schema');
  });

  test('DOC-07: sends neither defaults nor empty fields', async () => {
    const list = doc.page.locator('#operations-Events-listEvents');
    expect((await doc.execute(list)).status).toBe(200);
    expect(await doc.curl(list)).not.toContain('?');
    const create = await doc.operation('createVenue');
    await doc.authorize({ token: service.tokens.adm });
    await create.locator('.body-param-content-type select').selectOption('application/x-www-form-urlencoded');
    await create.locator('[data-property-name="venue"] input[type="text"]').fill('Town hall');
    expect((await doc.execute(create)).status).toBe(201);
    expect(await doc.curl(create)).toMatch(/-d 'venue=Town%20hall'$/);
  });

  test('DOC-08: another language opens at the same operation', async () => {
    await doc.page.locator('nav a[hreflang="de"]').click();
    await doc.page.locator('html[lang="de"] #operations-Venues-createVenue .execute').waitFor();
    expect(new URL(doc.page.url()).pathname).toBe(`/de${MOUNT}/doc`);
    expect(doc.complaints).toEqual([]);
  });
});

test.each(WIDTHS)(
  'DOC-07: the page cuts off no content at a width of %i',
  async (width) => {
    for (const place of PLACES.slice(0, 3)) {
      const doc = await open(place, { width });
      await doc.screenshot(`${place.name}-4-width-${width}-top`);
      await doc.operation('createEvent');
      await doc.operation('listEvents');
      expect(await doc.cut()).toEqual([]);
      await doc.screenshot(`${place.name}-4-width-${width}`);
      await doc.page.close();
    }
  },
  120_000,
);

test('DOC-07: the page is dark if the system is', async () => {
  const doc = await open({ name: 'en', path: MOUNT }, { isDark: true });
  await doc.screenshot('en-8-dark');
  const colour = (selector: string) =>
    doc.page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);
  expect([await colour('html'), await colour('.swagger-ui')]).toEqual(['rgb(28, 32, 34)', 'rgb(28, 32, 34)']);
  await doc.page.emulateMedia({ colorScheme: 'light' });
  await doc.page.locator('html:not(.dark-mode)').waitFor();
  await doc.page.close();
});

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
