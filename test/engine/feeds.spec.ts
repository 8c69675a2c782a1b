import { headOf, readCalendar } from '../support/calendar.js';
import { expectRefused, titlesOf, useApp } from '../support/events.js';
import { category, event, organizer, tag, venue } from '../support/factories.js';
import { insertEvents } from '../support/rows.js';
import type { TestApp } from '../support/app.js';

const titlesIn = async ({ client }: TestApp, query = '', token?: string) =>
  readCalendar(await client.get(`/events.ics${query}`, token)).map(({ title }) => title);

describe('GET /events.ics', () => {
  const app = useApp();

  test('ICS-02, ICS-03: has the events of the list with the same filters, each once, by start and id', async () => {
    const { client, tokens } = app();
    const { adm } = tokens;
    const music = await category(client, adm, { name: 'Music' });
    const jazz = await category(client, adm, { name: 'Jazz', parent: music.id });
    const outdoor = await tag(client, adm, { name: 'Outdoor' });
    const hall = await venue(client, adm, { venue: 'Hall', geo_lat: 45.76, geo_lng: 4.84 });
    const ann = await organizer(client, adm);
    const links = [
      { categories: [jazz.id], venue: [hall.id] },
      { tags: [outdoor.id], organizer: [ann.id], featured: true },
      { categories: [music.id], ticketed: true, description: 'loud' },
      {},
    ];
    for (const [index, fields] of links.entries()) {
      for (const day of ['2027-05-02', '2027-03-01', '2028-12-01', '2026-11-01', '2026-10-20']) {
        const dates = { start_date: `${day} 10:00`, end_date: `${day} 11:00`, date: '2026-01-01' };
        await event(client, adm, { title: `${day} ${index}`, ...dates, ...fields });
      }
    }
    const window = 'start_date=2026-10-21&end_date=2028-11-20';
    const filters = [
      ...['', 'categories=music', `categories=${jazz.id}`, 'tags=outdoor', `venue=${hall.id}`, `organizer=${ann.id}`],
      ...['featured=true', 'ticketed=true', 'search=loud', 'geoloc=true', 'geoloc_lat=45.7&geoloc_lng=4.8'],
      ...['include=3,1,5,999', 'post_parent=0', 'starts_after=2027-04-01', 'ends_before=2027-03-01&strict_dates=true'],
      ...[
        'start_date=2026-11-01&end_date=2026-11-30',
        'starts_before=2026-11-10&ends_after=2026-10-01',
        'status=publish',
      ],
    ];
    for (const filter of filters) {
      const hasDates = /start|end|include/.test(filter);
      const reply = await client.get(`/events?per_page=100&${hasDates ? filter : `${window}&${filter}`}`);
      const feed = await client.get(`/events.ics?${filter}`);
      const read = readCalendar(feed);
      expect([filter, read.map(({ title }) => title)]).toEqual([filter, titlesOf(reply)]);
      expect([filter, feed.headers['x-tec-total']]).toEqual([filter, String(reply.body.total)]);
      expect(new Set(read.map(({ uid }) => uid)).size).toBe(read.length);
    }
    for (const [query, details] of [
      ['categories=unknown', { categories: 'rest_unknown_reference' }],
      ['venue=23', { venue: 'rest_unknown_reference' }],
      ['start_date=never', { start_date: 'rest_invalid_date' }],
      ['search=', { search: 'rest_empty' }],
      ['status=draft', { status: 'rest_not_allowed' }],
      ['geoloc_lat=1', { geoloc_lng: 'rest_conflict' }],
    ] as const) {
      const reply = await client.get(`/events.ics?${query}`);
      expectRefused(reply, details);
      expect(reply.text).toBe((await client.get(`/events?${query}`)).text);
    }
  });

  test('ICS-06, ICS-29: tells the total, and names its only category, tag, venue or organizer', async () => {
    const { client, tokens } = app();
    const one = await event(client, tokens.adm, {
      categories: ['Sport; Wine'],
      tags: ['2024'].map((name) => ({ name })).map(({ name }) => `Year ${name}`),
      venue: { venue: 'Sports Hall' },
      organizer: { organizer: 'Club' },
      start_date: '2027-01-01',
      end_date: '2027-01-02',
    });
    const nameOf = async (query: string) => headOf((await client.get(`/events.ics?${query}`)).text)['X-WR-CALNAME'];
    expect(await nameOf('categories=sport-wine')).toBe('Kalends – Sport\\; Wine');
    expect(await nameOf(`categories=${one.categories[0].id}`)).toBe('Kalends – Sport\\; Wine');
    expect(await nameOf('tags=year-2024')).toBe('Kalends – Year 2024');
    expect(await nameOf(`venue=${one.venue.id}`)).toBe('Kalends – Sports Hall');
    expect(await nameOf(`organizer=${one.organizer[0].id}`)).toBe('Kalends – Club');
    expect(await nameOf('categories=sport-wine&tags=year-2024')).toBe('Kalends');
    const reply = await client.get('/events.ics?tags=year-2024&unknown=1&per_page=3&order=desc&categories=sport-wine');
    const { SOURCE } = headOf(reply.text);
    expect(SOURCE).toBe(
      `http://127.0.0.1:${client.port}${client.mount}/events.ics?categories=sport-wine&tags=year-2024`,
    );
    const { pathname, search } = new URL(SOURCE!);
    expect((await client.raw(pathname + search)).text).toBe(reply.text);
  });

  test('ICS-07, ICS-08: keeps its bytes and its ETag until what it shows changes', async () => {
    const { client, tokens } = app();
    const shown = await event(client, tokens.adm, { venue: { venue: 'Old' } });
    const first = await client.get('/events.ics');
    expect(first.headers.etag).toMatch(/^"[\w-]+"$/);
    expect((await client.get('/events.ics')).headers.etag).toBe(first.headers.etag);
    app().setNow('2026-11-20T09:39:00Z');
    expect((await client.get('/events.ics')).text).toBe(first.text);
    const known = { headers: { 'if-none-match': first.headers.etag! } };
    expect([(await client.send('/events.ics', known)).status, (await client.send('/events.ics', known)).text]).toEqual([
      304,
      '',
    ]);
    await event(client, tokens.edi, { title: 'Draft', status: 'draft' });
    expect((await client.get('/events.ics')).headers.etag).toBe(first.headers.etag);
    await client.put(`/venues/${shown.venue.id}`, { venue: 'New' }, tokens.adm);
    const moved = await client.get('/events.ics');
    expect(moved.headers.etag).not.toBe(first.headers.etag);
    const read = readCalendar(moved).find(({ uid }) => uid.startsWith(`${shown.id}-`));
    expect(read!.lines('LOCATION')).toEqual(['LOCATION:New']);
    expect(read!.lines('LAST-MODIFIED')).toEqual(['LAST-MODIFIED:20261120T093900Z']);
    const single = await client.get(`/events/${shown.id}.ics`);
    expect(single.headers['last-modified']).toBe('Fri, 20 Nov 2026 09:39:00 GMT');
    expect(single.headers.etag).toMatch(/^"1-/);
  });

  test('ICS-26, ICS-27: has neither drafts of others nor hidden events', async () => {
    const { client, tokens } = app();
    const draft = await event(client, tokens.edi, { title: 'Draft', status: 'draft' });
    const hidden = await event(client, tokens.adm, { title: 'Hidden', hide_from_listings: true });
    expect(await titlesIn(app())).not.toContain('Draft');
    expect(await titlesIn(app(), '', tokens.edi)).toContain('Draft');
    expect(await titlesIn(app())).not.toContain('Hidden');
    const refused = await client.get(`/events/${draft.id}.ics`);
    expect([refused.status, refused.body.code]).toEqual([403, 'event-not-accessible']);
    const [read] = readCalendar(await client.get(`/events/${draft.id}.ics`, tokens.edi));
    expect(read!.lines('STATUS')).toEqual(['STATUS:TENTATIVE']);
    expect(readCalendar(await client.get(`/events/${hidden.id}.ics`)).map(({ title }) => title)).toEqual(['Hidden']);
    await client.delete(`/events/${hidden.id}`, tokens.adm);
    const gone = await client.get(`/events/${hidden.id}.ics`);
    expect([gone.status, gone.body.code]).toEqual([403, 'event-no-longer-available']);
  });

  test('ICS-25: shows of a protected event no more than a list does', async () => {
    const { client, tokens } = app();
    const whole = {
      title: 'Secret meeting',
      description: '<p>Behind <b>doors</b></p>',
      all_day: true,
      website: 'https://secret.example/',
      venue: { venue: 'Cellar', geo_lat: 1, geo_lng: 2 },
      organizer: { organizer: 'Ann', email: 'ann@example.com' },
      categories: ['Secret'],
      image: 'https://example.com/a.jpg',
      timezone: 'Europe/Paris',
    };
    const { id } = await event(client, tokens.adm, whole);
    await client.put(`/events/${id}`, { password: 'sesame' }, tokens.adm);
    const read = readCalendar(await client.get(`/events.ics?include=${id}`));
    const names = read[0]!.lines('[A-Z-]+').map((line) => line.replace(/[;:].*/, ''));
    const shown = 'UID DTSTAMP LAST-MODIFIED CREATED SEQUENCE DTSTART DTEND SUMMARY URL STATUS TRANSP'.split(' ');
    expect(names).toEqual(['BEGIN', ...shown, 'END']);
    expect(read[0]!.lines('DTSTART')).toEqual(['DTSTART;TZID=Europe/Paris:20270310T000000']);
    expect(read[0]!.lines('URL')[0]).toContain('/event/secret-meeting/');
    const refused = await client.get(`/events/${id}.ics`);
    expect([refused.status, refused.body.code]).toEqual([403, 'event-password-protected']);
    const bySlug = await client.get('/events/by-slug/secret-meeting.ics?password=sesame');
    expect(bySlug.status).toBe(403);
    for (const reply of [
      await client.get(`/events/${id}.ics?password=sesame`),
      await client.get(`/events/${id}.ics`, tokens.edi),
    ]) {
      const [opened] = readCalendar(reply);
      expect(opened!.lines('LOCATION')).toEqual(['LOCATION:Cellar']);
      expect(opened!.lines('DTSTART')).toEqual(['DTSTART;VALUE=DATE:20270310']);
    }
    expect(readCalendar(await client.get(`/events.ics?include=${id}`, tokens.edi))[0]!.lines('LOCATION')).toHaveLength(
      1,
    );
  });

  test('ICS-22: an event keeps its UID through every update', async () => {
    const { client, tokens } = app();
    const { id } = await event(client, tokens.adm, { title: 'First' });
    const read = async () => readCalendar(await client.get(`/events/${id}.ics`, tokens.adm))[0]!;
    const first = await read();
    expect(first.uid).toMatch(new RegExp(`^${id}-[0-9a-f]{12}@kalends$`));
    expect(first.lines('SEQUENCE')).toEqual(['SEQUENCE:0']);
    app().setNow('2026-11-20T10:00:00Z');
    const changes = [{ title: 'Second' }, { start_date: '2027-03-09' }, { slug: 'other' }, { status: 'trash' }];
    for (const [index, change] of [...changes, { status: 'publish' }].entries()) {
      await client.put(`/events/${id}`, change, tokens.adm);
      const changed = await read();
      expect([changed.uid, ...changed.lines('SEQUENCE')]).toEqual([first.uid, `SEQUENCE:${index + 1}`]);
      expect(changed.lines('LAST-MODIFIED')).toEqual(['LAST-MODIFIED:20261120T100000Z']);
    }
    const record = await client.get(`/events/${id}`);
    expect(record.text).not.toContain('@kalends');
  });

  test('ICS-28: unknown events and paths have the errors of the other routes', async () => {
    const { client, tokens } = app();
    const { slug } = await event(client, tokens.adm, { title: 'Джаз 1' });
    const reply = await client.get(`/events/by-slug/${encodeURIComponent(slug as string)}.ics`);
    expect(readCalendar(reply).map(({ title }) => title)).toEqual(['Джаз 1']);
    const name = `attachment; filename="____-1.ics"; filename*=UTF-8''${encodeURIComponent('джаз-1')}.ics`;
    expect(reply.headers['content-disposition']).toBe(name);
    for (const path of [
      '/events/0.ics',
      '/events/99999.ics',
      '/events/by-slug/nothing.ics',
      '/events/by-slug/a.b.ics',
    ]) {
      const { status, body } = await client.get(path);
      expect([path, status, body.code]).toEqual([path, 404, 'rest-event-not-found']);
    }
    for (const path of ['/events/abc.ics', '/events/1.ics/x', '/events/1.icsx', '/eventsxics', '/events/1xics']) {
      const { status, body } = await client.get(path);
      expect([path, status, body.code]).toEqual([path, 404, 'rest_no_route']);
    }
  });

  test('ICS-19: shows the venues that the caller may read', async () => {
    const { client, tokens } = app();
    const { adm } = tokens;
    const blue = await venue(client, adm, {
      venue: 'Blue; Room',
      address: '1 Main St',
      city: 'Springfield',
      state: 'IL',
      country: 'United States',
      zip: '62701',
      geo_lat: 39.8000001,
      geo_lng: -89.65,
    });
    const red = await venue(client, adm, { venue: 'Red' });
    const read = async (id: number, token?: string) => readCalendar(await client.get(`/events/${id}.ics`, token))[0]!;
    const both = await event(client, adm, { venue: [red.id, blue.id] });
    const address = 'Blue\\; Room\\, 1 Main St\\, Springfield\\, IL\\, 62701\\, United States';
    expect((await read(both.id)).lines('LOCATION')).toEqual([`LOCATION:Red / ${address}`]);
    expect((await read(both.id)).lines('GEO')).toEqual(['GEO:39.8;-89.65']);
    expect((await read(both.id)).lines('X-APPLE-STRUCTURED-LOCATION')).toEqual([
      'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE="Blue; Room":geo:39.8,-89.65',
    ]);
    const plain = await event(client, adm, { venue: [red.id] });
    expect((await read(plain.id)).lines('(GEO|X-APPLE-.*)')).toEqual([]);
    await client.put(`/venues/${blue.id}`, { status: 'draft' }, adm);
    expect((await read(both.id)).lines('(LOCATION|GEO)')).toEqual(['LOCATION:Red']);
    expect((await read(both.id, tokens.edi)).lines('GEO')).toHaveLength(1);
    await client.delete(`/venues/${blue.id}`, adm);
    expect((await read(both.id, tokens.edi)).lines('(LOCATION|GEO)')).toEqual(['LOCATION:Red']);
  });

  test('names the parent of an event to callers who may read it', async () => {
    const { client, tokens } = app();
    const parent = await event(client, tokens.edi, { status: 'draft' });
    const { id } = await event(client, tokens.adm, { post_parent: parent.id });
    const [read] = readCalendar(await client.get(`/events/${id}.ics`));
    expect(read!.lines('RELATED-TO')).toEqual([]);
    const [seen] = readCalendar(await client.get(`/events/${id}.ics`, tokens.edi));
    expect(seen!.lines('RELATED-TO')).toEqual([`RELATED-TO:${seen!.uid.replace(/^\d+/, String(parent.id))}`]);
  });
});

describe('GET /events.ics of a site in Tokyo', () => {
  const app = useApp({ SITE_TIMEZONE: 'Asia/Tokyo', ICAL_PAST: '0', ICAL_MOST: '10', ICAL_REFRESH: 'PT15M' });

  test('ICS-04, ICS-06: begins ICAL_PAST days ago in the site zone, and has at most ICAL_MOST events', async () => {
    // 05:00 in Tokyo on the 21st.
    app().setNow('2026-11-20T20:00:00Z');
    const at = (start_utc: string) => ({ title: start_utc, start_utc, end_utc: start_utc });
    const starts = ['2026-11-20 14:59:59', '2026-11-20 15:00:00', '2028-11-21 14:59:59', '2028-11-21 15:00:00'];
    await insertEvents(app(), starts.map(at));
    expect(await titlesIn(app())).toEqual(starts.slice(1, 3));
    expect(await titlesIn(app(), '?start_date=2000-01-01')).toEqual(starts.slice(0, 3));
    expect(await titlesIn(app(), '?start_date=2000-01-01&end_date=9999-12-31')).toEqual(starts);
    const more = Array.from({ length: 10 }, (_, index) => at(`2027-01-${20 - index} 00:00:00`));
    await insertEvents(app(), more);
    const { text, headers } = await app().client.get('/events.ics');
    const sorted = [starts[1], ...more.map(({ title }) => title).sort(), starts[2]];
    expect(readCalendar({ status: 200, text }).map(({ title }) => title)).toEqual(sorted.slice(0, 10));
    expect([headers['x-tec-total'], headers['x-tec-perpage']]).toEqual(['12', '10']);
    expect(headOf(text)).toMatchObject({
      'X-WR-TIMEZONE': 'Asia/Tokyo',
      'REFRESH-INTERVAL': 'PT15M',
      'X-PUBLISHED-TTL': 'PT15M',
    });
  });
});
