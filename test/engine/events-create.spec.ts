import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { INTERNET } from '../../src/platform/outbound/network.js';
import { ImagesService } from '../../src/platform/images/images.service.js';
import { startApp, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { category, E, event, organizer, tag, venue } from '../support/factories.js';
import { sizesOf } from '../support/image.js';
import { expectInvalid } from '../support/refusals.js';

type Body = Reply['body'];

const NOW = '2026-11-20 08:39:00';
const KEYS =
  'id global_id global_id_lineage author status date date_utc modified modified_utc url rest_url title description ' +
  'excerpt slug image all_day start_date start_date_details end_date end_date_details utc_start_date ' +
  'utc_start_date_details utc_end_date utc_end_date_details timezone timezone_abbr cost cost_details website show_map ' +
  'show_map_link hide_from_listings sticky featured categories tags venue organizer custom_fields ticketed post_parent';
const FLAGS = ['all_day', 'show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured', 'ticketed'];

let service: TestApp;
let adm: string;

const post = (fields: object, token: string | undefined = adm) =>
  service.client.post('/events', { ...E, ...fields }, token);
const make = (fields: Record<string, unknown> = {}): Promise<Body> => event(service.client, adm, fields);
const get = (path: string, token = adm) => service.client.get(path, token);
const ids = (records: { id: number }[]) => records.map(({ id }) => id);
const total = async (collection: string): Promise<number> =>
  (await get(`/${collection}?${/^(cat|tag)/.test(collection) ? 'hide_empty=false' : 'status=any'}`)).body
    .total as number;
const details = (text: string) => {
  const [year, month, day, hour, minutes, seconds] = text.split(/\D/);
  return { year, month, day, hour, minutes, seconds };
};
/** Runs `work` against a service with other settings. */
const withSettings = async (settings: Record<string, string>, work: (other: TestApp) => Promise<void>) => {
  const other = await startApp(settings);
  try {
    await work(other);
  } finally {
    await other.close();
  }
};

describe('POST /events', () => {
  beforeAll(async () => {
    service = await startApp();
    adm = service.tokens.adm;
  });

  afterAll(() => service.close());

  test('EV-NEW-01: the required fields alone create a full record with defaults', async () => {
    const { status, headers, body } = await post({});
    const { id } = body;
    const root = `http://127.0.0.1:${service.client.port}${service.client.mount}`;
    const host = `http://127.0.0.1:${service.client.port}`;
    expect(status).toBe(201);
    expect(headers.location).toBe(`${root}/events/${id}`);
    expect(headers.etag).toMatch(/^"1-/);
    expect(headers['cache-control']).toBe('private, no-store');
    expect(Object.keys(body as object)).toEqual(KEYS.split(' '));
    expect(body).toEqual({
      id: expect.any(Number),
      global_id: expect.stringMatching(`^[0-9a-f]{12}\\.kalends\\?id=${id}$`),
      global_id_lineage: [body.global_id],
      author: String(service.userIds.adm),
      status: 'publish',
      date: NOW,
      date_utc: NOW,
      modified: NOW,
      modified_utc: NOW,
      url: `${host}/event/t/`,
      rest_url: `${root}/events/${id}`,
      title: 'T',
      description: '',
      excerpt: '',
      slug: 't',
      image: false,
      all_day: false,
      start_date: '2027-03-10 10:00:00',
      start_date_details: details('2027-03-10 10:00:00'),
      end_date: '2027-03-10 12:00:00',
      end_date_details: details('2027-03-10 12:00:00'),
      utc_start_date: '2027-03-10 10:00:00',
      utc_start_date_details: details('2027-03-10 10:00:00'),
      utc_end_date: '2027-03-10 12:00:00',
      utc_end_date_details: details('2027-03-10 12:00:00'),
      timezone: 'UTC',
      timezone_abbr: 'UTC',
      cost: '',
      cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
      website: '',
      show_map: false,
      show_map_link: false,
      hide_from_listings: false,
      sticky: false,
      featured: false,
      categories: [],
      tags: [],
      venue: [],
      organizer: [],
      custom_fields: [],
      ticketed: false,
      post_parent: 0,
    });
    const { json_ld, ...read } = (await service.client.get(`/events/${id}`)).body;
    expect(read).toEqual(body);
    expect(json_ld).toMatchObject({ '@type': 'Event' });
  });

  test('EV-NEW-02: the response contains all sent fields', async () => {
    const { client, userIds } = service;
    const [parent, hall, ann] = [await make(), await venue(client, adm), await organizer(client, adm)];
    const [music, outdoor] = [
      await category(client, adm, { name: 'Music' }),
      await tag(client, adm, { name: 'Outdoor' }),
    ];
    const fields = {
      title: 'Jazz & Wine',
      start_date: '2026-12-05 20:00:00',
      end_date: '2026-12-05 23:30:00',
      description: '<p>Doors at 7.</p>\n<p>Bring friends.</p>',
      excerpt: '<p>Jazz</p>',
      slug: 'jazz-night',
      status: 'private',
      author: userIds.con,
      date: '2026-10-01 09:30:00',
      timezone: 'Europe/Paris',
      all_day: false,
      image: 'https://x.example/Poster.PNG',
      cost: '20€',
      website: 'https://jazz.example/?a=1&b=2',
      show_map: true,
      show_map_link: true,
      hide_from_listings: true,
      sticky: true,
      featured: true,
      categories: [music.id],
      tags: [outdoor.id],
      venue: [hall.id],
      organizer: [ann.id],
      ticketed: true,
      post_parent: parent.id,
    };
    const { status, body } = await post(fields);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...fields,
      author: String(userIds.con),
      date_utc: '2026-10-01 09:30:00',
      image: { url: 'https://x.example/Poster.PNG', extension: 'png' },
      utc_start_date: '2026-12-05 19:00:00',
      utc_end_date: '2026-12-05 22:30:00',
      timezone_abbr: 'CET',
      cost_details: { currency_symbol: '€', currency_code: '', currency_position: 'postfix', values: ['20'] },
      categories: [{ id: music.id, name: 'Music' }],
      tags: [{ id: outdoor.id, name: 'Outdoor' }],
      venue: { id: hall.id, venue: 'Hall' },
      organizer: [{ id: ann.id, organizer: 'Ann' }],
    });
    expect(body.venue).not.toHaveProperty('json_ld');
  });

  test('EV-NEW-02: unknown and read-only names are ignored', async () => {
    const readOnly = {
      id: 9999,
      url: 'https://evil.example/',
      rest_url: 'x',
      global_id: 'x',
      utc_start_date: '2030-01-01 00:00:00',
      start_date_details: { year: '2030' },
      timezone_abbr: 'X',
      cost_details: { values: ['1'] },
      modified: '2001-01-01 00:00:00',
      custom_fields: { a: { label: 'a', value: 'b' } },
      json_ld: { name: 'x' },
      context: 'edit',
      fbclid: { deep: [1] },
    };
    const { status, body } = await post(readOnly);
    expect(status).toBe(201);
    const { id, url, rest_url, global_id, global_id_lineage, slug, ...others } = body;
    expect(id).not.toBe(9999);
    expect([url, rest_url, global_id, global_id_lineage]).toEqual([
      expect.stringContaining(`/event/${slug}/`),
      expect.stringContaining(`/events/${id}`),
      expect.stringMatching(`^[0-9a-f]{12}\\.kalends\\?id=${id}$`),
      [global_id],
    ]);
    const plain = await make();
    expect(others).toEqual({ ...others, ...pickOthers(plain, others) });
  });

  const pickOthers = (record: Body, of: object) =>
    Object.fromEntries(Object.keys(of).map((name) => [name, record[name]]));

  test.each([
    ['author', 2323],
    ['author', ''],
    ['author', 'foo'],
    ['author', 0],
    ['author', -1],
    ['author', 1.5],
    ['author', []],
    ['date', 'foo'],
    ['date', ''],
    ['date_utc', 'foo'],
    ['date_utc', ''],
    ['date', true],
    ['website', 'foo'],
    ['status', 'foo'],
    ['status', ''],
    ['status', 'any'],
    ['status', ['publish']],
    ['timezone', 'Mars/X'],
    ['slug', '!!!'],
    ['slug', true],
    ['slug', ['a']],
    ['description', true],
    ['description', ['a']],
    ['excerpt', { a: 1 }],
    ['title', ''],
    ['start_date', ''],
    ['end_date', 'foo'],
    ['categories', [true]],
    ['tags', [[1]]],
    ['tags', [{ name: 'x' }]],
    ['post_parent', 'foo'],
    ['post_parent', -1],
    ['cost', true],
    ['cost', Array.from({ length: 51 }, (_, n) => String(n))],
    ['cost', 'x'.repeat(256)],
    ['categories', ['x'.repeat(201)]],
    ['website', `https://x.example/${'x'.repeat(2000)}`],
  ])('EV-NEW-03: %s %j is rejected', async (name, value) => {
    const before = await total('events');
    expectInvalid(await post({ [name]: value }), name);
    expect(await total('events')).toBe(before);
  });

  test('EV-NEW-03: one response names all invalid fields, in the order of the field table', async () => {
    const wrong = {
      tags: [2323],
      venue: 2323,
      website: 'foo',
      author: 2323,
      end_date: 'x',
      title: true,
      post_parent: 2323,
    };
    const reply = await post(wrong);
    expectInvalid(reply, 'title', 'end_date', 'author', 'website', 'tags', 'venue', 'post_parent');
    expect(reply.body.data.details).toMatchObject({
      title: { code: 'rest_invalid_type', message: 'title must be text.' },
      end_date: { code: 'rest_invalid_date', message: 'end_date is not a date in a supported format.' },
      author: { code: 'rest_unknown_reference', message: 'author refers to something that does not exist: 2323.' },
      website: { code: 'rest_invalid_url', message: 'website is not a valid URL.' },
      tags: { code: 'rest_unknown_reference', message: 'tags refers to something that does not exist: 2323.' },
      venue: { code: 'rest_unknown_reference', message: 'venue refers to something that does not exist: 2323.' },
      post_parent: { code: 'rest_unknown_reference' },
    });
  });

  test('EV-NEW-03: null counts as absent, and so does "" in an optional field', async () => {
    const names = KEYS.split(' ').filter((name) => !(name in E));
    const { status, body } = await post({ ...Object.fromEntries(names.map((name) => [name, null])), title: 'Nulls' });
    expect([status, body.slug, body.status, body.date, body.timezone]).toEqual([201, 'nulls', 'publish', NOW, 'UTC']);
    const optional = 'description excerpt slug timezone image cost website categories tags venue organizer post_parent';
    const empty = Object.fromEntries([...optional.split(' '), ...FLAGS].map((name) => [name, '']));
    const other = await post({ ...empty, title: 'Empty ones' });
    expect([other.status, other.body.slug, other.body.timezone]).toEqual([201, 'empty-ones', 'UTC']);
    expect(FLAGS.map((name) => other.body[name])).toEqual(FLAGS.map(() => false));
    expect(other.body).toMatchObject({ image: false, cost: '', venue: [], organizer: [], categories: [], tags: [] });
  });

  test('EV-NEW-04: date is wall time in the site zone, not in the zone of the event', async () => {
    await withSettings({ SITE_TIMEZONE: 'America/New_York' }, async ({ client, tokens }) => {
      const create = async (fields: object): Promise<string[]> => {
        const { status, body } = await client.post('/events', { ...E, ...fields }, tokens.adm);
        expect(status).toBe(201);
        return [body.date, body.date_utc, body.status];
      };
      expect(await create({ date: 'tomorrow 9am', timezone: 'Asia/Tokyo' })).toEqual([
        '2026-11-21 09:00:00',
        '2026-11-21 14:00:00',
        'future',
      ]);
      expect(await create({ date_utc: '2026-07-01 12:00:00' })).toEqual([
        '2026-07-01 08:00:00',
        '2026-07-01 12:00:00',
        'publish',
      ]);
      expect(await create({ date: '2026-01-02 03:04:05', date_utc: '2025-05-05 05:05:05' })).toEqual([
        '2026-01-02 03:04:05',
        '2026-01-02 08:04:05',
        'publish',
      ]);
      expect(await create({})).toEqual(['2026-11-20 03:39:00', '2026-11-20 08:39:00', 'publish']);
      expect(await create({ date: '2026-01-02T03:04:05Z' })).toEqual([
        '2026-01-01 22:04:05',
        '2026-01-02 03:04:05',
        'publish',
      ]);
    });
  });

  test('EV-NEW-05: the date decides between publish and future', async () => {
    const created = async (status: string, date?: string): Promise<string> =>
      (await make({ status, date, title: 'Dated' })).status as string;
    expect(await created('publish', '2026-11-20 08:39:01')).toBe('future');
    expect(await created('publish', '2026-11-20 08:39:00')).toBe('publish');
    expect(await created('future', '2020-01-01')).toBe('publish');
    expect(await created('future')).toBe('publish');
    expect(await created('future', '2030-01-01')).toBe('future');
    for (const status of ['draft', 'pending', 'private']) expect(await created(status, '2030-01-01')).toBe(status);
    expect(await created(' PUBLISH ', '2030-01-01')).toBe('future');
  });

  test('EV-NEW-05, section 4: a future event is published as soon as its date is reached', async () => {
    await withSettings({}, async (other) => {
      const { client, tokens } = other;
      const { id } = await event(client, tokens.adm, { date: '2026-11-20 09:00' });
      const seen = async () => {
        const [one, list] = [await client.get(`/events/${id}`), await client.get('/events')];
        return [one.status, one.body.code ?? one.body.status, list.body.total];
      };
      expect(await seen()).toEqual([403, 'event-not-accessible', 0]);
      other.setNow('2026-11-20T09:00:00Z');
      expect(await seen()).toEqual([200, 'publish', 1]);
    });
  });

  test('EV-NEW-06: accepts an image as URL, id or object; the same URL is one image', async () => {
    const url = 'https://x.example/a/Poster.JPG?size=1';
    const { image } = await make({ image: url });
    const sizes = sizesOf(url, { 'mime-type': 'image/jpeg' });
    expect(image).toEqual({ url, id: expect.any(Number), extension: 'jpg', sizes });
    for (const form of [url, ` ${url} `, image.id, String(image.id), image, { id: String(image.id), url: 'ignored' }]) {
      expect((await make({ image: form })).image).toEqual(image);
    }
    expect((await make({ image: 'http://x.example/other' })).image).toEqual({
      url: 'http://x.example/other',
      id: expect.any(Number),
      extension: '',
      sizes: sizesOf('http://x.example/other'),
    });
  });

  test('EV-NEW-06: 0, false, "" and null mean no image', async () => {
    for (const image of [0, '0', false, '', null]) expect((await make({ image })).image).toBe(false);
  });

  test('EV-NEW-06: rejects values that are not an image', async () => {
    const wrong = ['foo bar', 2323, '2323', -1, 'ftp://x.example/a.png', '//x.example/a.png', 'data:image/png,x', true];
    for (const image of [...wrong, {}, { url: 'https://x.example/a.png' }, { id: 2323 }, [1], 1.5]) {
      expectInvalid(await post({ image }), 'image');
    }
  });

  describe('EV-NEW-07 with IMAGE_PROBE', () => {
    const GIF = Buffer.from('R0lGODlhQAHIAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=', 'base64');
    const server = createServer((request, response) => {
      if (request.url === '/gone.gif') response.statusCode = 404;
      if (request.url === '/moved.gif') response.setHeader('Location', '/a.gif').statusCode = 302;
      response.setHeader('Content-Type', request.url === '/page' ? 'text/html' : 'image/gif').end(GIF);
    });
    let probing: TestApp;
    let origin: string;

    beforeAll(async () => {
      probing = await startApp({ IMAGE_PROBE: 'on' });
      probing.app.get(ImagesService).network = { resolve: () => Promise.resolve(['127.0.0.1']), permits: () => true };
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      origin = `http://images.example:${(server.address() as AddressInfo).port}`;
    });

    afterAll(async () => {
      await probing.close();
      await new Promise((resolve) => server.close(resolve));
    });

    const send = (image: string, fields: object = {}) =>
      probing.client.post('/events', { ...E, image, ...fields }, probing.tokens.adm);

    test('EV-NEW-07: an image is measured', async () => {
      const url = `${origin}/a.gif`;
      const { status, body } = await send(url);
      expect(status).toBe(201);
      expect(body.image).toEqual({
        url,
        id: expect.any(Number),
        extension: 'gif',
        width: 320,
        height: 200,
        filesize: GIF.length,
        sizes: sizesOf(url, { width: 320, height: 200, 'mime-type': 'image/gif' }),
      });
    });

    test('EV-NEW-07: HTML, errors, redirects and a closed port are rejected, with other invalid fields', async () => {
      for (const path of ['/page', '/gone.gif', '/moved.gif']) expectInvalid(await send(origin + path), 'image');
      expectInvalid(await send('http://images.example:1/a.gif'), 'image');
      expectInvalid(await send(`${origin}/page`, { end_date: 'x' }), 'end_date', 'image');
      const inline = { organizer: 'Ann', image: `${origin}/page` };
      expectInvalid(await probing.client.post('/events', { ...E, organizer: inline }, probing.tokens.adm), 'organizer');
      expect((await probing.client.get('/organizers?status=any', probing.tokens.adm)).body.total).toBe(0);
    });

    test('EV-NEW-07: private addresses and unknown hosts are rejected', async () => {
      const images = probing.app.get(ImagesService);
      const { network } = images;
      try {
        images.network = { ...INTERNET, resolve: network.resolve };
        expectInvalid(await send(`${origin}/b.gif`), 'image');
        images.network = { ...network, resolve: () => Promise.reject(new Error('unknown host')) };
        expectInvalid(await send(`${origin}/b.gif`), 'image');
      } finally {
        images.network = network;
      }
      expect((await send(`${origin}/b.gif`)).status).toBe(201);
    });
  });

  test.each(FLAGS)('EV-NEW-08: %s accepts every form of a boolean', async (name) => {
    for (const value of [true, 'yes', 1, 'on', 'TRUE', '1', ' On ']) {
      expect((await make({ [name]: value }))[name]).toBe(true);
    }
    for (const value of [false, 'false', 'no', 0, 'off', '0', null, '']) {
      expect((await make({ [name]: value }))[name]).toBe(false);
    }
    for (const value of ['maybe', 2, {}, [true]]) expectInvalid(await post({ [name]: value }), name);
  });

  /** Venues and organizers are linked by the same forms; a single venue is shown as an object. */
  describe.each([
    ['venue', 'venues', 'Hall'],
    ['organizer', 'organizers', 'Ann'],
  ] as const)('%s', (field, collection, name) => {
    const factory = field === 'venue' ? venue : organizer;
    const record = (title: string): Promise<Body> => factory(service.client, adm, { [field]: title });
    const linked = async (value: unknown): Promise<Body[]> => [await make({ [field]: value })].flatMap((e) => e[field]);

    test('EV-NEW-09, EV-NEW-11: links ids of every form, in the given order, without duplicates', async () => {
      const [a, b] = [await record(`${name} A`), await record(`${name} B`)];
      for (const one of [
        a.id,
        String(a.id),
        { id: a.id },
        [a.id],
        [{ id: String(a.id), city: 'ignored' }],
        `${a.id},`,
      ]) {
        const { id } = await make({ [field]: one });
        const shown = (await service.client.get(`/events/${id}`)).body[field];
        expect(ids([shown].flat())).toEqual([a.id]);
        expect(Array.isArray(shown)).toBe(field === 'organizer');
      }
      const both = [`${b.id},${a.id}`, ` ${b.id} , ${a.id} `, [b.id, a.id], [b.id, { id: a.id }, String(b.id), a.id]];
      for (const form of both) expect(ids(await linked(form))).toEqual([b.id, a.id]);
      const event = await make({ [field]: [b.id, a.id] });
      expect(Array.isArray(event[field])).toBe(true);
    });

    test('EV-NEW-10, EV-NEW-11: creates records from inline data, also in a list with ids', async () => {
      const five = await record(`${name} five`);
      const inline = {
        [field]: `${name} Здесь 東京 & Söhne`,
        description: 'Big',
        phone: '+1 555',
        website: 'https://h.example/ü',
      };
      const [made] = await linked(inline);
      expect(made).toMatchObject({ ...inline, description: '<p>Big</p>', status: 'publish' });
      expect((await get(`/${collection}/${made.id}`)).body).toMatchObject({ id: made.id, [field]: inline[field] });
      const list = await linked([{ [field]: `${name} new` }, { id: five.id }, null, '', { [field]: `${name} last` }]);
      expect(list.map((one) => one[field])).toEqual([`${name} new`, `${name} five`, `${name} last`]);
    });

    test('EV-NEW-09: empty values link nothing', async () => {
      for (const nothing of ['', 0, '0', null, [], [''], [null], ' , ']) expect(await linked(nothing)).toEqual([]);
    });

    test('EV-NEW-12: rejects values that cannot be linked', async () => {
      const trashed = await record(`${name} trashed`);
      await service.client.delete(`/${collection}/${trashed.id}`, adm);
      const count = await total(collection);
      const bad = [
        2323,
        'Some hall',
        { city: 'X' },
        {},
        trashed.id,
        -1,
        1.5,
        true,
        [[1]],
        '5,Some hall',
        [{ id: 'x' }],
      ];
      for (const value of bad) expectInvalid(await post({ [field]: value }), field);
      expect(await total(collection)).toBe(count);
    });

    test('EV-NEW-12: reports an invalid inline member under its field, with its path', async () => {
      const escaped = (place: string) => new RegExp(`^${field}${place.replace(/[[\].]/g, '\\$&')} `);
      const text = async (value: unknown): Promise<string> => {
        const reply = await post({ [field]: value });
        expectInvalid(reply, field);
        return reply.body.data.params[field] as string;
      };
      const bad = { [field]: 'N', website: 'foo' };
      expect(await text([bad])).toMatch(escaped('[0].website'));
      expect(await text([{ [field]: 'M' }, bad])).toMatch(escaped('[1].website'));
      expect(await text(bad)).toBe(`${field}.website is not a valid URL.`);
      expect(await text({ [field]: 'N', author: 2323 })).toMatch(escaped('.author'));
      expect(await text({ [field]: 'N', image: 2323 })).toMatch(escaped('.image'));
      expect(await text({ [field]: 'N', status: 'foo' })).toMatch(escaped('.status'));
      expect(await text({ [field]: 'x'.repeat(501) })).toBe(
        `${field}.${field} must not be longer than 500 characters.`,
      );
      expect(await text({ [field]: '<b></b>' })).toBe(`${field}.${field} must not be empty.`);
      expect(await text([{ city: 'X' }])).toMatch(escaped(`[0].${field}`));
    });

    test('EV-NEW-14: inline data equal to a stored record reuse it; duplicates create one record', async () => {
      const stored = await factory(service.client, adm, {
        [field]: `${name} once`,
        phone: '1',
        website: 'https://a.example/',
      });
      const [same] = await linked({ [field]: `${name} ONCE`, phone: '1' });
      expect(same).toEqual(stored);
      const [other] = await linked({ [field]: `${name} once`, phone: '2' });
      expect(other.id).not.toBe(stored.id);
      const twice = await linked([{ [field]: `${name} twin` }, { [field]: `${name} twin` }]);
      expect(twice).toHaveLength(1);
    });
  });

  test('EV-NEW-10: the response contains all fields of an inline venue', async () => {
    const hall = {
      venue: 'Grand Hall',
      address: '1 Main St',
      city: 'Łódź',
      country: 'Polska',
      province: 'Łódzkie',
      zip: '62701',
      stateprovince: 'X',
      show_map: false,
      show_map_link: false,
      geo_lat: 51.77,
      geo_lng: 19.46,
    };
    expect((await make({ venue: hall })).venue).toMatchObject(hall);
    expect((await make({ venue: { ...hall, city: 'Warszawa' } })).venue.city).toBe('Warszawa');
  });

  test('EV-NEW-13: creates nothing if an inline organizer or venue is invalid', async () => {
    const before = [await total('events'), await total('venues'), await total('organizers')];
    const bad = { organizer: 'New Ann', email: 'foo' };
    expectInvalid(await post({ venue: { venue: 'New hall' }, organizer: bad }), 'organizer');
    expectInvalid(
      await post({ venue: { venue: 'New hall', website: 'x' }, organizer: { organizer: 'New Ann' } }),
      'venue',
    );
    expect([await total('events'), await total('venues'), await total('organizers')]).toEqual(before);
  });

  describe.each([
    ['categories', category],
    ['tags', tag],
  ] as const)('%s', (field, factory) => {
    const term = (fields: Record<string, unknown>): Promise<Body> => factory(service.client, adm, fields);
    const names = async (value: unknown): Promise<string[]> =>
      (await make({ [field]: value }))[field].map(({ name }: Body) => name as string);

    test('EV-NEW-15: links terms by id, slug and name, and creates unknown names', async () => {
      const one = await term({ name: `One of ${field}` });
      const count = await total(field);
      const made = await make({ [field]: [one.id, 'Cat2, with comma'] });
      expect(made[field]).toMatchObject([
        { name: 'Cat2, with comma', slug: 'cat2-with-comma', count: 1 },
        { id: one.id, name: `One of ${field}`, count: 1 },
      ]);
      expect(await total(field)).toBe(count + 1);
      expect(await names('cat1, cat2')).toEqual(['cat1', 'cat2']);
      expect(await names(['CAT1', 'cat1', 'Cat3'])).toEqual(['cat1', 'Cat3']);
      expect(await total(field)).toBe(count + 4);
      expect(await names('<b>Bold</b> &amp; more')).toEqual(['Bold &amp; more']);
    });

    test('EV-NEW-15: empty values link nothing, and unknown ids are rejected', async () => {
      for (const nothing of ['', [], null, [''], ' , ']) expect(await names(nothing)).toEqual([]);
      const count = await total(field);
      for (const unknown of [2323, [2323], '2323', { id: 2323 }, 0, -1]) {
        expectInvalid(await post({ [field]: unknown }), field);
      }
      const reply = await post({ [field]: ['Brand new', 2323] });
      expectInvalid(reply, field);
      expect(reply.body.data.params[field]).toBe(`${field} refers to something that does not exist: 2323.`);
      expect(await total(field)).toBe(count);
    });

    test('EV-NEW-16: text matches a slug, then a name, lowest id first; digits must match an id or name', async () => {
      const outdoor = await term({ name: `Outdoor of ${field}`, slug: `open-air-${field}` });
      const year = await term({ name: `2024${field.length}` });
      const by = async (...items: unknown[]) => ids((await make({ [field]: items }))[field] as Body[]);
      expect(await by(`OUTDOOR OF ${field}`)).toEqual([outdoor.id]);
      expect(await by(`Open-Air-${field}`)).toEqual([outdoor.id]);
      expect(await by({ id: outdoor.id })).toEqual([outdoor.id]);
      expect(await by(outdoor)).toEqual([outdoor.id]);
      expect(await by(String(outdoor.id), outdoor.id, outdoor.slug)).toEqual([outdoor.id]);
      expect(await by(`2024${field.length}`)).toEqual([year.id]);
      expectInvalid(await post({ [field]: ['2026'] }), field);
      expectInvalid(await post({ [field]: [20248, 20244] }), field);
    });

    test('EV-NEW-15: an id of the other taxonomy is unknown', async () => {
      const other = field === 'tags' ? category : tag;
      const { id } = await other(service.client, adm, { name: `Not of ${field}` });
      expectInvalid(await post({ [field]: [id] }), field);
    });
  });

  test('EV-NEW-17: a password on create is ignored', async () => {
    const { id } = await make({ password: 'secret', title: 'Open' });
    const { status, body } = await service.client.get(`/events/${id}`);
    expect([status, body.title]).toEqual([200, 'Open']);
    expect((await post({ password: 'x'.repeat(1000) })).status).toBe(201);
  });

  test('EV-NEW-18: an event can be created in the trash and restored', async () => {
    const { status, body, headers } = await post({ title: 'Trashed at birth', status: 'trash' });
    expect([status, body.status, body.slug]).toEqual([201, 'trash', 'trashed-at-birth__trashed']);
    expect(headers.location).toMatch(new RegExp(`/events/${body.id}$`));
    expect((await service.client.get(`/events/${body.id}`)).body.code).toBe('event-no-longer-available');
    const restored = await service.client.put(`/events/${body.id}`, { status: 'publish' }, adm);
    expect(restored.body).toMatchObject({ status: 'publish', slug: 'trashed-at-birth' });
    expect((await post({ title: '!!!', status: 'trash' })).body.slug).toMatch(/^\d+__trashed$/);
  });

  test('EV-NEW-18: a contributor may create an event in the trash, update, restore and delete it', async () => {
    const { con } = service.tokens;
    const { status, body } = await post({ title: 'By con', status: 'trash' }, con);
    expect([status, body.status, body.slug]).toEqual([201, 'trash', 'by-con__trashed']);
    const renamed = await service.client.put(`/events/${body.id}`, { title: 'Renamed' }, con);
    expect([renamed.status, renamed.body.title, renamed.body.status]).toEqual([200, 'Renamed', 'trash']);
    const restored = await service.client.put(`/events/${body.id}`, { status: 'draft' }, con);
    expect([restored.status, restored.body.status, restored.body.slug]).toEqual([200, 'draft', 'by-con']);
    const gone = await service.client.delete(`/events/${body.id}?force=true`, con);
    expect([gone.status, gone.body.deleted]).toEqual([200, true]);
  });

  test('EV-NEW-18: a draft has a slug and dates', async () => {
    const body = await make({ title: 'Some draft', status: 'draft' });
    expect(body).toMatchObject({ status: 'draft', slug: 'some-draft', date: NOW, date_utc: NOW, modified: NOW });
    expect(JSON.stringify(body)).not.toContain('0000-00-00');
  });

  test('EV-NEW-19: post_parent accepts the id of an event, and rejects unknown ids', async () => {
    const parent = await make();
    for (const form of [parent.id, String(parent.id)]) {
      expect((await make({ post_parent: form, title: 'Child' })).post_parent).toBe(parent.id);
    }
    const list = await service.client.get(`/events?post_parent=${parent.id}`);
    expect(list.body.events.map(({ title }: Body) => title as string)).toEqual(['Child', 'Child']);
    expect((await make({ post_parent: 0 })).post_parent).toBe(0);
    for (const post_parent of [2323, 'foo']) expectInvalid(await post({ post_parent }), 'post_parent');
  });

  test('EV-NEW-19, 7.3: a parent that the caller may not read counts as unknown', async () => {
    const { id } = await make({ status: 'private' });
    expectInvalid(await post({ post_parent: id }, service.tokens.aut), 'post_parent');
    expect((await post({ post_parent: id }, service.tokens.edi)).status).toBe(201);
  });

  test('DATE-12, DATE-13: rejects an end before the start; all_day widens to whole days', async () => {
    const reply = await post({ start_date: '2027-03-10 10:00', end_date: '2027-03-10 09:59' });
    expectInvalid(reply, 'end_date');
    expect(reply.body.data.params.end_date).toBe('end_date must not be before start_date.');
    expect((await post({ end_date: E.start_date })).status).toBe(201);
    expect(await make({ all_day: true, timezone: 'Europe/Paris' })).toMatchObject({
      start_date: '2027-03-10 00:00:00',
      end_date: '2027-03-10 23:59:59',
      utc_start_date: '2027-03-09 23:00:00',
      utc_end_date: '2027-03-10 22:59:59',
    });
  });

  test('EV-NEW-03: the response of a create equals that of a later read', async () => {
    const first = await category(service.client, adm, { name: 'Zeta' });
    const second = await category(service.client, adm, { name: 'Alpha', parent: first.id });
    const bodies: Record<string, unknown>[] = [
      { title: 'Same name', excerpt: 'Same' },
      { title: 'Same name', slug: 'same-name' },
      { title: '☕ \ud800', website: 'https://x.example/\ud800', description: 'a \udfff b', cost: ['10', '€ 5,50'] },
      { title: '☕', slug: '1234567' },
      { title: 'In the trash', status: 'trash', image: 'https://x.example/a.png' },
      { title: 'Later', date_utc: '2099-01-01 10:00:00', status: 'publish', password: 'secret', featured: true },
      {
        title: 'Linked',
        categories: [first.id, second.id, 'Made here'],
        tags: ['Zz', 'Aa', 'zz'],
        venue: [{ venue: 'Second hall' }, { venue: 'First hall', image: 'https://x.example/b.png' }],
        organizer: [{ organizer: 'Zed' }, { organizer: 'Amy', status: 'trash' }, { organizer: 'Zed' }],
        image: 'https://x.example/a.png',
        timezone: 'Europe/Paris',
      },
    ];
    for (const body of bodies) {
      const made = await make(body);
      expect(withoutJsonLd((await get(`/events/${made.id}`)).body)).toEqual(made);
    }
    expect((await make(bodies.at(-1))).venue).toHaveLength(2);
  });
});

/** Removes `json_ld` at any depth, because only the read of a single record contains it. */
function withoutJsonLd(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutJsonLd);
  if (typeof value !== 'object' || value === null) return value;
  const { json_ld: _, ...rest } = value as Record<string, unknown>;
  return Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, withoutJsonLd(member)]));
}
