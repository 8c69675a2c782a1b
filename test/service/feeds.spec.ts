import moment from 'moment-timezone';
import { toUtc, toWall } from '../../src/kernel/time/calendar-time.js';
import { fixedOffset } from '../../src/kernel/time/utc-offset.js';
import { headOf, readCalendar, zonesOf } from '../support/calendar.js';
import { useApp } from '../support/events.js';
import { event, tag, venue } from '../support/factories.js';
import { insertEvents } from '../support/rows.js';
import { wrongOffsets } from '../support/zone-rules.js';

const app = useApp();

/** Creates an event and returns it as ical.js reads it. */
async function written(fields: Record<string, unknown>) {
  const { client, tokens } = app();
  const { id } = await event(client, tokens.adm, fields);
  const reply = await client.get(`/events/${id}.ics`);
  return { id: id as number, zones: zonesOf(reply.text), ...readCalendar(reply)[0]! };
}

const instant = (utc: string) => Date.parse(`${utc.replace(' ', 'T')}Z`);

test('ICS-01: GET /events.ics without events is a calendar without VEVENT and VTIMEZONE', async () => {
  const { status, headers, text } = await app().client.get('/events.ics?search=nowhere');
  expect([status, headers['content-type']]).toEqual([200, 'text/calendar; charset=UTF-8']);
  expect(headers['content-disposition']).toBe('inline; filename="events.ics"');
  expect([readCalendar({ status, text }), zonesOf(text)]).toEqual([[], []]);
  expect(Object.keys(headOf(text))).toEqual([
    ...['VERSION', 'PRODID', 'CALSCALE', 'NAME', 'X-WR-CALNAME', 'X-WR-TIMEZONE', 'REFRESH-INTERVAL'],
    ...['X-PUBLISHED-TTL', 'SOURCE'],
  ]);
  expect(text).not.toContain('METHOD');
});

test('ICS-05: GET /events.ics ignores paging, order and _fields', async () => {
  const { client, tokens } = app();
  for (const day of ['02', '01'])
    await event(client, tokens.adm, { start_date: `2027-01-${day}`, end_date: '2027-01-05' });
  const { text } = await client.get('/events.ics');
  for (const query of [
    'page=2&per_page=1',
    'page=foo&per_page=0',
    'order=desc&orderby=title',
    'orderby=x',
    '_fields=id',
  ]) {
    const reply = await client.get(`/events.ics?${query}`);
    expect([query, reply.status, reply.text]).toEqual([query, 200, text]);
  }
});

test('ICS-05: HEAD, OPTIONS and other methods are answered as on every route', async () => {
  const { client } = app();
  const { headers } = await client.get('/events.ics');
  const head = await client.send('/events.ics', { method: 'HEAD' });
  expect([head.status, head.text, head.headers.etag]).toEqual([200, '', headers.etag]);
  const options = await client.send('/events.ics', { method: 'OPTIONS' });
  expect([options.status, options.headers.allow]).toEqual([200, 'GET, HEAD, OPTIONS']);
  expect(options.body.endpoints[0].args).toHaveProperty('start_date.default', '2026-10-21 00:00:00');
  for (const name of ['page', 'per_page', 'order', 'orderby', '_fields'])
    expect(options.body.endpoints[0].args).not.toHaveProperty(name);
  const post = await client.send('/events.ics', { method: 'POST', body: {} });
  expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  const slash = await client.get('/events.ics/');
  expect(slash.headers.etag).toBe(headers.etag);
  const german = await client.raw('/de/wp-json/tribe/events/v1/events.ics');
  expect(headOf(german.text).SOURCE).toMatch(/\/de\/wp-json\/tribe\/events\/v1\/events\.ics$/);
});

test.each([
  ['Europe/Paris', '2027-07-01 10:00', '2027-07-01 12:00'],
  ['America/New_York', '2027-03-14 01:30', '2027-03-14 03:30'],
  ['Australia/Lord_Howe', '2027-10-03 01:45', '2027-10-03 02:45'],
  ['Africa/Casablanca', '2027-02-07 01:30', '2027-03-14 03:30'],
  ['America/Sao_Paulo', '2026-12-24 18:00', '2026-12-25 02:00'],
  ['Asia/Tokyo', '2027-01-01 00:00', '2027-01-01 01:00'],
])('ICS-09: an event in %s has the stored instants, by the zones of the file alone', async (timezone, start, end) => {
  const read = await written({ timezone, start_date: start, end_date: end });
  const utc = (wall: string) => instant(toUtc(`${wall}:00`, timezone));
  expect([read.start, read.end]).toEqual([utc(start), utc(end)]);
  expect(read.zones).toHaveLength(1);
  expect(read.lines('DTSTART')[0]).toMatch(`DTSTART;TZID=${timezone}:`);
});

test('ICS-12: the feed has the rules of every zone, as the service uses them', async () => {
  const { client } = app();
  const zones = moment.tz.names().filter((zone) => fixedOffset(zone) === undefined);
  const [start_local, end_local] = ['2026-06-01 12:00:00', '2027-06-01 12:00:00'];
  const rows = zones.map((timezone) => ({
    ...{ title: timezone, timezone, start_local, end_local },
    ...{ start_utc: toUtc(start_local, timezone), end_utc: toUtc(end_local, timezone) },
  }));
  const ids = await insertEvents(app(), rows);
  const { text } = await client.get(`/events.ics?start_date=2026-05-01&end_date=2027-06-30&include=${ids.join()}`);
  const rules = new Map(zonesOf(text).map((lines) => [lines[1]!.slice('TZID:'.length), lines.join('\r\n')]));
  expect([...rules.keys()].sort()).toEqual(zones.toSorted());
  expect(zones.flatMap((zone) => wrongOffsets(rules.get(zone)!, zone, 2026, 2028))).toEqual([]);
});

test('ICS-13: a zone with yearly rules ends with one STANDARD and one DAYLIGHT that have RRULE', async () => {
  const [paris] = (await written({ timezone: 'Europe/Paris', start_date: '2026-12-05', end_date: '2026-12-06' })).zones;
  expect(paris).toEqual([
    ...['BEGIN:VTIMEZONE', 'TZID:Europe/Paris', 'BEGIN:DAYLIGHT', 'DTSTART:20250330T020000', 'TZOFFSETFROM:+0100'],
    ...['TZOFFSETTO:+0200', 'TZNAME:CEST', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'END:DAYLIGHT', 'BEGIN:STANDARD'],
    ...['DTSTART:20251026T030000', 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'TZNAME:CET'],
    ...['RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU', 'END:STANDARD', 'END:VTIMEZONE'],
  ]);
});

test('ICS-10: the second hour of an overlap is written in UTC', async () => {
  const timezone = 'Europe/Paris';
  const read = await written({ timezone, start_date: '2027-10-31T01:30:00Z', end_date: '2027-10-31 05:00' });
  expect(toWall('2027-10-31 01:30:00', timezone)).toBe('2027-10-31 02:30:00');
  expect(read.lines('DTSTART')).toEqual(['DTSTART:20271031T013000Z']);
  expect(read.lines('DTEND')).toEqual(['DTEND;TZID=Europe/Paris:20271031T050000']);
  const both = await written({ timezone, start_date: '2027-10-31T01:30:00Z', end_date: '2027-10-31T01:45:00Z' });
  expect([both.lines('DTEND'), both.zones]).toEqual([['DTEND:20271031T014500Z'], []]);
  const first = await written({ timezone, start_date: '2027-10-31T00:30:00Z', end_date: '2027-10-31 05:00' });
  expect(first.lines('DTSTART')).toEqual(['DTSTART;TZID=Europe/Paris:20271031T023000']);
});

test.each([
  ['UTC', 'DTSTART:20270310T100000Z', 0],
  ['GMT', 'DTSTART:20270310T100000Z', 0],
  ['UTC+5:30', 'DTSTART:20270310T043000Z', 0],
  ['US/Eastern', 'DTSTART;TZID=US/Eastern:20270310T100000', 1],
])('ICS-11: an event in %s begins with %s', async (timezone, line, zones) => {
  const read = await written({ timezone });
  expect([read.lines('DTSTART'), read.zones.length]).toEqual([[line], zones]);
  if (zones > 0) expect(read.zones[0]![1]).toBe('TZID:US/Eastern');
});

test.each([
  ['2027-03-10', '2027-03-10', '20270310', '20270311'],
  ['2027-03-10', '2027-03-12', '20270310', '20270313'],
  ['2026-12-31', '2026-12-31', '20261231', '20270101'],
])('ICS-14: an event that lasts all days from %s to %s', async (start_date, end_date, start, end) => {
  // In Asuncion and Beirut clocks have changed at midnight.
  for (const timezone of ['UTC', 'Europe/Paris', 'Asia/Beirut']) {
    const read = await written({ all_day: true, start_date, end_date, timezone });
    expect(read.lines('DTSTART')).toEqual([`DTSTART;VALUE=DATE:${start}`]);
    expect([read.lines('DTEND'), read.zones]).toEqual([[`DTEND;VALUE=DATE:${end}`], []]);
  }
  const skipped = await written({
    all_day: true,
    start_date: '2027-03-28',
    end_date: '2027-03-28',
    timezone: 'Asia/Beirut',
  });
  expect(skipped.lines('DT(START|END)')).toEqual(['DTSTART;VALUE=DATE:20270328', 'DTEND;VALUE=DATE:20270329']);
});

test('ICS-15: an event that ends when it starts has no DTEND', async () => {
  const read = await written({ start_date: '2027-03-10 10:00', end_date: '2027-03-10 10:00' });
  expect(read.lines('DTEND')).toEqual([]);
  const last = await written({ all_day: true, start_date: '9999-12-31', end_date: '9999-12-31' });
  expect([last.lines('DTSTART'), last.lines('DTEND')]).toEqual([['DTSTART;VALUE=DATE:99991231'], []]);
});

test.each([
  ['a;b,c\\d', 'a;b,c\\d'],
  ['a\u0007b', 'a b'],
  ['Oπe\\n Conf', 'Oπe\\n Conf'],
  ['BEGIN:VEVENT "x": y', 'BEGIN:VEVENT "x": y'],
  ['😀'.repeat(500), '😀'.repeat(500)],
  ['e\u0301\u0302 \u202eשלום עולם '.repeat(25).trim(), 'e\u0301\u0302 \u202eשלום עולם '.repeat(25).trim()],
])('ICS-16, ICS-17: the title %j is read back exactly', async (title, expected) => {
  const read = await written({ title });
  expect(read.title).toBe(expected);
  expect(read.value('summary')).toBe(expected);
});

test('ICS-18: the description is a text, and HTML only if it has more than paragraphs', async () => {
  const plain = await written({ description: 'Doors at 7.\nSharp.\n\nBring friends &amp; family.' });
  expect(plain.value('description')).toBe('Doors at 7.\nSharp.\n\nBring friends & family.');
  expect(plain.lines('X-ALT-DESC')).toEqual([]);
  const html =
    '<p>See <a href="https://example.com/">our <b>page</b></a>:</p><ul><li>Tea; coffee</li><li>Cake</li></ul>' +
    '<p><img src="https://example.com/a.png" alt="The hall" /></p>';
  const rich = await written({ description: html });
  expect(rich.value('description')).toBe('See our page (https://example.com/):\n\n- Tea; coffee\n- Cake\n\nThe hall');
  expect(rich.lines('X-ALT-DESC')[0]).toMatch(/^X-ALT-DESC;FMTTYPE=text\/html:<p>See/);
  expect(rich.value('x-alt-desc')).toContain('<li>Tea');
  expect((await written({})).lines('DESCRIPTION')).toEqual([]);
});

test('ICS-20: the first organizer with an e-mail is ORGANIZER, and each is a CONTACT', async () => {
  const { lines } = await written({
    organizer: [
      { organizer: 'Ann', phone: '+1 555; 0100' },
      { organizer: 'Bob "B"; Sons, Ltd: X', email: 'bob@example.com' },
      { organizer: 'Eve', email: 'eve+x@example.com' },
    ],
  });
  expect(lines('ORGANIZER')).toEqual([`ORGANIZER;CN="Bob 'B'; Sons, Ltd: X":mailto:bob@example.com`]);
  expect(lines('CONTACT')).toEqual([
    'CONTACT:Ann\\, +1 555\\; 0100',
    'CONTACT:Bob "B"\\; Sons\\, Ltd: X\\, bob@example.com',
    'CONTACT:Eve\\, eve+x@example.com',
  ]);
  const without = await written({ organizer: { organizer: 'Zoe' } });
  expect([without.lines('ORGANIZER'), without.lines('CONTACT')]).toEqual([[], ['CONTACT:Zoe']]);
});

test('ICS-21: categories and tags are separate values, also with commas', async () => {
  const { client, tokens } = app();
  for (const [path, name] of [
    ['/categories', 'Food, Wine'],
    ['/categories', 'Art'],
    ['/tags', 'a;b'],
  ] as const)
    await client.post(path, { name }, tokens.adm);
  const read = await written({ categories: ['food-wine', 'art'], tags: ['a;b'] });
  expect(read.lines('CATEGORIES')).toEqual(['CATEGORIES:Art,Food\\, Wine,a\\;b']);
});

test('the image and the website of an event', async () => {
  const image = 'https://example.com/a,b;c.png';
  const read = await written({ image, website: 'https://jazz.example/?a=1&b=2' });
  expect(read.lines('IMAGE')).toEqual([`IMAGE;VALUE=URI;DISPLAY=BADGE;FMTTYPE=image/png:${image}`]);
  expect(read.lines('ATTACH')).toEqual([`ATTACH;FMTTYPE=image/png:${image}`]);
  expect(read.lines('URL')).toEqual(['URL:https://jazz.example/?a=1&b=2']);
  const other = await written({ image: 'https://example.com/a' });
  expect(other.lines('ATTACH')).toEqual(['ATTACH:https://example.com/a']);
  expect(other.lines('URL')[0]).toMatch(/\/event\/t(-\d+)?\/$/);
});

test('ICS-30: the addresses of subscribers of a TEC site have the bytes of the feeds', async () => {
  const { client, tokens } = app();
  const year = await tag(client, tokens.adm, { name: '2031' });
  await event(client, tokens.adm, {
    slug: 'jazz',
    categories: ['Musique d’été'],
    tags: [year.id, 'Open air'],
    venue: { venue: 'Blue Room' },
    organizer: { organizer: 'Bobs' },
  });
  const [shown] = (await client.get('/events?search=T&per_page=100')).body.events.filter(
    ({ slug }: { slug: string }) => slug === 'jazz',
  );
  const [category] = shown.categories;
  const same: [address: string, path: string][] = [
    ['/events/?ical=1', '/events.ics'],
    ['/events/list/?ical=1', '/events.ics'],
    ['/?post_type=tribe_events&ical=1', '/events.ics'],
    ['/?post_type=tribe_events&ical=1&eventDisplay=list', '/events.ics'],
    [
      `/events/category/${encodeURIComponent(category.slug as string)}/?ical=1`,
      `/events.ics?categories=${encodeURIComponent(category.slug as string)}`,
    ],
    ['/tag/open-air/?outlook-ical=1', '/events.ics?tags=open-air'],
    ['/tag/2031/?ical=1', `/events.ics?tags=${year.id}`],
    ['/event/jazz/?ical=1', '/events/by-slug/jazz.ics'],
    ['/event/jazz/ical/', '/events/by-slug/jazz.ics'],
    [`/venue/${shown.venue.slug}/?ical=1`, `/events.ics?venue=${shown.venue.id}`],
    [`/organizer/bobs/?outlook-ical=1`, `/events.ics?organizer=${shown.organizer[0].id}`],
    ['/de/events?ical=1', '/events.ics'],
  ];
  for (const [address, path] of same) {
    const expected = await client.get(path);
    for (const accept of ['*/*', 'text/html,application/xhtml+xml;q=0.9']) {
      const reply = await client.raw(address, { headers: { accept } });
      expect([address, reply.status, reply.text]).toEqual([address, 200, expected.text]);
      expect([reply.headers.etag, reply.headers['content-type']]).toEqual([
        expected.headers.etag,
        'text/calendar; charset=UTF-8',
      ]);
    }
    const head = await client.raw(address, { method: 'HEAD', headers: { 'if-none-match': expected.headers.etag! } });
    expect(head.status).toBe(304);
  }
  for (const [address, code] of [
    ['/events/category/nothing/?ical=1', 'rest-category-not-found'],
    ['/venue/nothing/?ical=1', 'rest-venue-not-found'],
    ['/event/nothing/?ical=1', 'rest-event-not-found'],
    ['/venue/%zz/?ical=1', 'rest_no_route'],
  ] as const) {
    const { status, body } = await client.raw(address);
    expect([address, status, body.code]).toEqual([address, 404, code]);
  }
  const post = await client.raw('/events/?ical=1', { method: 'POST', body: {} });
  expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

describe('with SITE_URL', () => {
  const site = useApp({ SITE_URL: 'https://example.com/kultur', SITE_NAME: 'Kultur; Stadt' });

  test('ICS-30: the addresses of the website are unknown', async () => {
    const { client, tokens } = site();
    await event(client, tokens.adm, { slug: 'jazz', categories: ['Music'], venue: { venue: 'Hall' } });
    for (const path of [
      '/events/',
      '/events/list/',
      '/events/category/music/',
      '/tag/x/',
      '/event/jazz/',
      '/venue/hall/',
    ]) {
      const { status, body } = await client.raw(`${path}?ical=1`);
      expect([path, status, body.code]).toEqual([path, 404, 'rest_no_route']);
    }
    for (const path of ['/?post_type=tribe_events&ical=1', '/event/jazz/ical/', '/organizer/x/?outlook-ical=1'])
      expect((await client.raw(path)).status).toBe(404);
  });

  test('URL is the page of the event there, and NAME the name of the calendar', async () => {
    const { client, tokens } = site();
    const { id } = await event(client, tokens.adm, { slug: 'tango', website: 'https://jazz.example/' });
    const [read] = readCalendar(await client.get(`/events/${id}.ics`));
    expect(read!.lines('URL')).toEqual(['URL:https://example.com/kultur/event/tango/']);
    const { text } = await client.get('/events.ics');
    expect(headOf(text)).toMatchObject({ NAME: 'Kultur\\; Stadt', 'X-WR-CALNAME': 'Kultur\\; Stadt' });
  });

  test('the venue of a draft is not found by subscribers', async () => {
    const { client, tokens } = site();
    await venue(client, tokens.adm, { venue: 'Secret', status: 'draft' });
    expect((await client.raw('/venue/secret/?ical=1')).status).toBe(404);
  });
});
