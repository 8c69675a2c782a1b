import type { Reply } from '../support/client.js';
import { expectRefused, family, useApp } from '../support/events.js';
import { event, organizer, venue } from '../support/factories.js';

/** Both routes of a record. */
const routes = ({ id, slug }: { id: number; slug: string }) => [`/events/${id}`, `/events/by-slug/${slug}`];

const expectError = (reply: Reply, status: number, code: string, message: string) => {
  expect([reply.status, reply.body]).toEqual([status, { code, message, data: { status } }]);
};
const NOT_ACCESSIBLE = [403, 'event-not-accessible', 'The requested event is not accessible'] as const;
const TRASHED = [403, 'event-no-longer-available', 'This event is no longer available'] as const;
const PROTECTED = [
  403,
  'event-password-protected',
  'The requested event is not accessible without a password',
] as const;

describe('GET /events/{id}, GET /events/by-slug/{slug}: the record', () => {
  const app = useApp({ SITE_URL: 'https://example.com/site', SITE_TIMEZONE: 'America/New_York' });

  test('EV-GET-01, EV-GET-04: returns all fields of an event in order, by id and by slug', async () => {
    const { client, tokens, userIds } = app();
    const root = `http://127.0.0.1:${client.port}/calendar/events/v1`;
    const parent = await event(client, tokens.adm, { title: 'Parent' });
    const made = await event(client, tokens.adm, {
      title: 'Jazz & Wine',
      description: 'Doors at 7.\n\nBring friends.',
      excerpt: 'Jazz &amp; <b>more</b>',
      slug: 'Jazz & Wein',
      author: userIds.aut,
      date: '2026-11-20 03:30',
      timezone: 'europe/paris',
      start_date: '2026-12-05 20:00',
      end_date: '2026-12-05 23:30',
      image: 'https://x.example/a.PNG',
      cost: '20€',
      website: 'https://jazz.example/?a=1&b=2',
      show_map: true,
      show_map_link: true,
      hide_from_listings: true,
      sticky: true,
      featured: true,
      ticketed: true,
      categories: ['Music'],
      tags: ['Red'],
      venue: { venue: 'Blue Room', city: 'Lyon', country: 'France', image: 'https://x.example/b.jpg' },
      organizer: [{ organizer: 'Bob', email: 'bob@example.com', website: 'https://bob.example/' }],
      post_parent: parent.id,
    });
    const url = 'https://example.com/site/event/jazz-wein/';
    const details = (text: string) => {
      const [year, month, day, hour, minutes, seconds] = text.split(/\D/);
      return { year, month, day, hour, minutes, seconds };
    };
    const term = (name: string, kind: 'category' | 'tag', id: number) => {
      const collection = kind === 'category' ? 'categories' : 'tags';
      const page = kind === 'category' ? 'events/category' : 'tag';
      return {
        id,
        count: 1,
        description: '',
        name,
        slug: name.toLowerCase(),
        taxonomy: kind === 'category' ? 'tribe_events_cat' : 'post_tag',
        parent: 0,
        meta: [],
        url: `https://example.com/site/${page}/${name.toLowerCase()}/`,
        urls: { self: `${root}/${collection}/${id}`, collection: `${root}/${collection}` },
        term_group: 0,
        term_taxonomy_id: id,
        filter: 'raw',
      };
    };
    const times = {
      date: '2026-11-20 03:39:00',
      date_utc: '2026-11-20 08:39:00',
      modified: '2026-11-20 03:39:00',
      modified_utc: '2026-11-20 08:39:00',
    };
    const place = {
      '@type': 'Place',
      name: 'Blue Room',
      description: '',
      image: 'https://x.example/b.jpg',
      url: 'https://example.com/site/venue/blue-room/',
      address: { '@type': 'PostalAddress', addressLocality: 'Lyon', addressCountry: 'France' },
      telephone: '',
      sameAs: '',
    };
    const person = {
      '@type': 'Person',
      name: 'Bob',
      description: '',
      url: 'https://bob.example/',
      telephone: '',
      email: 'bob@example.com',
      sameAs: 'https://bob.example/',
    };
    const expected = {
      id: made.id,
      global_id: `example.com/site?id=${made.id}`,
      global_id_lineage: [`example.com/site?id=${made.id}`],
      author: String(userIds.aut),
      status: 'publish',
      ...times,
      date: '2026-11-20 03:30:00',
      date_utc: '2026-11-20 08:30:00',
      url,
      rest_url: `${root}/events/${made.id}`,
      title: 'Jazz & Wine',
      description: '<p>Doors at 7.</p>\n<p>Bring friends.</p>',
      excerpt: '<p>Jazz &amp; <b>more</b></p>',
      slug: 'jazz-wein',
      image: { ...made.image, url: 'https://x.example/a.PNG', extension: 'png' },
      all_day: false,
      start_date: '2026-12-05 20:00:00',
      start_date_details: details('2026-12-05 20:00:00'),
      end_date: '2026-12-05 23:30:00',
      end_date_details: details('2026-12-05 23:30:00'),
      utc_start_date: '2026-12-05 19:00:00',
      utc_start_date_details: details('2026-12-05 19:00:00'),
      utc_end_date: '2026-12-05 22:30:00',
      utc_end_date_details: details('2026-12-05 22:30:00'),
      timezone: 'Europe/Paris',
      timezone_abbr: 'CET',
      cost: '20€',
      cost_details: { currency_symbol: '€', currency_code: '', currency_position: 'postfix', values: ['20'] },
      website: 'https://jazz.example/?a=1&b=2',
      show_map: true,
      show_map_link: true,
      hide_from_listings: true,
      sticky: true,
      featured: true,
      categories: [term('Music', 'category', made.categories[0].id as number)],
      tags: [term('Red', 'tag', made.tags[0].id as number)],
      venue: {
        id: made.venue.id,
        author: String(userIds.adm),
        status: 'publish',
        ...times,
        url: 'https://example.com/site/venue/blue-room/',
        venue: 'Blue Room',
        slug: 'blue-room',
        image: { ...made.venue.image, url: 'https://x.example/b.jpg', extension: 'jpg' },
        city: 'Lyon',
        country: 'France',
        json_ld: place,
        show_map: true,
        show_map_link: true,
        global_id: `example.com/site/venue?id=${made.venue.id}`,
        global_id_lineage: [`example.com/site/venue?id=${made.venue.id}`],
      },
      organizer: [
        {
          id: made.organizer[0].id,
          author: String(userIds.adm),
          status: 'publish',
          ...times,
          url: 'https://example.com/site/organizer/bob/',
          organizer: 'Bob',
          slug: 'bob',
          website: 'https://bob.example/',
          email: 'bob@example.com',
          json_ld: person,
          global_id: `example.com/site/organizer?id=${made.organizer[0].id}`,
          global_id_lineage: [`example.com/site/organizer?id=${made.organizer[0].id}`],
        },
      ],
      custom_fields: [],
      json_ld: {
        '@context': 'http://schema.org',
        '@type': 'Event',
        name: 'Jazz & Wine',
        description: 'Jazz & more',
        image: 'https://x.example/a.PNG',
        url,
        eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
        eventStatus: 'https://schema.org/EventScheduled',
        startDate: '2026-12-05T20:00:00+01:00',
        endDate: '2026-12-05T23:30:00+01:00',
        location: place,
        organizer: person,
        offers: {
          '@type': 'Offer',
          price: '20',
          priceCurrency: 'EUR',
          url,
          category: 'primary',
          availability: 'inStock',
          validFrom: '2026-11-20T08:30:00+00:00',
        },
        performer: 'Organization',
      },
      ticketed: true,
      post_parent: parent.id,
    };
    const byId = await client.get(`/events/${made.id}`);
    expect(byId.status).toBe(200);
    expect(byId.body).toEqual(expected);
    // Compared as text because toEqual ignores the order of members.
    expect(byId.text).toBe(JSON.stringify(expected));
    const bySlug = await client.get('/events/by-slug/jazz-wein');
    expect([bySlug.status, bySlug.text, bySlug.headers.etag]).toEqual([200, byId.text, byId.headers.etag]);
    expect((await client.get('/events/by-slug/JAZZ-Wein/')).text).toBe(byId.text);
    expect((await client.get(`/events/000${made.id}`)).text).toBe(byId.text);
  });

  test('EV-GET-02: returns default values for an event without optional fields', async () => {
    const { client, tokens } = app();
    const { id } = await event(client, tokens.adm, { title: 'Bare', timezone: null, post_parent: null });
    const { body } = await client.get(`/events/${id}`);
    expect(body).toMatchObject({
      description: '',
      excerpt: '',
      image: false,
      all_day: false,
      cost: '',
      cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
      website: '',
      show_map: false,
      show_map_link: false,
      hide_from_listings: false,
      sticky: false,
      featured: false,
      ticketed: false,
      venue: [],
      organizer: [],
      categories: [],
      tags: [],
      custom_fields: [],
      post_parent: 0,
      timezone: 'America/New_York',
      timezone_abbr: 'EST',
    });
    expect(body.json_ld).not.toHaveProperty('image');
    expect(body.json_ld).not.toHaveProperty('location');
    expect(body.json_ld).not.toHaveProperty('organizer');
    expect(body.json_ld).not.toHaveProperty('offers');
    expect(body.json_ld).toMatchObject({ description: '', performer: 'Organization' });
    expect(Object.values(body as object)).not.toContain(null);
  });

  test('EV-GET-01: returns each flag under its own name', async () => {
    const { client, tokens } = app();
    const flags = ['all_day', 'show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured', 'ticketed'];
    for (const flag of flags) {
      const { id } = await event(client, tokens.adm, { title: flag, [flag]: true });
      const { body } = await client.get(`/events/${id}`);
      expect(flags.filter((name) => body[name] !== false)).toEqual([flag]);
      expect(body[flag]).toBe(true);
    }
  });

  test('EV-GET-03, EV-GET-10: returns one venue as an object, several venues and organizers in order', async () => {
    const { client, tokens } = app();
    const ids = async (create: typeof venue, name: string) => {
      const made: number[] = [];
      for (const title of ['B', 'A', 'C'])
        made.push((await create(client, tokens.adm, { [name]: title })).id as number);
      return made as [number, number, number];
    };
    const [v1, v2, v3] = await ids(venue, 'venue');
    const [o1, o2, o3] = await ids(organizer, 'organizer');
    const categories = ['pear', 'Éclair', 'apple', 'Zoo'];
    const made = await event(client, tokens.adm, { venue: v1, organizer: o1, categories, tags: categories });
    const read = async () => (await client.get(`/events/${made.id}`)).body;
    const names = (terms: { name: string }[]) => terms.map(({ name }) => name);
    const first = await read();
    expect(first.venue).toMatchObject({ id: v1, venue: 'B' });
    expect(first.organizer).toMatchObject([{ id: o1 }]);
    // Terms are sorted case-insensitively; é sorts after z.
    expect(names(first.categories)).toEqual(['apple', 'pear', 'Zoo', 'Éclair']);
    expect(names(first.tags)).toEqual(['apple', 'pear', 'Zoo', 'Éclair']);
    await client.put(`/events/${made.id}`, { venue: [v3, v1, v2], organizer: [o3, o1, o2] }, tokens.adm);
    const second = await read();
    expect(second.venue).toMatchObject([{ id: v3 }, { id: v1 }, { id: v2 }]);
    expect(second.organizer).toMatchObject([{ id: o3 }, { id: o1 }, { id: o2 }]);
    expect(second.json_ld).toMatchObject({ location: { name: 'C' }, organizer: { name: 'C' } });
    await client.put(`/events/${made.id}`, { venue: [v2, v3] }, tokens.adm);
    expect((await read()).venue).toMatchObject([{ id: v2 }, { id: v3 }]);
  });

  test('EV-GET-11: json_ld offers the lowest price with its currency', async () => {
    const { client, tokens } = app();
    const cases: [unknown, { price: string; priceCurrency: string } | undefined][] = [
      ['20', { price: '20', priceCurrency: 'USD' }],
      ['5,50 € - 9 €', { price: '5.50', priceCurrency: 'EUR' }],
      ['£3.50 - £9', { price: '3.50', priceCurrency: 'GBP' }],
      ["CHF 1'000", { price: '1000', priceCurrency: 'CHF' }],
      ['120 kr', { price: '120', priceCurrency: 'USD' }],
      ['Free', { price: '0', priceCurrency: 'USD' }],
      ['0.00', { price: '0', priceCurrency: 'USD' }],
      [['Free', '10'], { price: '0', priceCurrency: 'USD' }],
      ['from 10 €', { price: '10', priceCurrency: 'USD' }],
      ['Donation', undefined],
      ['', undefined],
    ];
    for (const [cost, offer] of cases) {
      const { id } = await event(client, tokens.adm, { cost });
      const { offers } = (await client.get(`/events/${id}`)).body.json_ld;
      expect([cost, offers && { price: offers.price, priceCurrency: offers.priceCurrency }]).toEqual([cost, offer]);
    }
  });

  test('EV-GET-11: json_ld contains times with their UTC offset and texts without HTML', async () => {
    const { client, tokens } = app();
    const { id } = await event(client, tokens.adm, {
      title: 'A < B & C',
      excerpt: '<p>1 &lt; 2 <b>and</b></p><p>more&nbsp;&amp; more</p>',
      timezone: 'Europe/Paris',
      start_date: '2027-10-31T00:30:00Z',
      end_date: '2027-10-31T01:30:00Z',
    });
    const { json_ld, start_date, end_date } = (await client.get(`/events/${id}`)).body;
    // The same local time twice, one hour apart, because daylight saving time ends in between.
    expect([start_date, end_date]).toEqual(['2027-10-31 02:30:00', '2027-10-31 02:30:00']);
    expect(json_ld).toMatchObject({
      name: 'A < B & C',
      startDate: '2027-10-31T02:30:00+02:00',
      endDate: '2027-10-31T02:30:00+01:00',
    });
    expect(json_ld.description).not.toMatch(/[<>]p|&amp;|&lt;/);
    expect(json_ld.description).toContain('1 < 2 and');
    const fixed = await event(client, tokens.adm, { timezone: 'UTC-5:30' });
    expect((await client.get(`/events/${fixed.id}`)).body.json_ld.startDate).toBe('2027-03-10T10:00:00-05:30');
  });

  test('EV-GET-12: context, unknown and unneeded parameters are ignored', async () => {
    const { client, tokens } = app();
    const made = await event(client, tokens.adm);
    for (const path of routes(made)) {
      const plain = await client.get(path);
      for (const query of ['context=edit', 'context=&foo[]=1', 'id=7&slug=x', 'password=unneeded']) {
        const { status, text } = await client.get(`${path}?${query}`);
        expect([query, status, text]).toEqual([query, 200, plain.text]);
      }
    }
  });

  test('ERR-10: returns 404 for an event that does not exist', async () => {
    const { client, tokens } = app();
    for (const token of [undefined, tokens.adm]) {
      for (const id of ['0', '999999', '9007199254740991']) {
        const message = `Event with ID ${id} does not exist.`;
        expectError(await client.get(`/events/${id}`, token), 404, 'rest-event-not-found', message);
      }
      for (const id of ['99999999999999999999', '9'.repeat(400)]) {
        const { status, body } = await client.get(`/events/${id}`, token);
        expect([status, body.code]).toEqual([404, 'rest-event-not-found']);
      }
      const bySlug = await client.get('/events/by-slug/no%20w%C3%A9re', token);
      expectError(bySlug, 404, 'rest-event-not-found', 'Event with slug "no wére" does not exist.');
    }
    const { id } = await venue(client, tokens.adm, { venue: 'Not an event', slug: 'not-an-event' });
    expect(id).toBeGreaterThan(0);
    expect((await client.get('/events/by-slug/not-an-event')).status).toBe(404);
  });
});

describe('GET /events/{id}, GET /events/by-slug/{slug}: read access', () => {
  const app = useApp();

  test.each([
    ['draft', {}],
    ['pending', {}],
    ['private', {}],
    ['future', { date: '2026-12-24' }],
  ])('EV-GET-05: returns a %s event only to its author, editors and administrators', async (status, fields) => {
    const { client, tokens, userIds } = app();
    const other = await app().newUser('contributor');
    for (const owner of ['con', 'aut', 'adm'] as const) {
      const made = await event(client, tokens.adm, { title: status, status, ...fields, author: userIds[owner] });
      expect(made.status).toBe(status);
      for (const path of routes(made)) {
        for (const token of [undefined, tokens.sub, other.token]) {
          expectError(await client.get(path, token), ...NOT_ACCESSIBLE);
        }
        for (const token of [tokens[owner], tokens.edi, tokens.adm]) {
          expect((await client.get(path, token)).body).toMatchObject({ id: made.id, status });
        }
      }
    }
    // A subscriber may not read even its own event, because the role may not write any.
    const made = await event(client, tokens.adm, { title: 'of sub', status, ...fields, author: userIds.sub });
    expectError(await client.get(`/events/${made.id}`, tokens.sub), ...NOT_ACCESSIBLE);
  });

  test('EV-GET-05, EV-LIST-39: a future event becomes public at its date', async () => {
    const { client, tokens } = app();
    const made = await event(client, tokens.adm, { title: 'due', date: '2026-12-01 12:00' });
    app().setNow('2026-12-01T11:59:59Z');
    for (const path of routes(made)) expectError(await client.get(path), ...NOT_ACCESSIBLE);
    app().setNow('2026-12-01T12:00:00Z');
    for (const path of routes(made)) expect((await client.get(path)).body).toMatchObject({ status: 'publish' });
  });

  test('EV-GET-06: returns a trashed event only to callers with write access to it', async () => {
    const { client, tokens } = app();
    const made = await event(client, tokens.aut, { title: 'Gone' });
    await client.delete(`/events/${made.id}`, tokens.aut);
    expect((await client.get('/events/by-slug/gone')).status).toBe(404);
    for (const path of routes({ id: made.id, slug: 'gone__trashed' })) {
      for (const token of [undefined, tokens.sub, tokens.con]) {
        expectError(await client.get(path, token), ...TRASHED);
      }
      for (const token of [tokens.aut, tokens.edi, tokens.adm]) {
        const { status, body } = await client.get(path, token);
        expect([status, body.status, body.slug]).toEqual([200, 'trash', 'gone__trashed']);
      }
    }
  });

  test('EV-GET-09: omits linked records that the caller may not read', async () => {
    const { client, tokens } = app();
    const hidden = await venue(client, tokens.con, { venue: 'Draft hall', status: 'draft' });
    const open = await venue(client, tokens.adm, { venue: 'Open hall' });
    const ann = await organizer(client, tokens.con, { organizer: 'Draft Ann', status: 'draft' });
    const bob = await organizer(client, tokens.adm, { organizer: 'Bob' });
    const one = await event(client, tokens.adm, { venue: hidden.id, organizer: [ann.id, bob.id] });
    const two = await event(client, tokens.adm, { venue: [hidden.id, open.id], organizer: ann.id });
    const linked = async (id: number, token?: string) => {
      const { venue: places, organizer: people, json_ld } = (await client.get(`/events/${id}`, token)).body;
      const names = (records: object) =>
        [records].flat().map((record) => Object(record).venue ?? Object(record).organizer);
      return [names(places as object), names(people as object), json_ld.location?.name, json_ld.organizer?.name];
    };
    for (const token of [undefined, tokens.sub, tokens.aut]) {
      expect(await linked(one.id as number, token)).toEqual([[], ['Bob'], undefined, 'Bob']);
      expect(await linked(two.id as number, token)).toEqual([['Open hall'], [], 'Open hall', undefined]);
    }
    for (const token of [tokens.con, tokens.edi, tokens.adm]) {
      expect(await linked(one.id as number, token)).toEqual([
        ['Draft hall'],
        ['Draft Ann', 'Bob'],
        'Draft hall',
        'Draft Ann',
      ]);
      expect((await client.get(`/events/${one.id}`, token)).body.venue).toMatchObject({ id: hidden.id });
    }
    const ofDraft = (await client.get(`/events/${two.id}`)).body;
    expect(ofDraft.venue).toMatchObject({ id: open.id });
    await client.delete(`/venues/${open.id}`, tokens.adm);
    await client.delete(`/venues/${hidden.id}`, tokens.adm);
    await client.delete(`/organizers/${ann.id}`, tokens.adm);
    for (const token of [undefined, tokens.con, tokens.edi, tokens.adm]) {
      expect(await linked(one.id as number, token)).toEqual([[], ['Bob'], undefined, 'Bob']);
      expect((await client.get(`/events/${two.id}`, token)).body).toMatchObject({ venue: [], organizer: [] });
    }
    await client.put(`/venues/${open.id}`, { status: 'publish' }, tokens.adm);
    expect((await client.get(`/events/${two.id}`)).body.venue).toMatchObject({ id: open.id });
    await client.delete(`/venues/${open.id}?force=true`, tokens.adm);
    expect((await client.get(`/events/${two.id}`, tokens.adm)).body.venue).toEqual([]);
  });
});

describe('GET /events/{id}, GET /events/by-slug/{slug}: passwords', () => {
  const app = useApp({ FAILED_ATTEMPTS: '4' });

  const protectedEvent = async (password = 'open sesame', fields: object = {}) => {
    const { client, tokens } = app();
    const list = await family(app(), { title: 'Secret', description: 'x', token: tokens.aut, ...fields });
    const reply = await client.put(`/events/${list.ids.Secret}`, { password }, tokens.edi);
    expect(reply.status).toBe(200);
    expect(reply.text).not.toContain(password);
    return { id: reply.body.id as number, slug: reply.body.slug as string };
  };

  test('EV-GET-07: returns a protected event by id for the right password', async () => {
    const { client, tokens } = app();
    const { id } = await protectedEvent('pass wörd');
    const get = (query: string, token?: string) => client.get(`/events/${id}${query}`, token);
    const right = '?password=pass+w%C3%B6rd';
    for (const token of [undefined, tokens.sub, tokens.con]) {
      expectError(await get('', token), ...PROTECTED);
      expectRefused(await get('?password=', token), { password: 'rest_empty' });
      const { status, body, headers } = await get(right, token);
      expect([status, body.description, body.featured]).toEqual([200, '<p>x</p>', false]);
      expect(headers['cache-control']).toBe('private, no-store');
    }
    expectError(await get('?password=Pass+w%C3%B6rd'), ...PROTECTED);
    expectError(await get('?password=pass'), ...PROTECTED);
    // The last of repeated values counts.
    expect((await get(`${right}&password=wrong`)).status).toBe(403);
    expect((await get('?password=wrong&password=pass+w%C3%B6rd')).status).toBe(200);
    expectRefused(await get('?password[]=pass+w%C3%B6rd'), { password: 'rest_invalid_type' });
    expectRefused(await get(`?password=${'x'.repeat(256)}`), { password: 'rest_too_long' });
    for (const token of [tokens.aut, tokens.edi, tokens.adm]) {
      for (const query of ['', '?password=wrong']) expect((await get(query, token)).status).toBe(200);
    }
    const stored = (await client.get(`/events/${id}`, tokens.edi)).text;
    expect(stored).not.toContain('pass w');
  });

  test('EV-GET-07: limits wrong passwords for each event separately', async () => {
    const { client, tokens } = app();
    const [one, two] = [await protectedEvent('sesame'), await protectedEvent('simsim')];
    const open = (id: number, password: string, token?: string) =>
      client.get(`/events/${id}?password=${password}`, token);
    for (let n = 0; n < 4; n += 1) expectError(await open(one.id, 'wrong'), ...PROTECTED);
    for (const password of ['wrong', 'sesame']) {
      const reply = await open(one.id, password);
      expectError(reply, 429, 'rest_too_many_requests', 'Too many requests.');
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60);
    }
    expectError(await client.get(`/events/${one.id}`), ...PROTECTED);
    expect((await open(one.id, 'wrong', tokens.edi)).status).toBe(200);
    expect((await open(two.id, 'simsim')).status).toBe(200);
  });

  test('EV-GET-08: does not accept a password by slug', async () => {
    const { client, tokens } = app();
    const { slug } = await protectedEvent('abracadabra');
    for (const token of [undefined, tokens.con]) {
      for (const query of ['', '?password=abracadabra', '?password=', '?password=wrong', '?password[]=x']) {
        expectError(await client.get(`/events/by-slug/${slug}${query}`, token), ...PROTECTED);
      }
    }
    for (const token of [tokens.aut, tokens.edi]) {
      expect((await client.get(`/events/by-slug/${slug}`, token)).status).toBe(200);
    }
    const open = await event(client, tokens.adm, { title: 'Open' });
    for (const path of routes(open)) expect((await client.get(`${path}?password=x`)).status).toBe(200);
    expectRefused(await client.get(`/events/${open.id}?password=`), { password: 'rest_empty' });
  });

  test('EV-GET-07: counts concurrent wrong passwords one by one', async () => {
    const { client, tokens } = app();
    const { id } = await event(client, tokens.adm, { title: 'Guessed' });
    await client.put(`/events/${id}`, { password: 'right' }, tokens.adm);
    const guess = (password: string) => client.get(`/events/${id}?password=${password}`);
    const replies = await Promise.all(Array.from({ length: 30 }, (_, n) => guess(`wrong${n}`)));
    const count = (status: number) => replies.filter((reply) => reply.status === status).length;
    // A busy machine rejects some by 503, which does not count.
    expect(replies.filter(({ status }) => ![403, 429, 503].includes(status))).toEqual([]);
    let compared = count(403);
    for (; (await guess('wrong')).status === 403; compared += 1);
    expect(compared).toBeLessThanOrEqual(10);
    expect((await guess('right')).status).toBe(429);
  });

  test('EV-GET-05, EV-GET-07: does not reveal a password to callers without read access', async () => {
    const { client, tokens } = app();
    const { id } = await protectedEvent('abracadabra');
    await client.put(`/events/${id}`, { status: 'draft' }, tokens.adm);
    expectError(await client.get(`/events/${id}`), ...NOT_ACCESSIBLE);
    expectError(await client.get(`/events/${id}?password=abracadabra`), ...NOT_ACCESSIBLE);
    await client.delete(`/events/${id}`, tokens.adm);
    expectError(await client.get(`/events/${id}?password=abracadabra`), ...TRASHED);
  });
});
