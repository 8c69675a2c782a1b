import { Client, type Reply } from '../support/client.js';
import { titlesOf, useApp } from '../support/events.js';
import { category, E, event, organizer, tag, venue } from '../support/factories.js';

/**
 * Requests of clients written for the original API, on its mount: only the host has changed. Forms and query strings
 * are written exactly as they are sent.
 */
const MOUNT = '/wp-json/tribe/events/v1';
const FORM = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };

const app = useApp();
const ids = {} as { concert: number; animation: number; outdoor: number; free: number; hall: number; ann: number };
let old: Client;

const root = () => `http://127.0.0.1:${old.port}${MOUNT}`;
const titles = async (query: string) => titlesOf(await old.get(`/events/${query}`));
const form = (path: string, body: string, method = 'POST'): Promise<Reply> =>
  old.send(path, { method, body, headers: FORM, token: app().tokens.adm });

beforeAll(async () => {
  const { client, tokens } = app();
  old = new Client(client.port, MOUNT);
  ids.concert = (await category(old, tokens.adm, { name: 'Concert' })).id;
  ids.animation = (await category(old, tokens.adm, { name: 'Animation' })).id;
  ids.outdoor = (await tag(old, tokens.adm, { name: 'Outdoor' })).id;
  ids.free = (await tag(old, tokens.adm, { name: 'Free' })).id;
  ids.hall = (await venue(old, tokens.adm, { venue: 'Hall', city: 'Lyon', country: 'France' })).id;
  ids.ann = (await organizer(old, tokens.adm, { organizer: 'Ann', email: 'ann@example.com' })).id;
  const at = (hour: number) => ({ start_date: `2026-12-05 ${hour}:00`, end_date: `2026-12-05 ${hour + 1}:00` });
  await event(old, tokens.adm, { title: 'Jazz', ...at(10), categories: [ids.concert], tags: [ids.outdoor] });
  await event(old, tokens.adm, { title: 'Film', ...at(12), categories: [ids.animation], tags: [ids.free] });
  await event(old, tokens.adm, { title: 'Talk', ...at(14), venue: ids.hall, organizer: ids.ann });
});

describe('GET /events as old clients send it', () => {
  test.each([
    ['?per_page=5&', ['Jazz', 'Film', 'Talk']],
    ['?&&per_page=2&&', ['Jazz', 'Film']],
    ['?_cb=123', ['Jazz', 'Film', 'Talk']],
    ['?_=1763627940000&callback=jQuery1124_1763627940000&_jsonp=show', ['Jazz', 'Film', 'Talk']],
    ['?_embed&_envelope=1&rest_route=%2Ftribe%2Fevents%2Fv1%2Fevents', ['Jazz', 'Film', 'Talk']],
    ['?utm_source=x&fbclid=y&lang=de', ['Jazz', 'Film', 'Talk']],
    ['?categories=concert,animation', ['Jazz', 'Film']],
    ['?categories=concert%2C%20animation', ['Jazz', 'Film']],
    ['?categories[]=concert&categories[]=animation', ['Jazz', 'Film']],
    ['?categories%5B0%5D=Concert', ['Jazz']],
    ['?start_date=2026-01-01T00:00:00Z', ['Jazz', 'Film', 'Talk']],
    ['?start_date=2026-01-01T00:00:00.000Z&end_date=2026-12-05T23:59:59+00:00', ['Jazz', 'Film', 'Talk']],
    ['?start_date=2026-12-05+12:30:00&strict_dates=1', ['Talk']],
    ['?start_date=now&end_date=%2B1+month', ['Jazz', 'Film', 'Talk']],
    ['?start_date=1764547200', ['Jazz', 'Film', 'Talk']],
    ['?page=1&per_page=50&status=publish&featured=false', ['Jazz', 'Film', 'Talk']],
    ['?search=JAZZ', ['Jazz']],
    ['?per_page=10&context=view', ['Jazz', 'Film', 'Talk']],
  ])('GEN-03, GEN-14: accepts %s', async (query, expected) => {
    expect(await titles(query)).toEqual(expected);
  });

  test('EV-LIST-26: accepts every notation of a list, such as tags[]=1&tags[]=2', async () => {
    const { outdoor, free, hall, ann } = ids;
    for (const query of [
      `?tags[]=${outdoor}&tags[]=${free}`,
      `?tags%5B%5D=${outdoor}&tags%5B%5D=${free}`,
      `?tags[0]=${outdoor}&tags[1]=${free}`,
      `?tags=${outdoor}&tags=${free}`,
      `?tags=${outdoor},${free}`,
      `?tags=${outdoor}%2C+${free},`,
    ]) {
      expect([query, await titles(query)]).toEqual([query, ['Jazz', 'Film']]);
    }
    expect(await titles(`?venue=${hall}&organizer=${ann}`)).toEqual(['Talk']);
    expect(await titles(`?venue[]=${hall}&organizer[]=${ann}`)).toEqual(['Talk']);
  });

  test('EV-LIST-04, GEN-03: next_rest_url leads through all pages on the same mount', async () => {
    const found: string[] = [];
    let next: string | undefined = `${root()}/events/?per_page=1&start_date=2026-01-01T00:00:00Z&_cb=123&`;
    while (next !== undefined) {
      const { pathname, search } = new URL(next);
      const reply = await old.raw(pathname + search);
      found.push(...titlesOf(reply));
      expect(reply.body.rest_url.startsWith(`${root()}/events/?`)).toBe(true);
      expect(reply.body.rest_url).not.toContain('_cb');
      next = reply.body.next_rest_url;
    }
    expect(found).toEqual(['Jazz', 'Film', 'Talk']);
  });

  test('GEN-02, GEN-03: accepts a language prefix and a trailing slash', async () => {
    const { body } = await old.raw(`/fr${MOUNT}/events/?per_page=1`);
    expect(body.rest_url).toMatch(new RegExp(`^http://127.0.0.1:${old.port}/fr${MOUNT}/events/\\?page=1&per_page=1&`));
    expect(body.events[0].rest_url).toBe(
      `http://127.0.0.1:${old.port}/fr${MOUNT}/events/${body.events[0].id as number}`,
    );
    expect((await old.get('/categories/?hide_empty=0&')).body.total).toBe(2);
  });
});

describe('POST /events as old clients send it', () => {
  const start = 'title=Form&start_date=2027-03-10+10%3A00%3A00&end_date=2027-03-10+12%3A00%3A00';

  test('GEN-23: accepts a form with nested venues and organizers', async () => {
    const { status, headers, body } = await form(
      '/events/',
      `${start}&organizer[0][organizer]=Bob&organizer[0][email]=bob%40example.com&organizer[1][id]=${ids.ann}` +
        `&venue[venue]=Blue+Room&venue[city]=Lyon&tags[]=${ids.outdoor}&tags[]=${ids.free}&categories=concert` +
        '&all_day=0&featured=true&cost=20%E2%82%AC&image=',
    );
    expect([status, headers.location]).toEqual([201, `${root()}/events/${body.id as number}`]);
    expect(body).toMatchObject({
      title: 'Form',
      start_date: '2027-03-10 10:00:00',
      organizer: [{ organizer: 'Bob', email: 'bob@example.com' }, { id: ids.ann }],
      venue: { venue: 'Blue Room', city: 'Lyon' },
      tags: [{ id: ids.free }, { id: ids.outdoor }],
      categories: [{ id: ids.concert }],
      all_day: false,
      featured: true,
      cost: '20€',
      image: false,
    });
  });

  test('GEN-23: accepts escaped brackets in a form, and a charset in Content-Type', async () => {
    const reply = await form('/events', `${start}&organizer%5B0%5D%5Borganizer%5D=Bea&venue%5Bvenue%5D=Attic&`);
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ organizer: [{ organizer: 'Bea' }], venue: { venue: 'Attic' } });
    const json = { body: JSON.stringify(E), headers: { 'content-type': 'application/json;charset=utf-8' } };
    expect((await old.send('/events', { method: 'POST', token: app().tokens.adm, ...json })).status).toBe(201);
  });

  test('EV-UPD-09: venue=0 and organizer=0 unlink', async () => {
    const { body } = await form('/events', `${start}&venue=${ids.hall}&organizer[]=${ids.ann}`);
    expect([body.venue.id, body.organizer.length]).toEqual([ids.hall, 1]);
    const unlinked = await form(`/events/${body.id as number}`, 'venue=0', 'PUT');
    expect([unlinked.status, unlinked.body.venue, unlinked.body.organizer.length]).toEqual([200, [], 1]);
    expect((await form(`/events/${body.id as number}`, 'organizer=0')).body.organizer).toEqual([]);
    expect((await form('/events', `${start}&venue=0&organizer=0`)).body).toMatchObject({ venue: [], organizer: [] });
  });

  /** Members that the service sets anew for each record. All other members must be equal. */
  const MADE_ANEW = ['id', 'global_id', 'global_id_lineage', 'rest_url', 'url', 'slug', 'modified', 'modified_utc'];
  const kept = (record: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => ![...MADE_ANEW, 'json_ld'].includes(name)));

  test('EV-NEW-02, GEN-27: a POST of a whole GET body creates an equal event', async () => {
    const { tokens } = app();
    const made = await event(old, tokens.adm, {
      title: 'Echo & more',
      description: 'a\n\nb',
      timezone: 'Europe/Paris',
      start_date: '2027-07-10 10:00',
      end_date: '2027-07-10 12:00',
      image: 'https://example.com/a.jpg',
      cost: ['Free', '20€'],
      website: 'https://example.com/?a=1&b=2',
      sticky: true,
      categories: [ids.concert, ids.animation],
      tags: [ids.free],
      venue: [ids.hall, { venue: 'Second' }],
      organizer: [ids.ann, { organizer: 'Zoe' }],
    });
    const read = await old.get(`/events/${made.id as number}`);
    const echoed = await old.post('/events', read.body, tokens.adm);
    expect(echoed.status).toBe(201);
    expect(echoed.body.id).not.toBe(made.id);
    expect(echoed.body.slug).toBe(`${made.slug as string}-2`);
    const again = (await old.get(`/events/${echoed.body.id as number}`)).body;
    // The new event increases the counts of its terms.
    const withoutCounts = (record: unknown) => JSON.stringify(record).replace(/"count":\d+,/g, '');
    expect(withoutCounts(kept(again))).toBe(withoutCounts(kept(read.body)));
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const path = `/events/${made.id as number}`;
      expect((await old.send(path, { method, token: tokens.adm, body: read.body })).status).toBe(200);
      const after = (await old.get(path)).body;
      expect(withoutCounts(kept(after))).toBe(withoutCounts(kept(read.body)));
      expect([after.id, after.slug]).toEqual([made.id, made.slug]);
    }
  });

  test.each([
    ['venues', () => ids.hall],
    ['organizers', () => ids.ann],
  ])('VO-15: a POST of a GET body of /%s reuses the existing record', async (collection, id) => {
    const { tokens } = app();
    const { body } = await old.get(`/${collection}/${id()}`);
    const reply = await old.post(`/${collection}`, body, tokens.adm);
    expect([reply.status, reply.body.id, reply.headers.location]).toEqual([
      201,
      id(),
      `${root()}/${collection}/${id()}`,
    ]);
    expect(reply.headers['x-kalends-reused']).toBe('true');
    expect((await old.put(`/${collection}/${id()}`, body, tokens.adm)).body).toMatchObject({
      id: id(),
      slug: body.slug,
    });
  });
});

describe('credentials as old clients send them', () => {
  const basic = (login: string, password: string, scheme = 'Basic') => ({
    authorization: `${scheme} ${Buffer.from(`${login}:${password}`).toString('base64')}`,
  });

  test('AUTH-01: accepts Basic authentication with login and application token', async () => {
    const { tokens, userIds } = app();
    for (const headers of [basic('editor4', tokens.edi), basic('editor4', tokens.edi, 'basic')]) {
      const made = await old.send('/events', { method: 'POST', body: E, headers });
      expect([made.status, made.body.author]).toEqual([201, String(userIds.edi)]);
    }
    expect((await old.send('/events', { headers: basic('editor4', tokens.adm) })).status).toBe(401);
    expect((await old.send('/events', { headers: basic('editor4', 'password') })).status).toBe(401);
  });

  test('AUTH-03: ignores nonces and cookies', async () => {
    const headers = { 'x-wp-nonce': 'a1b2c3', cookie: 'wordpress_logged_in_0=adm%7C1' };
    expect((await old.send('/events?_wpnonce=a1b2c3', { headers })).status).toBe(200);
    expect((await old.send('/events', { method: 'POST', body: E, headers })).status).toBe(401);
  });
});

test('GEN-11: ignores method overrides in the query and in headers', async () => {
  const { tokens } = app();
  const { id } = await event(old, tokens.adm);
  const headers = { 'x-http-method-override': 'DELETE' };
  const reply = await old.send(`/events/${id as number}?_method=DELETE`, {
    method: 'POST',
    headers,
    body: { title: 'Still there' },
    token: tokens.adm,
  });
  expect([reply.status, reply.body.title]).toEqual([200, 'Still there']);
});
