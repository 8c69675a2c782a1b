import type { Reply } from '../support/client.js';
import { expectRefused, family, follow, queryOf, titlesOf, useApp } from '../support/events.js';
import { category, event, organizer, tag, venue } from '../support/factories.js';

const DEFAULT_WINDOW = 'start_date=2026-11-19+00%3A00%3A00&end_date=2028-11-20+23%3A59%3A59';
const enc = encodeURIComponent;

/** Expects for each query string the titles that it finds, in the order of the list. */
async function expectFound(
  titles: (query: string) => Promise<string[]>,
  cases: readonly (readonly [query: string, found: readonly string[]])[],
): Promise<void> {
  for (const [query, found] of cases) expect([query, await titles(query)]).toEqual([query, found]);
}

describe('GET /events: the envelope', () => {
  const app = useApp();

  test('EV-LIST-01, EV-LIST-07: returns an empty list, and 404 for page 2', async () => {
    const { client } = app();
    const { status, body, headers } = await client.get('/events');
    const root = `http://127.0.0.1:${client.port}/calendar/events/v1`;
    expect(status).toBe(200);
    expect(Object.entries(body as object)).toEqual([
      ['events', []],
      ['rest_url', `${root}/events/?page=1&per_page=10&${DEFAULT_WINDOW}&status=publish`],
      ['total', 0],
      ['total_pages', 0],
    ]);
    expect(headers).toMatchObject({
      'x-tec-total': '0',
      'x-wp-total': '0',
      'x-tec-totalpages': '0',
      'x-wp-totalpages': '0',
      'x-tec-perpage': '10',
    });
    expect(headers).not.toHaveProperty('link');
    const beyond = await client.get('/events?page=2');
    expect([beyond.status, beyond.body]).toEqual([
      404,
      {
        code: 'event-archive-page-not-found',
        message: 'The requested event archive page does not exist',
        data: { status: 404 },
      },
    ]);
  });

  test('EV-LIST-02: per_page is 10 by default and at most 100', async () => {
    const { client, tokens } = app();
    const list = await family(app());
    for (let n = 1; n <= 12; n += 1) await event(client, tokens.adm, { title: `E${n}`, post_parent: list.parent });
    expect(await list.titles()).toEqual(Array.from({ length: 10 }, (_, index) => `E${index + 1}`));
    const five = await list.list('per_page=5');
    expect(titlesOf(five)).toHaveLength(5);
    expect(five.body).toMatchObject({ total: 12, total_pages: 3 });
    expect(five.headers).toMatchObject({
      'x-tec-perpage': '5',
      'x-tec-total': '12',
      'x-wp-total': '12',
      'x-tec-totalpages': '3',
      'x-wp-totalpages': '3',
    });
    for (let n = 13; n <= 101; n += 1) await event(client, tokens.adm, { title: `E${n}`, post_parent: list.parent });
    const most = await list.list('per_page=1000');
    expect(titlesOf(most)).toHaveLength(100);
    expect(most.headers['x-tec-perpage']).toBe('100');
    expect(most.body).toMatchObject({ total: 101, total_pages: 2 });
    expect(Object.fromEntries(queryOf(most.body.rest_url))).toMatchObject({ page: '1', per_page: '100' });
  });

  test('EV-LIST-03: rejects invalid page, per_page, search and dates', async () => {
    const get = (query: string) => app().client.get(`/events?${query}`);
    const refused: [string, string][] = [
      ['0', 'rest_out_of_bounds'],
      ['-1', 'rest_out_of_bounds'],
      ['foo', 'rest_invalid_type'],
      ['', 'rest_empty'],
      ['1.5', 'rest_invalid_type'],
      ['5.0', 'rest_invalid_type'],
      ['1e3', 'rest_invalid_type'],
      ['9007199254740992', 'rest_invalid_type'],
    ];
    for (const [value, code] of refused) {
      expectRefused(await get(`page=${value}`), { page: code });
      expectRefused(await get(`per_page=${value}`), { per_page: code });
    }
    expectRefused(await get('page[]=1'), { page: 'rest_invalid_type' });
    expectRefused(await get('search[]=a'), { search: 'rest_invalid_type' });
    expectRefused(await get('start_date[]=now'), { start_date: 'rest_invalid_date' });
    expect((await get('per_page=05')).headers['x-tec-perpage']).toBe('5');
    expect((await get('per_page=+7+')).headers['x-tec-perpage']).toBe('7');
    expect((await get('page=9&page=1')).status).toBe(200);
    expectRefused(await get('order=x&per_page=0&featured=maybe&page=0'), {
      page: 'rest_out_of_bounds',
      per_page: 'rest_out_of_bounds',
      featured: 'rest_invalid_type',
      order: 'rest_not_in_enum',
    });
  });

  test('EV-LIST-04, EV-LIST-05: links to the existing next and previous pages', async () => {
    const list = await family(app(), ...[...'ABCDEFGHI'].map((title) => ({ title })));
    const pages: Reply[] = [];
    for (const page of [1, 2, 3]) pages.push(await list.list(`per_page=3&page=${page}`));
    expect(pages.map(titlesOf)).toEqual([
      ['A', 'B', 'C'],
      ['D', 'E', 'F'],
      ['G', 'H', 'I'],
    ]);
    const [first, second, third] = pages.map(({ body }) => body);
    expect(pages.map(({ body }) => Object.keys(body as object))).toEqual([
      ['events', 'rest_url', 'next_rest_url', 'total', 'total_pages'],
      ['events', 'rest_url', 'next_rest_url', 'previous_rest_url', 'total', 'total_pages'],
      ['events', 'rest_url', 'previous_rest_url', 'total', 'total_pages'],
    ]);
    const base = `http://127.0.0.1:${app().client.port}/calendar/events/v1/events/`;
    const filters = `${DEFAULT_WINDOW}&status=publish&post_parent=${list.parent}`;
    expect(second.rest_url).toBe(`${base}?page=2&per_page=3&${filters}`);
    expect(second.next_rest_url).toBe(`${base}?per_page=3&${filters}&page=3`);
    expect(second.previous_rest_url).toBe(`${base}?per_page=3&${filters}`);
    expect(third.previous_rest_url).toBe(first.next_rest_url);
    expect(pages.map(({ headers }) => headers.link)).toEqual([
      `<${first.next_rest_url}>; rel="next"`,
      `<${second.next_rest_url}>; rel="next", <${second.previous_rest_url}>; rel="prev"`,
      `<${third.previous_rest_url}>; rel="prev"`,
    ]);
    expect((await follow(app(), second.previous_rest_url)).body.events).toEqual(first.events);
    expect((await follow(app(), second.rest_url)).body).toEqual(second);
  });

  test('EV-LIST-06: links carry the filters, encoded', async () => {
    const { client, tokens } = app();
    const music = await category(client, tokens.adm, { name: 'Musique é' });
    const loud = await tag(client, tokens.adm, { name: 'Loud' });
    const soft = await tag(client, tokens.adm, { name: 'Soft' });
    const shown = { categories: [music.id], tags: [loud.id] };
    const list = await family(
      app(),
      { title: 'Rock & Roll 1', ...shown },
      { title: 'Rock & Roll 2', ...shown, tags: [soft.id] },
      { title: 'Rock & Roll 3', categories: [music.id] },
      { title: 'Rock & Roll 4', ...shown },
    );
    const { body } = await list.list(
      `search=${enc('"rock & roll"')}&tags=loud,${soft.id}&categories=musique-e&strict_dates=YES&starts_after=2027-03-10&per_page=2&x=1`,
    );
    expect(titlesOf({ status: 200, body } as Reply)).toEqual(['Rock & Roll 1', 'Rock & Roll 2']);
    expect(body.next_rest_url.split('?')[1]).toBe(
      'per_page=2&search=%22rock+%26+roll%22&status=publish' +
        `&post_parent=${list.parent}&starts_after=2027-03-10+00%3A00%3A00&categories=musique-e&tags=loud%2C${soft.id}` +
        '&strict_dates=true&page=2',
    );
    const next = await follow(app(), body.next_rest_url);
    expect(titlesOf(next)).toEqual(['Rock & Roll 4']);
    expect((await follow(app(), next.body.previous_rest_url)).body.events).toEqual(body.events);
  });

  test('EV-LIST-06: rest_url has every filter in canonical form and documented order', async () => {
    const { client, tokens } = app();
    const [hall, ann] = [await venue(client, tokens.adm), await organizer(client, tokens.adm)];
    const c = await category(client, tokens.adm, { name: 'C' });
    await tag(client, tokens.adm, { name: 'One, two' });
    const parent = await event(client, tokens.adm);
    const given = [
      ['_fields', 'id,title'],
      ['order', 'DESC'],
      ['orderby', 'Title'],
      ['hide_from_listings', 'ANY'],
      ['strict_dates', '0'],
      ['tags', 'one-two'],
      ['categories', `${c.id},C`],
      ['featured', 'no'],
      ['organizer', ` ${ann.id} ,${ann.id}`],
      ['venue', String(hall.id)],
      ['ticketed', '1'],
      ['ends_after', '2027-01-01'],
      ['ends_before', '2027-12-31'],
      ['starts_after', '2027-01-01'],
      ['starts_before', '2027-12-31'],
      ['post_parent', String(parent.id)],
      ['status', 'Draft, publish'],
      ['geoloc_radius', '5.50'],
      ['geoloc_lng', '-7.0'],
      ['geoloc_lat', '50'],
      ['geoloc', 'on'],
      ['search', 'a b'],
      ['end_date', '2027-12-30'],
      ['start_date', '2027-01-02'],
      ['per_page', '3'],
      ['page', '1'],
      ['unknown', '1'],
    ] as const;
    const { status, body } = await client.get(`/events?${new URLSearchParams(given as never).toString()}`, tokens.edi);
    expect(status).toBe(200);
    expect(queryOf(body.rest_url)).toEqual([
      ['page', '1'],
      ['per_page', '3'],
      ['start_date', '2027-01-02 00:00:00'],
      ['end_date', '2027-12-30 23:59:59'],
      ['search', 'a b'],
      ['geoloc', 'true'],
      ['geoloc_lat', '50'],
      ['geoloc_lng', '-7'],
      ['geoloc_radius', '5.5'],
      ['status', 'draft,publish'],
      ['post_parent', String(parent.id)],
      ['starts_before', '2027-12-31 23:59:59'],
      ['starts_after', '2027-01-01 23:59:59'],
      ['ends_before', '2027-12-31 23:59:59'],
      ['ends_after', '2027-01-01 23:59:59'],
      ['ticketed', 'true'],
      ['venue', String(hall.id)],
      ['organizer', `${ann.id},${ann.id}`],
      ['featured', 'false'],
      ['categories', `${c.id},C`],
      ['tags', 'one-two'],
      ['strict_dates', 'false'],
      ['hide_from_listings', 'any'],
      ['orderby', 'title'],
      ['order', 'desc'],
      ['_fields', 'id,title'],
    ]);
    const again = await follow(app(), body.rest_url, tokens.edi);
    expect(again.body).toEqual(body);
  });

  test('EV-LIST-07: returns 404 for any page past the end', async () => {
    const list = await family(app(), { title: 'A' }, { title: 'B' });
    expect((await list.list('per_page=1&page=2')).status).toBe(200);
    for (const page of ['3', '1000000', '9007199254740991']) {
      const { status, body } = await list.list(`per_page=1&page=${page}`);
      expect([status, body.code]).toEqual([404, 'event-archive-page-not-found']);
    }
    expect((await list.list('search=nowhere&page=2')).body.code).toBe('event-archive-page-not-found');
    expectRefused(await list.list('page=3&order=x'), { order: 'rest_not_in_enum' });
  });

  test('EV-LIST-41: items equal single reads without json_ld', async () => {
    const { client, tokens } = app();
    const list = await family(app(), {
      title: 'A',
      venue: { venue: 'Hall' },
      organizer: { organizer: 'Ann' },
      cost: 5,
      description: 'x',
    });
    const [item] = (await list.list()).body.events;
    const { body } = await client.get(`/events/${list.ids.A}`);
    expect(body).toMatchObject({ json_ld: {}, venue: { json_ld: {} }, organizer: [{ json_ld: {} }] });
    delete body.json_ld;
    delete body.venue.json_ld;
    delete body.organizer[0].json_ld;
    expect(item).toEqual(body);
    expect(Object.keys(item as object)).toEqual(Object.keys(body as object));
    expect((await client.put(`/events/${list.ids.A}`, {}, tokens.adm)).body).toEqual(body);
  });
});

describe('GET /events: MAX_PER_PAGE', () => {
  const app = useApp({ MAX_PER_PAGE: '50' });

  test('EV-LIST-42: limits per_page to MAX_PER_PAGE', async () => {
    for (let n = 0; n < 51; n += 1) await event(app().client, app().tokens.adm);
    const { body, headers } = await app().client.get('/events?per_page=100');
    expect(body.events).toHaveLength(50);
    expect(body.total_pages).toBe(2);
    expect(headers['x-tec-perpage']).toBe('50');
    expect((await app().client.get('/events?per_page=49')).headers['x-tec-perpage']).toBe('49');
  });

  test.each(['events', 'venues', 'organizers', 'categories', 'tags'])('limits it for /%s', async (collection) => {
    const perPage = async (asked: number) =>
      (await app().client.get(`/${collection}?per_page=${asked}`)).headers['x-tec-perpage'];
    expect([await perPage(51), await perPage(50), await perPage(49)]).toEqual(['50', '50', '49']);
  });
});

describe('GET /events: dates', () => {
  const app = useApp();
  const at = (title: string, start_date: string, end_date = start_date) => ({ title, start_date, end_date });

  test('EV-LIST-08: lists events within the default window', async () => {
    const list = await family(
      app(),
      at('start in', '2026-11-19 00:00:00'),
      at('start out', '2026-11-18 23:59:59', '2026-11-20'),
      at('end in', '2028-11-20 23:59:59'),
      at('end out', '2028-11-20 23:59:59', '2028-11-21 00:00:00'),
    );
    for (const query of ['', 'strict_dates=false', 'strict_dates=true']) {
      expect(await list.titles(query)).toEqual(['start in', 'end in']);
    }
    app().setNow('2026-11-20T00:00:00Z');
    expect(await list.titles()).toEqual(['start in', 'end in']);
    app().setNow('2026-11-21T00:00:00Z');
    const { body } = await list.list();
    expect(body.events).toMatchObject([{ title: 'end in' }, { title: 'end out' }]);
    expect(queryOf(body.rest_url).slice(2, 4)).toEqual([
      ['start_date', '2026-11-20 00:00:00'],
      ['end_date', '2028-11-21 23:59:59'],
    ]);
  });

  test('EV-LIST-08: the index and /doc document the default window', async () => {
    app().setNow('2027-05-06T12:00:00Z');
    const { routes } = (await app().client.get('')).body;
    const { args } = routes['/calendar/events/v1/events'].endpoints[0];
    expect([args.start_date.default, args.end_date.default]).toEqual(['2027-05-05 00:00:00', '2029-05-06 23:59:59']);
    const { paths } = (await app().client.get('/doc')).body;
    const { parameters } = paths['/events'].get as { parameters: { name: string; schema: { default?: string } }[] };
    const defaults = parameters.filter(({ name }) => /^(start|end)_date$/.test(name));
    expect(defaults.map(({ schema }) => schema.default)).toEqual(['2027-05-05 00:00:00', '2029-05-06 23:59:59']);
  });

  test('EV-LIST-08: on a leap day the default window ends on 28 February', async () => {
    app().setNow('2028-02-29T12:00:00Z');
    const { body } = await app().client.get('/events');
    expect(queryOf(body.rest_url).slice(2, 4)).toEqual([
      ['start_date', '2028-02-28 00:00:00'],
      ['end_date', '2030-02-28 23:59:59'],
    ]);
  });

  test('EV-LIST-10: a given date replaces its own default', async () => {
    const list = await family(
      app(),
      at('old', '2000-01-01 10:00'),
      at('soon', '2026-12-01'),
      at('far', '2028-11-21'),
      at('farther', '2040-01-01'),
    );
    const past = await list.list('start_date=2000-01-01');
    expect(titlesOf(past)).toEqual(['old', 'soon']);
    expect(queryOf(past.body.rest_url).slice(2, 4)).toEqual([
      ['start_date', '2000-01-01 00:00:00'],
      ['end_date', '2028-11-20 23:59:59'],
    ]);
    const none = await list.list('end_date=2000-01-01');
    expect(none.body).toMatchObject({ events: [], total: 0, total_pages: 0 });
    expect(queryOf(none.body.rest_url).slice(2, 4)).toEqual([
      ['start_date', '2026-11-19 00:00:00'],
      ['end_date', '2000-01-01 23:59:59'],
    ]);
    expect(await list.titles('end_date=2040-01-01')).toEqual(['soon', 'far', 'farther']);
  });

  test('EV-LIST-11: with both dates lists only events between them', async () => {
    const weekly = Array.from({ length: 10 }, (_, week) => at(`week ${week + 1}`, `+${7 * (week + 1)} days`));
    const list = await family(
      app(),
      ...weekly,
      at('longer', '+14 days', '+60 days'),
      at('before', '-1 days', '+12 days'),
    );
    const query = `start_date=${enc('+10 days')}&end_date=${enc('+30 days')}`;
    expect(await list.titles(query)).toEqual(['week 2', 'week 3', 'week 4']);
    expect(await list.titles('start_date=+10 days&end_date=30+days'.replaceAll(' ', '%20'))).toHaveLength(3);
  });

  test('EV-LIST-12: starts_after and starts_before drop both defaults', async () => {
    const list = await family(
      app(),
      at('ancient', '1900-01-01'),
      at('on', '2027-03-10 00:00:00'),
      at('late', '2027-03-10 23:59:59'),
      at('next', '2027-03-11 00:00:00'),
      at('far', '2999-01-01'),
    );
    const after = await list.list('starts_after=2027-03-10%2015:00');
    expect(titlesOf(after)).toEqual(['next', 'far']);
    expect(queryOf(after.body.rest_url)).toEqual([
      ['page', '1'],
      ['per_page', '10'],
      ['status', 'publish'],
      ['post_parent', String(list.parent)],
      ['starts_after', '2027-03-10 23:59:59'],
    ]);
    const before = await list.list('starts_before=2027-03-10');
    expect(titlesOf(before)).toEqual(['ancient', 'on', 'late']);
    expect(queryOf(before.body.rest_url).slice(2)).toEqual([
      ['status', 'publish'],
      ['post_parent', String(list.parent)],
      ['starts_before', '2027-03-10 23:59:59'],
    ]);
    for (const { body } of [after, before]) expect((await follow(app(), body.rest_url)).body).toEqual(body);
  });

  test('EV-LIST-13: filters by ends_after and ends_before', async () => {
    const list = await family(
      app(),
      at('ancient', '1900-01-01'),
      { ...at('all day', '2027-03-10 12:00'), all_day: true },
      at('into the night', '2027-03-10 22:00', '2027-03-11 00:00:00'),
      at('far', '2999-01-01'),
    );
    expect(await list.titles('ends_before=2027-03-10')).toEqual(['ancient', 'all day']);
    expect(await list.titles('ends_after=2027-03-10')).toEqual(['into the night', 'far']);
    expect(await list.titles('ends_after=2027-03-09&ends_before=2027-03-11')).toEqual(['all day', 'into the night']);
  });

  test('EV-LIST-14: combines start_date or end_date with the other date filters', async () => {
    const list = await family(app(), at('ancient', '1900-01-01'), at('a', '2027-01-05'), at('b', '2027-02-05'));
    const { body } = await list.list('starts_before=2027-01-31&start_date=2000-01-01');
    expect(body.events).toMatchObject([{ title: 'a' }]);
    expect(queryOf(body.rest_url).map(([name]) => name)).toEqual([
      'page',
      'per_page',
      'start_date',
      'status',
      'post_parent',
      'starts_before',
    ]);
    expect(await list.titles('ends_after=1800-01-01&end_date=2027-01-31')).toEqual(['ancient', 'a']);
  });

  test('EV-LIST-15: dates mean whole days by default, seconds with strict_dates', async () => {
    const list = await family(app(), at('e', '2027-03-10 10:00:00', '2027-03-12 12:00:00'));
    const cases: [string, string, string, string, string][] = [
      // Parameter, the last strict value that finds the event, the first that does not, and both as whole days.
      ['start_date', '2027-03-10 10:00:00', '2027-03-10 10:00:01', '2027-03-10 23:59:59', '2027-03-11'],
      ['end_date', '2027-03-12 12:00:00', '2027-03-12 11:59:59', '2027-03-12', '2027-03-11 23:59:59'],
      ['starts_after', '2027-03-10 09:59:59', '2027-03-10 10:00:00', '2027-03-09 23:59:59', '2027-03-10'],
      ['starts_before', '2027-03-10 10:00:01', '2027-03-10 10:00:00', '2027-03-10', '2027-03-09 23:59:59'],
      ['ends_after', '2027-03-12 11:59:59', '2027-03-12 12:00:00', '2027-03-11 23:59:59', '2027-03-12'],
      ['ends_before', '2027-03-12 12:00:01', '2027-03-12 12:00:00', '2027-03-12', '2027-03-11 23:59:59'],
    ];
    for (const [name, strictIn, strictOut, wholeIn, wholeOut] of cases) {
      await expectFound(list.titles, [
        [`strict_dates=true&${name}=${enc(strictIn)}`, ['e']],
        [`strict_dates=true&${name}=${enc(strictOut)}`, []],
        [`${name}=${enc(wholeIn)}`, ['e']],
        [`${name}=${enc(wholeOut)}`, []],
      ]);
      const { body } = await list.list(`strict_dates=on&${name}=${enc(strictIn)}`);
      expect(Object.fromEntries(queryOf(body.rest_url))[name]).toBe(strictIn);
      expect((await follow(app(), body.rest_url)).body).toEqual(body);
    }
  });

  test('EV-LIST-17: finds an event by its day in the time zone of the site', async () => {
    const list = await family(app(), {
      title: 'tokyo',
      timezone: 'Asia/Tokyo',
      start_date: '2027-03-11 01:00',
      end_date: '2027-03-11 02:00',
    });
    await expectFound(list.titles, [
      ['start_date=2027-03-10&end_date=2027-03-10', ['tokyo']],
      ['start_date=2027-03-11&end_date=2027-03-11', []],
      ['start_date=2027-03-11T01:00:00%2B09:00&end_date=2027-03-10', ['tokyo']],
    ]);
  });

  test('EV-LIST-18: strict_dates accepts boolean words and rejects other values', async () => {
    const list = await family(app(), at('e', '2027-03-10 10:00'));
    expectRefused(await list.list('strict_dates=banana'), { strict_dates: 'rest_invalid_type' });
    expectRefused(await list.list('strict_dates='), { strict_dates: 'rest_empty' });
    for (const word of ['no', '0', 'FALSE', 'off']) {
      expect(await list.titles(`strict_dates=${word}&start_date=2027-03-10%2011:00`)).toEqual(['e']);
    }
    for (const word of ['yes', '1', 'True', 'ON']) {
      expect(await list.titles(`strict_dates=${word}&start_date=2027-03-10%2011:00`)).toEqual([]);
    }
  });

  test('EV-LIST-19: accepts every date format and rejects invalid dates', async () => {
    const names = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'];
    for (const name of names) {
      for (const value of ['foo', '2027-02-30', '2027', '25:00', '31/12/2027', '0000-00-00', '10000-01-01']) {
        expectRefused(await app().client.get(`/events?${name}=${enc(value)}`), { [name]: 'rest_invalid_date' });
      }
      expectRefused(await app().client.get(`/events?${name}=`), { [name]: 'rest_empty' });
      for (const value of [
        '1804698000',
        '@1804698000',
        '@-1',
        'now',
        'tomorrow 9am',
        'last friday',
        '20270310T170000Z',
      ]) {
        expect((await app().client.get(`/events?${name}=${enc(value)}`)).status).toBe(200);
      }
    }
    expectRefused(await app().client.get(`/events?${names.map((name) => `${name}=x`).join('&')}`), {
      ...Object.fromEntries(names.map((name) => [name, 'rest_invalid_date'])),
    });
    const { status, body } = await app().client.get('/events?start_date=2028-01-02&end_date=2028-01-01');
    expect([status, body.events, body.total]).toEqual([200, [], 0]);
    const stamped = await app().client.get('/events?strict_dates=1&starts_after=1804698000');
    expect(queryOf(stamped.body.rest_url)).toContainEqual(['starts_after', '2027-03-10 17:00:00']);
  });

  test('EV-LIST-19: accepts the first and the last supported date', async () => {
    const list = await family(app(), at('e', '2027-03-10'));
    await expectFound(list.titles, [
      ['start_date=1000-01-01&end_date=9999-12-31', ['e']],
      ['starts_after=9999-12-31', []],
      ['ends_before=1000-01-01', []],
      ['starts_before=9999-12-31&ends_after=1000-01-01', ['e']],
    ]);
  });

  test('EV-LIST-44: accepts date filters from the year 0 on', async () => {
    const list = await family(app(), at('first', '1000-01-01'), at('e', '2027-03-10'), at('last', '9999-12-31'));
    const all = ['first', 'e', 'last'];
    await expectFound(list.titles, [
      ['start_date=0000-01-01&end_date=9999-12-31', all],
      ['start_date=0999-12-31&end_date=%2B9000%20years', all],
      ['strict_dates=1&start_date=0000-01-01&end_date=9999-12-31T23:59:59-12:00', all],
      ['starts_after=0000-01-01', ['e', 'last']],
      ['strict_dates=1&starts_after=0000-01-01', ['e', 'last']],
      ['strict_dates=1&ends_before=0000-01-01', []],
      ['starts_before=0500-06-01', ['first']],
      ['ends_after=%2B9000%20years', []],
    ]);
    for (const name of ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after']) {
      const early = await app().client.get(`/events?${name}=0000-01-01`);
      expect(queryOf(early.body.rest_url)).toContainEqual([name, '1000-01-01 00:00:00']);
      const late = await app().client.get(`/events?${name}=${enc('9999-12-31T23:00:00-05:00')}`);
      expect(queryOf(late.body.rest_url)).toContainEqual([name, '9999-12-31 23:59:59']);
      expectRefused(await app().client.get(`/events?${name}=-5000%20years`), { [name]: 'rest_invalid_date' });
    }
    const { client, tokens } = app();
    for (const name of ['start_date', 'date', 'date_utc']) {
      const body = { title: 'T', end_date: '2027-01-01', start_date: '2027-01-01', [name]: '0000-01-01' };
      expectRefused(await client.post('/events', body, tokens.adm), { [name]: 'rest_invalid_date' });
    }
  });

  test('EV-LIST-31: include ignores date filters', async () => {
    const list = await family(app(), at('past', '1999-01-01'), at('far', '2999-01-01'), at('draft', '2027-01-01'));
    const { client, tokens } = app();
    await client.put(`/events/${list.ids.draft}`, { status: 'draft' }, tokens.adm);
    const { past, far, draft } = list.ids;
    for (const query of [
      `include=${far},${past},999999`,
      `include[]=${past}&include[]=${far}`,
      `include=${past}&include=${far}`,
      `include=${past},${far},${draft}&start_date=2030-01-01&ends_before=2000-01-01`,
    ]) {
      expect(await list.titles(query)).toEqual(['past', 'far']);
    }
    const { body } = await list.list(`include=${far}&start_date=2030-01-01`);
    expect(queryOf(body.rest_url)).toEqual([
      ['page', '1'],
      ['per_page', '10'],
      ['start_date', '2030-01-01 00:00:00'],
      ['status', 'publish'],
      ['post_parent', String(list.parent)],
      ['include', String(far)],
    ]);
    expectRefused(await client.get('/events?include=foo,23'), { include: 'rest_invalid_type' });
    expectRefused(await client.get('/events?include=0'), { include: 'rest_out_of_bounds' });
    expectRefused(await client.get('/events?include=1,-1'), { include: 'rest_out_of_bounds' });
    expectRefused(await client.get('/events?include='), { include: 'rest_empty' });
    expectRefused(await client.get('/events?include=,'), { include: 'rest_empty' });
    const many = Array.from({ length: 1001 }, (_, index) => index + 1).join(',');
    expectRefused(await client.get(`/events?include=${many}`), { include: 'rest_too_long' });
    expect(await list.titles(`include=${many.slice(0, many.lastIndexOf(','))}`)).toEqual(['past', 'far']);
    expectRefused(await client.get(`/events?include=${far}&start_date=foo`), { start_date: 'rest_invalid_date' });
  });

  test('EV-LIST-43: lists the events that run during a day', async () => {
    const list = await family(
      app(),
      at('over', '2027-03-01', '2027-03-09 23:59:59'),
      at('running', '2027-03-01', '2027-03-20'),
      at('begins', '2027-03-10 23:00', '2027-03-11'),
      at('ends', '2027-03-01', '2027-03-10 00:00:00'),
      at('later', '2027-03-11', '2027-03-12'),
    );
    expect(await list.titles('starts_before=2027-03-10&ends_after=2027-03-09')).toEqual(['running', 'ends', 'begins']);
  });
});

describe('GET /events: time zone of the site', () => {
  const tokyo = useApp({ SITE_TIMEZONE: 'Asia/Tokyo' });
  const newYork = useApp({ SITE_TIMEZONE: 'America/New_York' });

  test('EV-LIST-09: the default window has days of the time zone of the site', async () => {
    const list = await family(
      tokyo(),
      { title: 'in', start_date: '2026-11-18T15:00:00Z', end_date: '2028-11-20T14:59:59Z' },
      { title: 'start out', start_date: '2026-11-18T14:59:59Z', end_date: '2027-01-01' },
      { title: 'end out', start_date: '2027-01-01', end_date: '2028-11-20T15:00:00Z' },
    );
    const { body } = await list.list();
    expect(body.events).toMatchObject([{ title: 'in' }]);
    expect(queryOf(body.rest_url).slice(2, 4)).toEqual([
      ['start_date', '2026-11-19 00:00:00'],
      ['end_date', '2028-11-20 23:59:59'],
    ]);
    // In UTC it is still the twentieth.
    tokyo().setNow('2026-11-20T15:30:00Z');
    expect(await list.titles()).toEqual(['end out']);
  });

  test('EV-LIST-16: values without a zone are site time, values with a zone are instants', async () => {
    const list = await family(
      newYork(),
      { title: 'before', start_date: '2027-03-14T07:29:59Z', end_date: '2027-03-14T12:00:00Z' },
      { title: 'at', start_date: '2027-03-14T07:30:00Z', end_date: '2027-03-14T12:00:00Z' },
    );
    await expectFound(list.titles, [
      ['strict_dates=1&start_date=2027-03-14%2003:30', ['at']],
      // There is no 02:30 on this day: clocks jump from 02:00 to 03:00.
      ['strict_dates=1&start_date=2027-03-14%2002:30', ['at']],
      ['strict_dates=1&start_date=2027-03-14%2003:29:59', ['before', 'at']],
      ['strict_dates=1&start_date=2027-03-14T07:30:00Z', ['at']],
      ['strict_dates=1&start_date=2027-03-14T08:30:00%2B01:00', ['at']],
      ['strict_dates=1&start_date=2027-03-14T08:30:00+01:00', ['at']],
      ['strict_dates=1&start_date=2027-03-14%2007:30', []],
    ]);
  });

  test('EV-LIST-16: a whole day has 23 hours when the clocks of the site go forward', async () => {
    const list = await family(
      newYork(),
      { title: 'first', start_date: '2027-03-14T05:00:00Z', end_date: '2027-03-14T05:00:00Z' },
      { title: 'last', start_date: '2027-03-15T03:59:59Z', end_date: '2027-03-15T03:59:59Z' },
      { title: 'next', start_date: '2027-03-15T04:00:00Z', end_date: '2027-03-15T04:00:00Z' },
    );
    expect(await list.titles('start_date=2027-03-14&end_date=2027-03-14')).toEqual(['first', 'last']);
    expect(await list.titles('start_date=2027-03-15T03:59:59Z&end_date=2027-03-14')).toEqual(['first', 'last']);
    expect(await list.titles('start_date=2027-03-15')).toEqual(['next']);
  });

  test('EV-LIST-16: links name the second occurrence of an hour with its offset', async () => {
    const list = await family(
      newYork(),
      { title: 'first', start_date: '2027-11-07T05:30:00Z', end_date: '2027-11-07T12:00:00Z' },
      { title: 'second', start_date: '2027-11-07T06:30:00Z', end_date: '2027-11-07T12:00:00Z' },
    );
    const { body } = await list.list('strict_dates=1&start_date=2027-11-07T06:30:00Z');
    expect(queryOf(body.rest_url)).toContainEqual(['start_date', '2027-11-07 01:30:00-05:00']);
    expect(body.events).toMatchObject([{ title: 'second' }]);
    expect((await follow(newYork(), body.rest_url)).body).toEqual(body);
    expect(await list.titles('strict_dates=1&start_date=2027-11-07%2001:30')).toEqual(['first', 'second']);
  });
});

describe('GET /events: order', () => {
  const app = useApp();

  test('EV-LIST-20: orders equal starts by id in both directions, and ignores sticky', async () => {
    const list = await family(
      app(),
      { title: 'B' },
      { title: 'A', sticky: true },
      { title: 'C', start_date: '2027-03-10T12:00:00+02:00' },
      { title: 'later', start_date: '2027-03-10 10:00:01', sticky: true },
    );
    expect(await list.titles()).toEqual(['B', 'A', 'C', 'later']);
    expect(await list.titles('order=desc')).toEqual(['later', 'B', 'A', 'C']);
    expect(await list.titles('order=desc&per_page=2&page=2')).toEqual(['A', 'C']);
  });

  test('EV-LIST-21: orders by every orderby value in both directions', async () => {
    const list = await family(
      app(),
      // Later by local time, earlier in UTC.
      {
        title: 'éclair',
        timezone: 'Asia/Tokyo',
        start_date: '2027-03-10 15:00',
        end_date: '2027-03-13',
        date: '2026-03-03',
      },
      { title: 'Zebra', start_date: '2027-03-10 08:00', end_date: '2027-03-11', date: '2026-03-02' },
      { title: 'eclair B', start_date: '2027-03-10 09:00', end_date: '2027-03-12', date: '2026-03-01' },
      { title: 'Eclair', start_date: '2027-03-10 09:00', end_date: '2027-03-12', date: '2026-03-01' },
    );
    const { client, tokens } = app();
    app().setNow('2026-12-01T00:00:00Z');
    await client.put(`/events/${list.ids['Zebra']}`, { featured: true }, tokens.adm);
    app().setNow('2026-12-02T00:00:00Z');
    await client.put(`/events/${list.ids['éclair']}`, { featured: true }, tokens.adm);
    const cases = {
      start_date: [
        ['éclair', 'Zebra', 'eclair B', 'Eclair'],
        ['eclair B', 'Eclair', 'Zebra', 'éclair'],
      ],
      end_date: [
        ['Zebra', 'eclair B', 'Eclair', 'éclair'],
        ['éclair', 'eclair B', 'Eclair', 'Zebra'],
      ],
      title: [
        ['éclair', 'Eclair', 'eclair B', 'Zebra'],
        ['Zebra', 'eclair B', 'éclair', 'Eclair'],
      ],
      date: [
        ['eclair B', 'Eclair', 'Zebra', 'éclair'],
        ['éclair', 'Zebra', 'eclair B', 'Eclair'],
      ],
      modified: [
        ['eclair B', 'Eclair', 'Zebra', 'éclair'],
        ['éclair', 'Zebra', 'eclair B', 'Eclair'],
      ],
      id: [
        ['éclair', 'Zebra', 'eclair B', 'Eclair'],
        ['Eclair', 'eclair B', 'Zebra', 'éclair'],
      ],
    };
    for (const [word, [ascending, descending]] of Object.entries(cases)) {
      await expectFound(list.titles, [
        [`orderby=${word}`, ascending as string[]],
        [`orderby=${word}&order=asc`, ascending as string[]],
        [`orderby=${word.toUpperCase()}&order=DESC`, descending as string[]],
      ]);
    }
    for (const word of ['foo', 'name', 'start_date,id']) {
      expectRefused(await list.list(`orderby=${word}`), { orderby: 'rest_not_in_enum' });
    }
    expectRefused(await list.list('order=sideways'), { order: 'rest_not_in_enum' });
    expectRefused(await list.list('order=&orderby='), { orderby: 'rest_empty', order: 'rest_empty' });
    expectRefused(await list.list('order[]=asc'), { order: 'rest_invalid_type' });
  });
});

describe('GET /events: search', () => {
  const app = useApp();

  test('EV-LIST-22: finds words in title, description or excerpt', async () => {
    const list = await family(
      app(),
      { title: 'Foo fighters' },
      { title: 'In text', description: '<p>all the <b>fo</b>o you want</p>' },
      { title: 'In excerpt', excerpt: 'food &amp; wine' },
      { title: 'Wrocław Été', description: 'a b' },
      { title: 'か' },
      { title: 'Straße 100%_' },
    );
    await expectFound(list.titles, [
      ['search=foo', ['Foo fighters', 'In text', 'In excerpt']],
      ['search=FOO%20you', ['In text']],
      ['search=you+foo', ['In text']],
      ['search=text+want', ['In text']],
      ['search=foo+-want', ['Foo fighters', 'In excerpt']],
      ['search=foo+-Want', ['Foo fighters', 'In excerpt']],
      [`search=foo+-${enc('"FOOD & Wíne"')}`, ['Foo fighters', 'In text']],
      ['search=-want+foo+-%22food%20%26%20wine%22', ['Foo fighters']],
      ['search=%22foo+you%22', ['In text']],
      ['search=%22you+foo%22', []],
      // A phrase matches only within one of the three texts. An unbalanced quote runs to the end.
      ['search=%22text+all%22', []],
      ['search=%22foo+you', ['In text']],
      ['search=wroclaw', ['Wrocław Été']],
      ['search=ETE', ['Wrocław Été']],
      [`search=${enc('WROCŁAW')}+e%CC%81t%C3%A9`, ['Wrocław Été']],
      ['search=%22a%00b%22', ['Wrocław Été']],
      ['search=b%00a', ['Wrocław Été']],
      ['search=%E3%81%8C', []],
      ['search=%E3%81%8B', ['か']],
      ['search=strasse', ['Straße 100%_']],
      ['search=0%25_', ['Straße 100%_']],
      ['search=100%25%25', []],
      ['search=wine+%26', ['In excerpt']],
      ['search=nothing', []],
    ]);
    const { body } = await list.list('search=foo&per_page=2');
    expect(body).toMatchObject({ total: 3, total_pages: 2 });
  });

  test('EV-LIST-22: block elements separate words, and a phrase matches across them', async () => {
    const list = await family(
      app(),
      { title: 'glued', description: '<p>alpha</p><p>beta</p>' },
      { title: 'list', excerpt: '<ul>\n<li>alpha</li><li>beta</li>\n</ul>' },
      { title: 'lines', description: 'alpha\nbeta' },
      { title: 'one', description: '<p>al<b>pha</b><i>beta</i></p>' },
    );
    await expectFound(list.titles, [
      ['search=%22alpha+beta%22', ['glued', 'list', 'lines']],
      ['search=alphabeta', ['one']],
    ]);
  });

  test('EV-LIST-22: searches more than 20 words as one phrase', async () => {
    const words = 'The "Great" Jazz - Wine & Été: a b c d e f g h i j k l m n o p q r';
    const list = await family(app(), { title: words }, { title: words.replace('- ', '') }, { title: `${words} s` });
    const both = [words, `${words} s`];
    await expectFound(list.titles, [
      [`search=${enc(words)}`, both],
      [`search=${enc(words.toLowerCase())}`, both],
      [`search=${enc(words.replace('Jazz ', '').replace('Wine ', 'Wine -Jazz '))}`, []],
      [`search=${enc(words.split(' ').toReversed().join(' '))}`, []],
    ]);
  });

  test('EV-LIST-22: rejects empty, too long and invalid searches', async () => {
    const search = (text: string) => app().client.get(`/events?search=${text}`);
    for (const text of ['', '%00', '+', '-x', '%22%22', '%22', '-%22a+b%22', '%09%0A']) {
      expectRefused(await search(text), { search: 'rest_empty' });
    }
    const words = Array.from({ length: 21 }, (_, index) => `w${index}`);
    expect((await search(words.join('+'))).status).toBe(200);
    expect((await search(words.slice(1).join('+'))).status).toBe(200);
    expectRefused(await search('x'.repeat(501)), { search: 'rest_too_long' });
    expect((await search(enc('é'.repeat(500)))).status).toBe(200);
    expectRefused(await search('%ff'), { search: 'rest_invalid_type' });
  });

  test('EV-LIST-23: does not search venues, organizers, terms or HTML tags', async () => {
    const list = await family(
      app(),
      {
        title: 'Concert',
        description: '<p class="needle">text</p><a href="https://needle.example/">link</a>',
        website: 'https://needle.example/',
        cost: 'needle',
        venue: { venue: 'Needle' },
        organizer: { organizer: 'Needle' },
        categories: ['Needle'],
        tags: ['Needle'],
      },
      { title: 'About <b>', description: 'no tag' },
      { title: 'Literal', description: 'write &lt;b&gt; for bold' },
      { title: 'Bold', description: '<b>strong</b>' },
    );
    await expectFound(list.titles, [
      ['search=needle', []],
      ['search=text', ['Concert']],
      ['search=%3Cb%3E', ['Literal']],
      ['search=strong', ['Bold']],
    ]);
  });
});

describe('GET /events: terms and links', () => {
  const app = useApp();

  test('EV-LIST-24: filters by category id or slug, with descendants', async () => {
    const { client, tokens } = app();
    const make = async (name: string, parent?: number) =>
      (await category(client, tokens.adm, { name, parent })).id as number;
    const music = await make('Music');
    const jazz = await make('Jazz', music);
    const trios = await make('Trios', jazz);
    const art = await make('Art');
    const unused = await make('Unused');
    const list = await family(
      app(),
      { title: 'music', categories: [music] },
      { title: 'trio', categories: [trios] },
      { title: 'art', categories: [art] },
      { title: 'both', categories: [art, music, trios] },
      { title: 'none' },
    );
    await expectFound(list.titles, [
      [`categories=${music}`, ['music', 'trio', 'both']],
      [`categories=${jazz}`, ['trio', 'both']],
      ['categories=TRIOS', ['trio', 'both']],
      [`categories=${trios},art`, ['trio', 'art', 'both']],
      [`categories[]=${trios}&categories[]=Art`, ['trio', 'art', 'both']],
      [`categories=trios&categories=${art}`, ['trio', 'art', 'both']],
      ['categories=+art+,,', ['art', 'both']],
      [`categories=${unused}`, []],
    ]);
    expect((await list.list('categories=unused')).body).toMatchObject({ total: 0, total_pages: 0 });
    expect((await list.list(`categories=${music}&per_page=2`)).body).toMatchObject({ total: 3, total_pages: 2 });
    const unknown = { categories: 'rest_unknown_reference' };
    for (const value of ['999999', 'nowhere', `${music},nowhere`, '0', '-1']) {
      expectRefused(await list.list(`categories=${value}`), unknown);
    }
    const { body } = await list.list(`categories=${music},nowhere,-1`);
    expect(body.data.params.categories).toBe('categories refers to something that does not exist: nowhere, -1.');
    const loud = await tag(client, tokens.adm, { name: 'Loud' });
    expectRefused(await list.list(`categories=${loud.id}`), unknown);
    for (const value of ['', ',', '+,+'])
      expectRefused(await list.list(`categories=${value}`), { categories: 'rest_empty' });
  });

  test('EV-LIST-25: digits are an id if it exists, otherwise a slug', async () => {
    const { client, tokens } = app();
    const year = await category(client, tokens.adm, { name: 'The year', slug: '987654' });
    const known = await category(client, tokens.adm, { name: 'Known' });
    const named = await category(client, tokens.adm, { name: 'Named', slug: String(known.id) });
    const list = await family(
      app(),
      { title: 'year', categories: [year.id] },
      { title: 'known', categories: [known.id] },
      { title: 'named', categories: [named.id] },
    );
    await expectFound(list.titles, [
      ['categories=987654', ['year']],
      [`categories=${known.id}`, ['known']],
    ]);
  });

  test('EV-LIST-26: one of the tags must match, and one of the categories as well', async () => {
    const { client, tokens } = app();
    const red = (await tag(client, tokens.adm, { name: 'Red' })).id as number;
    await category(client, tokens.adm, { name: 'Cat' });
    const list = await family(
      app(),
      { title: 'red', tags: ['Red'] },
      { title: 'blue', tags: ['Blue'], categories: ['Cat'] },
      { title: 'both', tags: ['Red', 'Blue'], categories: ['Cat'] },
      { title: 'cat', categories: ['Cat'] },
    );
    await expectFound(list.titles, [
      [`tags=${red},blue`, ['red', 'blue', 'both']],
      ['tags[]=red', ['red', 'both']],
      ['tags=RED&categories=cat', ['both']],
      ['tags=red,blue&categories=cat', ['blue', 'both']],
    ]);
    expectRefused(await list.list('tags=green&categories='), {
      categories: 'rest_empty',
      tags: 'rest_unknown_reference',
    });
    expectRefused(await list.list('tags='), { tags: 'rest_empty' });
  });

  test.each([
    ['venue', venue],
    ['organizer', organizer],
  ] as const)('EV-LIST-27: filters by %s', async (name, create) => {
    const { client, tokens } = app();
    const ids: number[] = [];
    for (const title of ['A', 'B', 'C', 'D'])
      ids.push((await create(client, tokens.adm, { [name]: title })).id as number);
    const [a, b, c, d] = ids as [number, number, number, number];
    const list = await family(
      app(),
      { title: 'a', [name]: a },
      { title: 'b', [name]: b },
      { title: 'ab', [name]: [b, a] },
      { title: 'c', [name]: c },
      { title: 'none' },
    );
    await expectFound(list.titles, [
      [`${name}=${a}`, ['a', 'ab']],
      [`${name}=${a},${b}`, ['a', 'b', 'ab']],
      [`${name}[]=${c}&${name}[]=${a}`, ['a', 'ab', 'c']],
      [`${name}=${a}&${name}=${c}`, ['a', 'ab', 'c']],
      [`${name}=${ids.join(',')}`, ['a', 'b', 'ab', 'c']],
      [`${name}=${d}`, []],
    ]);
    expect((await list.list(`${name}=${a},${b}`)).body.total).toBe(3);
    expectRefused(await list.list(`${name}=foo`), { [name]: 'rest_invalid_type' });
    expectRefused(await list.list(`${name}=999999`), { [name]: 'rest_unknown_reference' });
    expectRefused(await list.list(`${name}=${a},999999`), { [name]: 'rest_unknown_reference' });
    expectRefused(await list.list(`${name}=0`), { [name]: 'rest_out_of_bounds' });
    expectRefused(await list.list(`${name}=`), { [name]: 'rest_empty' });
  });

  test('EV-LIST-27: venue and organizer must both match', async () => {
    const { client, tokens } = app();
    const hall = (await venue(client, tokens.adm, { venue: 'Hall' })).id as number;
    const ann = (await organizer(client, tokens.adm)).id as number;
    const list = await family(
      app(),
      { title: 'hall', venue: hall },
      { title: 'ann', organizer: ann },
      { title: 'both', venue: hall, organizer: ann },
    );
    expect(await list.titles(`venue=${hall}&organizer=${ann}`)).toEqual(['both']);
  });

  test('EV-LIST-28: returns an empty list for a venue with only draft events', async () => {
    const { client, tokens } = app();
    const { id } = await venue(client, tokens.adm, { venue: 'Drafts only' });
    await event(client, tokens.adm, { title: 'draft', venue: id, status: 'draft' });
    const { status, body } = await client.get(`/events?venue=${id}`);
    expect([status, body.events, body.total]).toEqual([200, [], 0]);
    expect(titlesOf(await client.get(`/events?venue=${id}`, tokens.edi))).toEqual(['draft']);
  });

  test.each(['draft', 'trash'])('EV-LIST-29: rejects an unreadable venue or organizer in status %s', async (status) => {
    const { client, tokens } = app();
    const made = await venue(client, tokens.aut, { venue: `Hidden ${status}`, status: 'draft' });
    const ann = await organizer(client, tokens.aut, { organizer: `Ann ${status}`, status: 'draft' });
    const links = { venue: made.id, organizer: ann.id };
    const title = `at ${status}`;
    await event(client, tokens.adm, { title, ...links });
    if (status === 'trash') {
      await client.delete(`/venues/${made.id}`, tokens.adm);
      await client.delete(`/organizers/${ann.id}`, tokens.adm);
    }
    for (const [name, id] of Object.entries(links)) {
      for (const token of [undefined, tokens.sub, tokens.con]) {
        expectRefused(await client.get(`/events?${name}=${id}`, token), { [name]: 'rest_unknown_reference' });
      }
      for (const token of [tokens.aut, tokens.edi, tokens.adm]) {
        expect(titlesOf(await client.get(`/events?${name}=${id}`, token))).toEqual([title]);
      }
    }
  });

  test('EV-LIST-30: filters by featured and ticketed', async () => {
    for (const name of ['featured', 'ticketed']) {
      const list = await family(app(), { title: 'yes', [name]: true }, { title: 'no' });
      await expectFound(list.titles, [
        [`${name}=true`, ['yes']],
        [`${name}=ON`, ['yes']],
        [`${name}=1`, ['yes']],
        [`${name}=false`, ['no']],
        [`${name}=0`, ['no']],
        ['', ['yes', 'no']],
      ]);
      expectRefused(await list.list(`${name}=`), { [name]: 'rest_empty' });
      expectRefused(await list.list(`${name}=any`), { [name]: 'rest_invalid_type' });
      expectRefused(await list.list(`${name}[]=1`), { [name]: 'rest_invalid_type' });
    }
  });

  test('EV-LIST-32: filters by post_parent', async () => {
    const { client, tokens } = app();
    const list = await family(app(), { title: 'child' });
    await event(client, tokens.adm, { title: 'grandchild', post_parent: list.ids.child });
    const top = (await event(client, tokens.adm, { title: 'top of all' })).id as number;
    expect(await list.titles()).toEqual(['child']);
    const found = await client.get('/events?post_parent=0&per_page=100');
    expect((found.body.events as { id: number }[]).map(({ id }) => id)).toContain(top);
    expect(new Set((found.body.events as { post_parent: number }[]).map((item) => item.post_parent))).toEqual(
      new Set([0]),
    );
    const draft = (await event(client, tokens.adm, { title: 'draft', status: 'draft' })).id as number;
    await event(client, tokens.adm, { title: 'of a draft', post_parent: draft });
    expectRefused(await client.get(`/events?post_parent=${draft}`), { post_parent: 'rest_unknown_reference' });
    expect(titlesOf(await client.get(`/events?post_parent=${draft}`, tokens.edi))).toEqual(['of a draft']);
    expectRefused(await client.get('/events?post_parent=999999'), { post_parent: 'rest_unknown_reference' });
    expectRefused(await client.get('/events?post_parent=foo'), { post_parent: 'rest_invalid_type' });
    expectRefused(await client.get('/events?post_parent='), { post_parent: 'rest_empty' });
  });
});

describe('GET /events: coordinates', () => {
  const app = useApp();

  const place = (name: string, geo_lat?: number, geo_lng?: number) => ({
    title: name,
    venue: { venue: name, geo_lat, geo_lng },
  });

  test('EV-LIST-34: geoloc filters by venues with or without coordinates', async () => {
    const { client, tokens } = app();
    const secret = await venue(client, tokens.adm, { venue: 'Secret', status: 'draft', geo_lat: 1, geo_lng: 1 });
    const gone = await venue(client, tokens.adm, { venue: 'Gone', geo_lat: 1, geo_lng: 1 });
    const list = await family(
      app(),
      place('located', 0, 0),
      place('unlocated'),
      { title: 'nowhere' },
      { title: 'secret', venue: secret.id },
      { title: 'gone', venue: gone.id },
      { title: 'two', venue: [{ venue: 'Nowhere' }, { venue: 'Two', geo_lat: 5, geo_lng: 5 }] },
    );
    await client.delete(`/venues/${gone.id}`, tokens.adm);
    await expectFound(list.titles, [
      ['geoloc=true', ['located', 'two']],
      ['geoloc=no', ['unlocated', 'nowhere', 'secret', 'gone']],
    ]);
    expect(await list.titles('geoloc=1', tokens.edi)).toEqual(['located', 'secret', 'two']);
    expect(await list.titles('geoloc=0', tokens.edi)).toEqual(['unlocated', 'nowhere', 'gone']);
    expect(await list.titles('geoloc_lat=1&geoloc_lng=1')).toEqual([]);
    expect(await list.titles('geoloc_lat=1&geoloc_lng=1', tokens.edi)).toEqual(['secret']);
    expectRefused(await list.list('geoloc='), { geoloc: 'rest_empty' });
    expectRefused(await list.list('geoloc=some'), { geoloc: 'rest_invalid_type' });
  });

  test('EV-LIST-34: finds events within a radius', async () => {
    // A degree of latitude is 111.19 km with R = 6371 km.
    const list = await family(
      app(),
      place('here', 48, 2),
      place('24.9 km', 48.2239, 2),
      place('25.1 km', 48.2258, 2),
      place('east', 48, 2.33),
      // Less than 25 km north and less than 25 km east, but more than 25 km away.
      place('corner', 48.2, 2.3),
      place('far', -48, -178),
      place('line', 0, 179.9),
      place('pole', 89.9, 90),
    );
    await expectFound(list.titles, [
      ['geoloc_lat=48&geoloc_lng=2', ['here', '24.9 km', 'east']],
      ['geoloc_lat=48.0&geoloc_lng=+2.0+&geoloc_radius=25.2', ['here', '24.9 km', '25.1 km', 'east']],
      ['geoloc_lat=48&geoloc_lng=2&geoloc_radius=0.001', ['here']],
      ['geoloc_lat=48&geoloc_lng=2&geoloc_radius=24.8', ['here', 'east']],
      ['geoloc_lat=0&geoloc_lng=-179.9', ['line']],
      ['geoloc_lat=89.9&geoloc_lng=-90', ['pole']],
      ['geoloc_lat=10&geoloc_lng=10', []],
      [
        'geoloc_lat=48&geoloc_lng=2&geoloc_radius=20038',
        ['here', '24.9 km', '25.1 km', 'east', 'corner', 'far', 'line', 'pole'],
      ],
      ['geoloc_lat=48&geoloc_lng=2&geoloc=true', ['here', '24.9 km', 'east']],
      ['geoloc_lat=48&geoloc_lng=2&geoloc=false', []],
    ]);
  });

  test('EV-LIST-34: rejects incomplete and invalid coordinates', async () => {
    const get = (query: string) => app().client.get(`/events?${query}`);
    const [type, bounds, other] = ['rest_invalid_type', 'rest_out_of_bounds', 'rest_conflict'];
    expectRefused(await get('geoloc_lat=48'), { geoloc_lng: other });
    expectRefused(await get('geoloc_lng=48'), { geoloc_lat: other });
    expectRefused(await get('geoloc_radius=5'), { geoloc_lat: other, geoloc_lng: other });
    expectRefused(await get('geoloc_lat=91&geoloc_lng=0'), { geoloc_lat: bounds });
    expectRefused(await get('geoloc_lat=91'), { geoloc_lat: bounds, geoloc_lng: other });
    expectRefused(await get('geoloc_lat=-90.5&geoloc_lng=180.1'), { geoloc_lat: bounds, geoloc_lng: bounds });
    expectRefused(await get('geoloc_lat=x&geoloc_lng=1e1'), { geoloc_lat: type, geoloc_lng: type });
    for (const radius of ['0', '-1', '20038.1']) {
      expectRefused(await get(`geoloc_lat=1&geoloc_lng=1&geoloc_radius=${radius}`), { geoloc_radius: bounds });
    }
    expectRefused(await get('geoloc_lat=1&geoloc_lng=1&geoloc_radius='), { geoloc_radius: 'rest_empty' });
    const { body } = await get('geoloc_lat=48');
    expect(body.data.params.geoloc_lng).toBe('geoloc_lng needs a value as well.');
    expect((await get('geoloc_lat=-90&geoloc_lng=180')).status).toBe(200);
  });
});

describe('GET /events: visibility', () => {
  const app = useApp();

  test('EV-LIST-33: lists hidden events only when an editor requests them', async () => {
    const { client, tokens } = app();
    const list = await family(
      app(),
      { title: 'hidden', hide_from_listings: true, token: tokens.aut },
      { title: 'shown' },
    );
    for (const token of [undefined, ...Object.values(tokens)]) {
      expect(await list.titles('', token)).toEqual(['shown']);
      expect(await list.titles('hide_from_listings=false', token)).toEqual(['shown']);
      expect(await list.titles(`include=${list.ids.hidden}`, token)).toEqual([]);
      expect((await client.get(`/events/${list.ids.hidden}`, token)).status).toBe(200);
    }
    for (const token of [tokens.edi, tokens.adm]) {
      expect(await list.titles('hide_from_listings=true', token)).toEqual(['hidden']);
      expect(await list.titles('hide_from_listings=Yes', token)).toEqual(['hidden']);
      expect(await list.titles('hide_from_listings=Any', token)).toEqual(['hidden', 'shown']);
      expect(await list.titles('hide_from_listings=0', token)).toEqual(['shown']);
    }
    for (const token of [undefined, tokens.sub, tokens.con, tokens.aut]) {
      for (const value of ['true', 'any', '1']) {
        expectRefused(await list.list(`hide_from_listings=${value}`, token), {
          hide_from_listings: 'rest_not_allowed',
        });
      }
      expect((await list.list('hide_from_listings=no', token)).status).toBe(200);
    }
    expectRefused(await list.list('hide_from_listings='), { hide_from_listings: 'rest_empty' });
    expectRefused(await list.list('hide_from_listings=x', tokens.edi), { hide_from_listings: 'rest_not_in_enum' });
    expectRefused(await list.list('hide_from_listings[]=true', tokens.edi), { hide_from_listings: 'rest_not_in_enum' });
  });

  test('EV-LIST-35: anonymous callers and subscribers see only published events', async () => {
    const { tokens } = app();
    const list = await family(app(), { title: 'publish' }, { title: 'draft', status: 'draft' });
    for (const token of [undefined, tokens.sub]) {
      for (const words of ['', 'status=publish', 'status=PUBLISH', 'status[]=publish', 'status=publish,publish']) {
        expect(await list.titles(words, token)).toEqual(['publish']);
      }
      for (const words of ['draft', 'publish,%20draft', 'any', 'future', 'trash', 'private', 'pending']) {
        expectRefused(await list.list(`status=${words}`, token), { status: 'rest_not_allowed' });
      }
      expectRefused(await list.list('status=', token), { status: 'rest_empty' });
      expectRefused(await list.list('status=,', token), { status: 'rest_empty' });
      expectRefused(await list.list('status=foo', token), { status: 'rest_not_in_enum' });
    }
  });

  test('EV-LIST-36: editors filter by status', async () => {
    const { tokens } = app();
    const of = (status: string) => [1, 2, 3].map((n) => ({ title: `${status} ${n}`, status }));
    const list = await family(app(), ...of('publish'), ...of('draft'), ...of('private'));
    const count = async (query: string) => (await list.list(query, tokens.edi)).body.total as number;
    expect(await count('status=publish')).toBe(3);
    expect(await count('status=publish,%20draft')).toBe(6);
    expect(await count('status[]=publish&status[]=draft&status[]=private')).toBe(9);
    expect(await count('status=publish&status=Draft')).toBe(6);
    expect(await list.titles('status=private', tokens.edi)).toEqual(['private 1', 'private 2', 'private 3']);
    expectRefused(await list.list('status=foo', tokens.edi), { status: 'rest_not_in_enum' });
    expectRefused(await list.list('status=foo,%20publish', tokens.edi), { status: 'rest_not_in_enum' });
    const { body } = await list.list('status=Publish,+draft', tokens.edi);
    expect(queryOf(body.rest_url)).toContainEqual(['status', 'publish,draft']);
  });

  test('EV-LIST-37: contributors and authors see published events and their own', async () => {
    const { client, tokens } = app();
    const statuses = ['publish', 'draft', 'pending', 'private', 'trash'];
    const dated = { status: 'future', date: '2026-12-24' };
    const titled = (who: string, status: string) => `${who} ${status}`;
    for (const name of ['con', 'aut'] as const) {
      const list = await family(app());
      const make = async (who: 'con' | 'aut' | 'adm', fields: Record<string, unknown>) =>
        event(client, tokens.adm, {
          title: titled(who, fields.status as string),
          author: app().userIds[who],
          post_parent: list.parent,
          ...fields,
        });
      for (const who of ['con', 'aut', 'adm'] as const) {
        for (const status of statuses) await make(who, { status });
        await make(who, dated);
      }
      const own = ['publish', 'draft', 'pending', 'private', 'future'].map((status) => titled(name, status));
      const others = ['con', 'aut', 'adm'].filter((who) => who !== name).map((who) => titled(who, 'publish'));
      const found = await list.list('per_page=50', tokens[name]);
      expect(new Set(titlesOf(found))).toEqual(new Set([...own, ...others]));
      expect(found.body.total).toBe(7);
      expect(queryOf(found.body.rest_url)).toContainEqual(['status', 'any']);
      expect(await list.titles('status=draft', tokens[name])).toEqual([titled(name, 'draft')]);
      expect(await list.titles('status=future,private', tokens[name])).toEqual([
        titled(name, 'private'),
        titled(name, 'future'),
      ]);
      expect(await list.titles('status=trash', tokens[name])).toEqual([titled(name, 'trash')]);
    }
  });

  test('EV-LIST-38: editors see every status except trash', async () => {
    const { tokens } = app();
    const statuses = ['publish', 'draft', 'pending', 'private', 'trash'];
    const list = await family(app(), ...statuses.map((status) => ({ title: status, status })), {
      title: 'future',
      status: 'future',
      date: '2027-01-01',
    });
    const shown = ['publish', 'draft', 'pending', 'private', 'future'];
    for (const token of [tokens.edi, tokens.adm]) {
      const found = await list.list('', token);
      expect(titlesOf(found)).toEqual(shown);
      expect(queryOf(found.body.rest_url)).toContainEqual(['status', 'any']);
      expect(await list.titles('status=any', token)).toEqual(shown);
      expect(await list.titles('status=trash', token)).toEqual(['trash']);
      expect(await list.titles('status=any,trash', token)).toHaveLength(6);
    }
    const anonymous = await list.list();
    expect(queryOf(anonymous.body.rest_url)).toContainEqual(['status', 'publish']);
  });

  test('EV-LIST-39: a future event is published when its date comes', async () => {
    const { tokens } = app();
    const list = await family(app(), { title: 'due', status: 'future', date: '2026-12-01 12:00:00' });
    app().setNow('2026-12-01T11:59:59Z');
    expect(await list.titles()).toEqual([]);
    expect((await list.list('status=future', tokens.edi)).body.events).toMatchObject([
      { title: 'due', status: 'future' },
    ]);
    expect(await list.titles('status=publish', tokens.edi)).toEqual([]);
    app().setNow('2026-12-01T12:00:00Z');
    expect((await list.list()).body.events).toMatchObject([{ title: 'due', status: 'publish' }]);
    expect(await list.titles('status=future', tokens.edi)).toEqual([]);
    expect(await list.titles('status=publish', tokens.edi)).toEqual(['due']);
  });
});

describe('GET /events: password-protected events', () => {
  const app = useApp();

  test('EV-LIST-40: are blanked, and filters on blanked fields do not match them', async () => {
    const { client, tokens } = app();
    const hall = await venue(client, tokens.adm, { venue: 'Hall', geo_lat: 48, geo_lng: 2 });
    const ann = await organizer(client, tokens.adm);
    const cat = await category(client, tokens.adm, { name: 'Cat' });
    const red = await tag(client, tokens.adm, { name: 'Red' });
    const flags = Object.fromEntries(
      ['all_day', 'show_map', 'show_map_link', 'sticky', 'featured', 'ticketed'].map((name) => [name, true]),
    );
    const list = await family(app(), {
      title: 'Needle',
      token: tokens.aut,
      description: 'needle',
      excerpt: 'needle',
      cost: '5 €',
      website: 'https://x.example/',
      image: 'https://x.example/a.png',
      venue: hall.id,
      organizer: ann.id,
      categories: [cat.id],
      tags: [red.id],
      ...flags,
    });
    const id = list.ids.Needle as number;
    await client.put(`/events/${id}`, { password: 'open' }, tokens.edi);
    const full = (await list.list('', tokens.edi)).body.events[0];
    expect(full).toMatchObject({ title: 'Needle', description: '<p>needle</p>', ...flags, venue: { id: hall.id } });
    const blank = {
      ...full,
      description: '',
      excerpt: '',
      cost: '',
      website: '',
      image: false,
      all_day: null,
      show_map: null,
      show_map_link: null,
      hide_from_listings: null,
      sticky: null,
      featured: null,
      ticketed: null,
      cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
      categories: [],
      tags: [],
      venue: [],
      organizer: [],
      custom_fields: [],
    };
    const telling = [
      'search=needle',
      `venue=${hall.id}`,
      `organizer=${ann.id}`,
      `categories=${cat.id}`,
      'tags=red',
      'featured=true',
      'featured=false',
      'ticketed=true',
      'ticketed=false',
      'geoloc=true',
      'geoloc=false',
      'geoloc_lat=48&geoloc_lng=2',
    ];
    const open = [
      '',
      `include=${id}`,
      'password=open',
      'orderby=title',
      'start_date=2027-03-10',
      'hide_from_listings=false',
    ];
    for (const token of [undefined, tokens.sub, tokens.con]) {
      for (const query of open) {
        const { body } = await list.list(query, token);
        expect(body).toMatchObject({ total: 1, events: [blank] });
        expect(JSON.stringify(body.events[0])).toBe(JSON.stringify(blank));
      }
      for (const query of telling) {
        const { body } = await list.list(query, token);
        expect([query, body.total, body.events]).toEqual([query, 0, []]);
      }
    }
    for (const token of [tokens.aut, tokens.edi, tokens.adm]) {
      const matching = telling.filter((query) => !query.endsWith('false'));
      for (const query of ['', ...matching]) {
        const { body } = await list.list(query, token);
        expect([query, body.total, body.events]).toEqual([query, 1, [full]]);
      }
      expect(await list.titles('featured=false', token)).toEqual([]);
    }
    // Lists never contain the password. Lists with _fields contain no more than full ones.
    expect(JSON.stringify(full)).not.toContain('password');
    const reduced = await list.list('_fields=description,venue.venue,featured');
    expect(reduced.body.events).toEqual([{ description: '', featured: null, venue: [] }]);
  });

  test('EV-LIST-40: an author that may no longer edit an event sees it blanked', async () => {
    const { client, tokens, userIds } = app();
    const list = await family(app(), { title: 'Needle', description: 'x', author: userIds.con });
    await client.put(`/events/${list.ids.Needle}`, { password: 'open' }, tokens.edi);
    expect((await list.list('', tokens.con)).body.events).toMatchObject([{ description: '', featured: null }]);
    expect(await list.titles('search=needle', tokens.con)).toEqual([]);
    await client.put(`/events/${list.ids.Needle}`, { status: 'draft' }, tokens.edi);
    expect((await list.list('', tokens.con)).body.events).toMatchObject([{ description: '<p>x</p>', featured: false }]);
    expect(await list.titles('search=needle', tokens.con)).toEqual(['Needle']);
  });
});
