import { startApp, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { category, event, organizer, tag, venue } from '../support/factories.js';
import { expectForbidden, expectInvalid } from '../support/refusals.js';

type Body = Reply['body'];
type Fields = Record<string, unknown>;

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

let service: TestApp;
let adm: string;

const make = (fields: Fields = {}, token = adm): Promise<Body> => event(service.client, token, fields);
const read = async (id: number, token = adm): Promise<Body> => (await service.client.get(`/events/${id}`, token)).body;
const put = (id: number, fields: object, token = adm) => service.client.put(`/events/${id}`, fields, token);
/** Returns the record after a successful update. */
const updated = async (id: number, fields: object, token = adm): Promise<Body> => {
  const { status, body } = await put(id, fields, token);
  expect([status, body.code]).toEqual([200, undefined]);
  return body;
};
/** Returns the fields that reads and updates have in common, without the times of modification. */
const content = (record: Body): object =>
  without(
    JSON.parse(JSON.stringify(record), (name, value: unknown) => (name === 'json_ld' ? undefined : value)) as object,
    'modified',
    'modified_utc',
  );
const without = (record: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
const slugOf = async (id: number): Promise<string> => (await read(id)).slug as string;

beforeAll(async () => {
  service = await startApp();
  adm = service.tokens.adm;
});

afterAll(() => service.close());
afterEach(() => service.setNow('2026-11-20T08:39:00Z'));

/** Creates an event with every field. */
async function full(title: string): Promise<Body> {
  const { client } = service;
  return make({
    title,
    description: 'About\n\nit',
    excerpt: 'In short',
    status: 'private',
    author: service.userIds.aut,
    date: '2026-10-01 09:30:00',
    timezone: 'Europe/Paris',
    all_day: true,
    image: `https://x.example/${title}.png`.replaceAll(' ', '-'),
    cost: ['10', '20€'],
    website: 'https://x.example/ü',
    show_map: true,
    show_map_link: true,
    hide_from_listings: true,
    sticky: true,
    featured: true,
    categories: [(await category(client, adm, { name: `Cat of ${title}` })).id],
    tags: [(await tag(client, adm, { name: `Tag of ${title}` })).id],
    venue: [
      (await venue(client, adm, { venue: `B of ${title}` })).id,
      (await venue(client, adm, { venue: `A of ${title}` })).id,
    ],
    organizer: [
      (await organizer(client, adm, { organizer: `B of ${title}` })).id,
      (await organizer(client, adm, { organizer: `A of ${title}` })).id,
    ],
    ticketed: true,
    post_parent: (await make({ title: `Parent of ${title}` })).id,
  });
}

describe('POST, PUT, PATCH /events/{id}', () => {
  test('EV-UPD-01: leaves fields that are not sent unchanged, with each method, by id and by slug', async () => {
    const before = await full('All');
    for (const [n, method] of ['POST', 'PUT', 'PATCH'].entries()) {
      for (const address of [`/events/${before.id}`, `/events/by-slug/${before.slug}`]) {
        const title = `Title ${n} ${address}`;
        const { status, body, headers } = await service.client.send(address, { method, token: adm, body: { title } });
        expect(status).toBe(200);
        expect(content(body)).toEqual({ ...content(before), title });
        expect(headers.location).toBeUndefined();
        expect(headers.etag).toMatch(/^"\d+-/);
        expect(content(await read(before.id as number))).toEqual(content(body));
      }
    }
  });

  test('EV-UPD-01, 5.2: an update sets modified and raises the revision', async () => {
    const { id, modified } = await make();
    service.setNow('2026-11-21T10:00:00Z');
    const { body, headers } = await put(id as number, { title: 'Later' });
    expect(modified).toBe('2026-11-20 08:39:00');
    expect([body.modified, body.modified_utc]).toEqual(['2026-11-21 10:00:00', '2026-11-21 10:00:00']);
    expect(body.date).toBe('2026-11-20 08:39:00');
    expect(headers.etag).toMatch(/^"2-/);
  });

  test('EV-UPD-01: an update of one field changes only this field and those derived from it', async () => {
    const before = await full('Each');
    const others = await full('Other');
    const changes: Record<string, unknown> = {
      title: 'New',
      description: '<p>New</p>',
      excerpt: '<p>New</p>',
      slug: 'new-slug',
      status: 'draft',
      author: service.userIds.edi,
      image: others.image,
      cost: '5',
      website: 'https://new.example/',
      show_map: false,
      show_map_link: false,
      hide_from_listings: false,
      sticky: false,
      featured: false,
      categories: others.categories,
      tags: others.tags,
      venue: others.venue,
      organizer: others.organizer,
      post_parent: others.post_parent,
      ticketed: false,
    };
    const derived: Record<string, string[]> = { slug: ['url'], cost: ['cost_details'], categories: ['count'] };
    let last = content(before);
    for (const [name, value] of Object.entries(changes)) {
      const now = content(await updated(before.id as number, { [name]: value }));
      const moved = [name, ...(derived[name] ?? [])];
      expect(without(now, ...moved)).toEqual(without(last, ...moved));
      expect({ [name]: (now as Fields)[name] }).not.toEqual({ [name]: (last as Fields)[name] });
      last = now;
    }
    expect(last).toMatchObject({
      ...changes,
      author: String(service.userIds.edi),
      cost: '$5',
      categories: [{ id: others.categories[0].id }],
      tags: [{ id: others.tags[0].id }],
      venue: others.venue.map(({ id }: Body) => ({ id })),
      organizer: others.organizer.map(({ id }: Body) => ({ id })),
    });
  });

  describe('EV-LIST-22: search after an update of one field', () => {
    const TEXTS = { title: 'Quokka', description: '<p>Numbat</p>', excerpt: 'Dunnart' };
    const found = async (words: string): Promise<number[]> => {
      const { body } = await service.client.get(`/events?search=${encodeURIComponent(words)}&per_page=100&_fields=id`);
      return (body.events as { id: number }[]).map(({ id }) => id);
    };

    test.each([
      ['title', 'Bilby', 'numbat dunnart bilby', 'quokka'],
      ['description', 'Bilby', 'quokka dunnart bilby', 'numbat'],
      ['excerpt', 'Bilby', 'quokka numbat bilby', 'dunnart'],
      ['description', null, 'quokka dunnart', 'numbat'],
      ['excerpt', '', 'quokka numbat', 'dunnart'],
    ])('%s: %j', async (field, value, kept, gone) => {
      const { id } = await make(TEXTS);
      await updated(id as number, { [field]: value });
      expect(await found(kept)).toContain(id);
      expect(await found(gone)).not.toContain(id);
      // An excluded word (`-word`) excludes the event.
      expect(await found(`${kept} -${kept.split(' ')[0]!.toUpperCase()}`)).not.toContain(id);
    });

    test('finds the words of all texts after an update of any other field', async () => {
      const { id } = await make(TEXTS);
      const others: Fields = {
        slug: 'other-slug',
        author: service.userIds.edi,
        date: '2026-10-01',
        image: 'https://x.example/other.png',
        start_date: '2027-03-09 10:00',
        end_date: '2027-03-11 10:00',
        timezone: 'Europe/Paris',
        all_day: true,
        cost: '5',
        website: 'https://other.example/',
        show_map: true,
        show_map_link: true,
        sticky: true,
        featured: true,
        ticketed: true,
        categories: ['Other words'],
        tags: ['Other words'],
        venue: { venue: 'Other words' },
        organizer: { organizer: 'Other words' },
        post_parent: (await make()).id,
      };
      for (const [field, value] of Object.entries(others)) {
        await updated(id as number, { [field]: value });
        expect([field, (await found('quokka numbat dunnart')).includes(id as number)]).toEqual([field, true]);
      }
    });
  });

  test('EV-LIST-20: orderby=title follows the current titles after updates of any field', async () => {
    const parent = (await make()).id as number;
    const made = [await make({ title: 'B', post_parent: parent }), await make({ title: 'A', post_parent: parent })];
    const order = async () =>
      (
        (await service.client.get(`/events?post_parent=${parent}&orderby=title&_fields=title`)).body.events as Fields[]
      ).map(({ title }) => title);
    await updated(made[0]!.id as number, { description: 'Text' });
    await updated(made[1]!.id as number, { excerpt: 'Text' });
    expect(await order()).toEqual(['A', 'B']);
    await updated(made[1]!.id as number, { title: 'C' });
    expect(await order()).toEqual(['B', 'C']);
  });

  test('EV-UPD-02: an update without status keeps draft, pending and private', async () => {
    for (const status of ['draft', 'pending', 'private']) {
      const { id } = await make({ status });
      expect(await updated(id as number, { title: 'X' })).toMatchObject({ title: 'X', status });
    }
  });

  test('EV-UPD-03: applies a single date, and checks it against the other, stored date', async () => {
    const { id } = await make();
    expect(await updated(id as number, { start_date: '2027-03-10 11:00' })).toMatchObject({
      start_date: '2027-03-10 11:00:00',
      end_date: '2027-03-10 12:00:00',
    });
    expect(await updated(id as number, { end_date: '2027-03-10 11:00' })).toMatchObject({
      end_date: '2027-03-10 11:00:00',
    });
    const before = await read(id as number);
    for (const dates of [{ start_date: '2027-03-10 11:00:01' }, { end_date: '2027-03-10 10:59:59' }]) {
      const reply = await put(id as number, dates);
      expectInvalid(reply, 'end_date');
      expect(reply.body.data.params.end_date).toBe('end_date must not be before start_date.');
    }
    expectInvalid(await put(id as number, { start_date: 'x' }), 'start_date');
    expect(await read(id as number)).toEqual(before);
  });

  test('EV-UPD-04: an update of the time zone alone keeps the wall times', async () => {
    const { id } = await make({ timezone: 'Europe/Paris' });
    expect(await updated(id as number, { timezone: 'america/new_york' })).toMatchObject({
      start_date: '2027-03-10 10:00:00',
      end_date: '2027-03-10 12:00:00',
      utc_start_date: '2027-03-10 15:00:00',
      utc_end_date: '2027-03-10 17:00:00',
      utc_start_date_details: { hour: '15' },
      timezone: 'America/New_York',
      timezone_abbr: 'EST',
    });
    for (const timezone of [null, '']) {
      await updated(id as number, { timezone: 'UTC-5' });
      expect(await updated(id as number, { timezone })).toMatchObject({
        timezone: 'UTC',
        start_date: '2027-03-10 10:00:00',
        utc_start_date: '2027-03-10 10:00:00',
      });
    }
    expectInvalid(await put(id as number, { timezone: 'Mars/X' }), 'timezone');
  });

  test('DATE-10, EV-UPD-04: rejects a zone or all_day that moves a date out of the years 1000 to 9999', async () => {
    const last = await make({ start_date: '9999-12-31 23:00', end_date: '9999-12-31 23:30', timezone: 'UTC' });
    expectInvalid(await put(last.id, { timezone: 'UTC-5' }), 'start_date', 'end_date');
    expect(await read(last.id)).toMatchObject({ utc_start_date: '9999-12-31 23:00:00', timezone: 'UTC' });
    const first = { title: 'T', start_date: '1000-01-01 20:00', end_date: '1000-01-01 21:00', timezone: 'UTC+14' };
    expectInvalid(await service.client.post('/events', { ...first, all_day: true }, adm), 'start_date');
    expect((await service.client.post('/events', first, adm)).status).toBe(201);
  });

  test('EV-UPD-05: reads dates without a zone in the stored time zone', async () => {
    const { id } = await make({ timezone: 'Asia/Tokyo' });
    expect(await updated(id as number, { start_date: '2027-03-10 09:00' })).toMatchObject({
      start_date: '2027-03-10 09:00:00',
      utc_start_date: '2027-03-10 00:00:00',
      timezone: 'Asia/Tokyo',
    });
    expect(await updated(id as number, { end_date: '2027-03-10T03:30:00Z' })).toMatchObject({
      end_date: '2027-03-10 12:30:00',
      utc_end_date: '2027-03-10 03:30:00',
    });
    expect(await updated(id as number, { start_date: 'tomorrow 9am' })).toMatchObject({
      start_date: '2026-11-21 09:00:00',
      utc_start_date: '2026-11-21 00:00:00',
    });
  });

  test('EV-UPD-05: compares an instant with a wall time in the stored time zone', async () => {
    const { id } = await make({ timezone: 'America/New_York' });
    const right = { start_date: '2027-03-10T14:00:00Z', end_date: '2027-03-10 10:00' };
    expect(await updated(id as number, right)).toMatchObject({
      start_date: '2027-03-10 09:00:00',
      end_date: '2027-03-10 10:00:00',
    });
    const wrong = { start_date: '2027-03-10 10:00', end_date: '2027-03-10T14:00:00Z' };
    expectInvalid(await put(id as number, wrong), 'end_date');
    expectInvalid(
      await put(2323, { start_date: '2027-03-10 10:00', end_date: '2027-03-10 09:00', title: '' }),
      'title',
      'end_date',
    );
  });

  test('EV-UPD-06: null and "" clear optional fields', async () => {
    for (const empty of [null, '']) {
      const { id } = await full(`Clear ${empty}`);
      for (const name of ['description', 'excerpt', 'cost', 'website']) {
        expect((await updated(id as number, { [name]: empty }))[name]).toBe('');
      }
      const after = await updated(id as number, { image: empty });
      expect(after).toMatchObject({ image: false, post_parent: expect.any(Number) });
      expect(after.cost_details.values).toEqual([]);
      expect((await updated(id as number, { post_parent: empty })).post_parent).toBe(0);
    }
    const { id } = await full('Other empty forms');
    expect((await updated(id as number, { image: 0 })).image).toBe(false);
    expect((await updated(id as number, { cost: [] })).cost).toBe('');
    expect((await updated(id as number, { post_parent: 0 })).post_parent).toBe(0);
  });

  test('EV-UPD-07: rejects null and "" for required fields', async () => {
    const { id } = await make();
    const before = await read(id as number);
    for (const name of ['title', 'start_date', 'end_date', 'status', 'author', 'date', 'date_utc']) {
      for (const empty of [null, '']) {
        const reply = await put(id as number, { [name]: empty });
        expectInvalid(reply, name);
        expect(reply.body.data.details[name].code).toBe('rest_empty');
      }
    }
    expectInvalid(await put(id as number, { title: '<b> </b>' }), 'title');
    expect(await read(id as number)).toEqual(before);
  });

  test('EV-UPD-08: derives a cleared slug from the title, keeps an unsent one, rejects an invalid one', async () => {
    const { id } = await make({ title: 'Name of it', slug: 'other' });
    const ownId = id as number;
    expect((await updated(ownId, { slug: '' })).slug).toBe('name-of-it');
    expect((await updated(ownId, { slug: null, title: 'New name' })).slug).toBe('new-name');
    expect((await updated(ownId, { title: 'Again new' })).slug).toBe('new-name');
    expectInvalid(await put(ownId, { slug: '!!!' }), 'slug');
    expect((await updated(ownId, { slug: 'new-name' })).slug).toBe('new-name');
    expect((await updated(ownId, { slug: 'NEW Name' })).slug).toBe('new-name');
    expect((await updated(ownId, { slug: null, title: '!!!' })).slug).toBe(String(id));
    const second = await make({ title: 'Name of it', slug: 'new-name' });
    const third = await make({ title: 'Name of it', slug: 'new-name' });
    expect([second.slug, third.slug]).toEqual(['new-name', 'new-name-2']);
    expect((await updated(third.id as number, { slug: 'new-name' })).slug).toBe('new-name-2');
  });

  test.each([
    ['venue', venue],
    ['organizer', organizer],
  ] as const)('EV-UPD-09: every empty value of %s removes the link, an absent one keeps it', async (field, factory) => {
    const linked = await factory(service.client, adm, { [field]: `Unlink ${field}` });
    const { id } = await make({ [field]: linked.id });
    for (const empty of ['', 0, '0', null, [], [''], [0]]) {
      expect([(await updated(id as number, { [field]: linked.id }))[field]].flat()).toMatchObject([{ id: linked.id }]);
      expect([(await updated(id as number, { title: 'Kept' }))[field]].flat()).toHaveLength(1);
      expect((await updated(id as number, { [field]: empty }))[field]).toEqual([]);
    }
    for (const form of [`${field}=`, `${field}[]=`, `${field}=0`]) {
      await updated(id as number, { [field]: linked.id });
      const { body } = await service.client.send(`/events/${id}`, {
        method: 'PUT',
        token: adm,
        headers: FORM,
        body: form,
      });
      expect(body[field]).toEqual([]);
    }
  });

  test('EV-UPD-09: an update replaces all links, in the order sent', async () => {
    const { id, venue: places, organizer: people } = await full('Reordered');
    const [b, a] = places;
    const reordered = await updated(id as number, { venue: [a.id, b.id], organizer: [people[1].id] });
    expect(reordered.venue.map((one: Body) => one.id as number)).toEqual([a.id, b.id]);
    expect(reordered.organizer.map((one: Body) => one.id as number)).toEqual([people[1].id]);
    const grown = await updated(id as number, { venue: [{ venue: 'Inline on update' }, b.id] });
    expect(grown.venue.map((one: Body) => one.venue as string)).toEqual(['Inline on update', b.venue]);
    expectInvalid(await put(id as number, { venue: [b.id, 2323] }), 'venue');
    expect((await read(id as number)).venue).toHaveLength(2);
  });

  test('EV-UPD-10: clears, keeps and replaces categories and tags independently', async () => {
    const { id, categories, tags } = await full('Terms');
    expect((await updated(id as number, { title: 'X' })).categories).toHaveLength(1);
    for (const empty of ['', null, []]) {
      await updated(id as number, { categories, tags });
      const after = await updated(id as number, { categories: empty });
      expect([after.categories, after.tags]).toEqual([[], tags]);
      expect((await updated(id as number, { tags: empty })).tags).toEqual([]);
    }
    const after = await updated(id as number, { categories: ['Fresh', categories[0].slug] });
    expect(after.categories.map(({ name }: Body) => name as string)).toEqual(['Cat of Terms', 'Fresh']);
  });

  test('EV-UPD-11: empty flags become false; setting all_day widens the times, clearing it keeps them', async () => {
    const { id } = await full('Flags');
    for (const name of ['show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured', 'ticketed']) {
      expect((await updated(id as number, { [name]: null }))[name]).toBe(false);
      expect((await updated(id as number, { [name]: 'on' }))[name]).toBe(true);
      expect((await updated(id as number, { [name]: '' }))[name]).toBe(false);
    }
    const timed = await make({ timezone: 'Europe/Paris', end_date: '2027-03-28 12:00' });
    const whole = { all_day: true, start_date: '2027-03-10 00:00:00', end_date: '2027-03-28 23:59:59' };
    expect(await updated(timed.id as number, { all_day: true })).toMatchObject({
      ...whole,
      utc_start_date: '2027-03-09 23:00:00',
      utc_end_date: '2027-03-28 21:59:59',
    });
    expect(await updated(timed.id as number, { start_date: '2027-03-11 15:00' })).toMatchObject({
      ...whole,
      start_date: '2027-03-11 00:00:00',
    });
    for (const empty of [null, '', false]) {
      await updated(timed.id as number, { all_day: true });
      expect(await updated(timed.id as number, { all_day: empty })).toMatchObject({
        all_day: false,
        start_date: '2027-03-11 00:00:00',
        end_date: '2027-03-28 23:59:59',
      });
    }
  });

  test('EV-UPD-12: sets and clears the password by id, and ignores it by slug', async () => {
    const { id, slug } = await make({ title: 'Secret' });
    const { client, tokens } = service;
    const open = async () => (await client.get(`/events/${id}`)).status;
    expect(JSON.stringify(await updated(id as number, { password: 'Geheim' }, tokens.edi))).not.toContain('Geheim');
    expect(await open()).toBe(403);
    expect((await client.get(`/events/${id}?password=Geheim`)).status).toBe(200);
    expect((await client.get(`/events/${id}?password=geheim`)).body.code).toBe('event-password-protected');
    expect((await updated(id as number, { title: 'Still secret' })).title).toBe('Still secret');
    expect(await open()).toBe(403);
    const bySlug = await client.put(`/events/by-slug/${slug}`, { password: '' }, adm);
    expect([bySlug.status, await open()]).toEqual([200, 403]);
    for (const empty of ['', null]) {
      await updated(id as number, { password: 'again' });
      expect(await open()).toBe(403);
      await updated(id as number, { password: empty });
      expect(await open()).toBe(200);
    }
    expect((await client.put(`/events/by-slug/${slug}`, { password: 'x' }, adm)).status).toBe(200);
    expect(await open()).toBe(200);
    for (const wrong of [true, ['x'], 'x'.repeat(256)])
      expectInvalid(await put(id as number, { password: wrong }), 'password');
    const query = await client.send(`/events/${id}?password=by-query`, { method: 'PUT', token: adm, body: {} });
    expect([query.status, await open()]).toEqual([200, 403]);
  });

  test('EV-UPD-13: a trashed event stays in the trash when its title changes; a status restores it', async () => {
    const { id } = await make({ title: 'Restored' });
    await service.client.delete(`/events/${id}`, adm);
    expect(await updated(id as number, { title: 'Changed' })).toMatchObject({
      title: 'Changed',
      status: 'trash',
      slug: 'restored__trashed',
    });
    expect(await updated(id as number, { status: 'publish' })).toMatchObject({ status: 'publish', slug: 'restored' });
    await service.client.delete(`/events/${id}`, adm);
    const thief = await make({ title: 'Restored' });
    expect(thief.slug).toBe('restored');
    expect(await updated(id as number, { status: 'draft' })).toMatchObject({ status: 'draft', slug: 'restored-2' });
  });

  test('EV-UPD-13: a slug sent for a trashed event applies when the event is restored', async () => {
    const { id } = await make({ title: 'Old slug' });
    await service.client.delete(`/events/${id}`, adm);
    expect((await updated(id as number, { slug: 'fresh-slug' })).slug).toBe('old-slug__trashed');
    expect((await updated(id as number, { status: 'private' })).slug).toBe('fresh-slug');
    await service.client.delete(`/events/${id}`, adm);
    expect((await updated(id as number, { slug: '', title: 'Titled' })).slug).toBe('fresh-slug__trashed');
    expect((await updated(id as number, { status: 'private' })).slug).toBe('titled');
    await service.client.delete(`/events/${id}`, adm);
    expect((await updated(id as number, { status: 'private', slug: 'both' })).slug).toBe('both');
  });

  test('EV-UPD-13, GEN-27: the slug of a trashed event sent back changes nothing', async () => {
    for (const slug of ['short', 'x'.repeat(195), 'y'.repeat(200)]) {
      const { id } = await make({ slug });
      const trashed = (await service.client.delete(`/events/${id}`, adm)).body;
      expect(trashed.slug).toBe(`${slug}__trashed`);
      expect(content(await updated(id as number, await read(id as number)))).toEqual(content(trashed));
      expect(await updated(id as number, { ...trashed, status: 'publish' })).toMatchObject({ slug, status: 'publish' });
    }
  });

  test('EV-UPD-14: status trash does the same as DELETE', async () => {
    const { id } = await make({ title: 'Put away', featured: true });
    const put1 = await put(id as number, { status: 'trash', title: 'Put far away' });
    expect(put1.status).toBe(200);
    expect(put1.body).toMatchObject({ status: 'trash', slug: 'put-away__trashed', title: 'Put far away' });
    expect((await service.client.get(`/events/${id}`)).body.code).toBe('event-no-longer-available');
    const again = await put(id as number, { status: 'trash' });
    expect([again.status, again.body.slug]).toEqual([200, 'put-away__trashed']);
    expect((await service.client.delete(`/events/${id}`, adm)).status).toBe(410);
    const slugged = await make({ title: 'Two at once' });
    expect(await updated(slugged.id as number, { status: 'trash', slug: 'once' })).toMatchObject({
      slug: 'once__trashed',
    });
    expect((await updated(slugged.id as number, { status: 'publish' })).slug).toBe('once');
  });

  test('EV-UPD-14: publish and future sent by a contributor become pending', async () => {
    const { con } = service.tokens;
    for (const status of ['publish', 'future']) {
      const { id } = await make({ status: 'draft' }, con);
      expect((await updated(id as number, { status, date: '2030-01-01' }, con)).status).toBe('pending');
      expect((await updated(id as number, { status: 'draft' }, con)).status).toBe('draft');
    }
  });

  test('EV-NEW-05, section 4: an update derives publish or future from the date', async () => {
    const { id } = await make();
    const after = async (fields: object) => {
      const { status, date } = await updated(id as number, fields);
      return [status, date];
    };
    expect(await after({ date: '2030-01-01' })).toEqual(['future', '2030-01-01 00:00:00']);
    expect(await after({ status: 'publish' })).toEqual(['future', '2030-01-01 00:00:00']);
    expect(await after({ date_utc: '2020-01-01' })).toEqual(['publish', '2020-01-01 00:00:00']);
    expect(await after({ date: '2020-01-01', date_utc: '2021-01-01' })).toEqual(['publish', '2021-01-01 00:00:00']);
    expect(await after({ date: '2022-01-01', date_utc: '2021-01-01' })).toEqual(['publish', '2022-01-01 00:00:00']);
    expect(await after({ status: 'draft' })).toEqual(['draft', '2022-01-01 00:00:00']);
    expect(await after({ status: 'future' })).toEqual(['publish', '2022-01-01 00:00:00']);
    expect(await after({ status: 'private', date: '2030-01-01' })).toEqual(['private', '2030-01-01 00:00:00']);
  });

  test('EV-UPD-15: returns 404 for an unknown record, and changes nothing if one field is invalid', async () => {
    const unknown = await service.client.put('/events/by-slug/no-such', { title: 'X' }, adm);
    expect([unknown.status, unknown.body.message]).toEqual([404, 'Event with slug "no-such" does not exist.']);
    expect((await put(2323, { title: 'X' })).body.message).toBe('Event with ID 2323 does not exist.');
    const before = await full('Untouched');
    const good = {
      title: 'X',
      venue: { venue: 'Never made' },
      categories: ['Never'],
      image: 'https://x.example/never',
    };
    expectInvalid(await put(before.id as number, { ...good, organizer: [2323] }), 'organizer');
    expectInvalid(await put(before.id as number, { ...good, start_date: '2030-01-01' }), 'end_date');
    expect(content(await read(before.id as number))).toEqual(content(before));
    expect((await service.client.get('/venues?search=Never+made&status=any', adm)).body.total).toBe(0);
    expect((await service.client.get('/categories?search=Never&hide_empty=false')).body.total).toBe(0);
  });

  test('EV-UPD-16: rejects a parent that would make an event its own ancestor', async () => {
    const top = await make({ title: 'Top' });
    const middle = await make({ title: 'Middle', post_parent: top.id });
    const low = await make({ title: 'Low', post_parent: middle.id });
    for (const post_parent of [top.id, middle.id, low.id]) {
      expectInvalid(await put(top.id as number, { post_parent }), 'post_parent');
    }
    for (const post_parent of [2323, 'foo', -1]) {
      expectInvalid(await put(top.id as number, { post_parent }), 'post_parent');
    }
    expect((await updated(low.id as number, { post_parent: top.id })).post_parent).toBe(top.id);
    expect((await updated(middle.id as number, { post_parent: low.id })).post_parent).toBe(low.id);
  });

  test('EV-UPD-16: rejects one of two concurrent updates that would make events parents of each other', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await make({ title: 'A' }), await make({ title: 'B' })];
      const replies = await Promise.all([
        put(a.id as number, { post_parent: b.id }),
        put(b.id as number, { post_parent: a.id }),
      ]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  describe('EV-UPD-17: links hidden from the caller', () => {
    const cases = [
      ['venue', venue],
      ['organizer', organizer],
    ] as const;

    /** Creates an event of `aut` with links to three records. The middle one is hidden from `aut`. */
    async function linked(field: 'venue' | 'organizer', factory: typeof venue) {
      const names = ['One', 'Hidden', 'Three'].map((name) => `${name} ${field} ${Math.random()}`);
      const [one, hidden, three] = await Promise.all(
        names.map((name, n) => factory(service.client, adm, { [field]: name, status: n === 1 ? 'draft' : 'publish' })),
      );
      const { id } = await make({ author: service.userIds.aut, [field]: [one.id, hidden.id, three.id] });
      const shown = async (token = adm): Promise<number[]> =>
        [(await read(id as number, token))[field]].flat().map((record: Body) => record.id as number);
      return { id: id as number, one: one.id, hidden: hidden.id, three: three.id, shown };
    }

    test.each(cases)('EV-UPD-17: %s: stay when the caller sends the read record back', async (field, factory) => {
      const { id, one, hidden, three, shown } = await linked(field, factory);
      const { aut } = service.tokens;
      expect(await shown(aut)).toEqual([one, three]);
      await updated(id, await read(id, aut), aut);
      expect(await shown()).toEqual([one, hidden, three]);
      await updated(id, { [field]: `${one},${three}` }, aut);
      expect(await shown()).toEqual([one, hidden, three]);
    });

    test.each(cases)('EV-UPD-17: %s: stay when the caller reorders the visible links', async (field, factory) => {
      const { id, one, hidden, three, shown } = await linked(field, factory);
      await updated(id, { [field]: [three, one] }, service.tokens.aut);
      expect(await shown()).toEqual([three, hidden, one]);
    });

    test.each(cases)('EV-UPD-17: %s: are removed when the caller changes the visible links', async (field, factory) => {
      const { id, one, hidden, shown } = await linked(field, factory);
      expectInvalid(await put(id, { [field]: [one, hidden] }, service.tokens.aut), field);
      await updated(id, { [field]: [one] }, service.tokens.aut);
      expect(await shown()).toEqual([one]);
      await updated(id, { [field]: '' }, service.tokens.aut);
      expect(await shown()).toEqual([]);
    });

    test.each(cases)('EV-UPD-17: %s: stay when all links are hidden', async (field, factory) => {
      const { id, hidden, shown } = await linked(field, factory);
      await updated(id, { [field]: [hidden] });
      const body = await read(id, service.tokens.aut);
      expect(body[field]).toEqual([]);
      await updated(id, body, service.tokens.aut);
      expect(await shown()).toEqual([hidden]);
    });

    test.each(cases)(
      'EV-UPD-17, VO-26: %s: a link to a trashed record is back when the record is restored',
      async (field, factory) => {
        const { id, one, hidden, three, shown } = await linked(field, factory);
        await service.client.delete(`/${field}s/${one}`, adm);
        expect(await shown()).toEqual([hidden, three]);
        await updated(id, await read(id));
        await service.client.put(`/${field}s/${one}`, { status: 'publish' }, adm);
        expect(await shown()).toEqual([one, hidden, three]);
      },
    );
  });

  test('AUTH-11: an author sets only itself as author, an editor any existing user', async () => {
    const { edi, aut } = service.tokens;
    const { id } = await make({ title: 'Owned' }, aut);
    expect((await updated(id as number, { author: service.userIds.aut }, aut)).author).toBe(
      String(service.userIds.aut),
    );
    expectForbidden(await put(id as number, { author: service.userIds.adm }, aut), 403);
    expect((await updated(id as number, { author: service.userIds.con }, edi)).author).toBe(
      String(service.userIds.con),
    );
    expectInvalid(await put(id as number, { author: 2323 }, edi), 'author');
  });
});

describe('round trips and concurrent writes', () => {
  test('GEN-25: the path selects the record; an id in body or query is ignored', async () => {
    const [a, b] = [await make({ title: 'A' }), await make({ title: 'B' })];
    const body = await updated(a.id as number, { id: b.id, title: 'X' });
    expect([body.id, body.title]).toEqual([a.id, 'X']);
    expect((await read(b.id as number)).title).toBe('B');
    const query = await service.client.send(`/events/${a.id}?id=${b.id}`, {
      method: 'PUT',
      token: adm,
      body: { title: 'Y' },
    });
    expect(query.body).toMatchObject({ id: a.id, title: 'Y' });
  });

  test('GEN-26: a slug in the body of an update by slug becomes the new slug', async () => {
    const { id } = await make({ slug: 'gen-a' });
    const renamed = await service.client.put('/events/by-slug/gen-a', { slug: 'gen-b' }, adm);
    expect(renamed.body).toMatchObject({ id, slug: 'gen-b', url: expect.stringContaining('/event/gen-b/') });
    const gone = await service.client.get('/events/by-slug/gen-a');
    expect([gone.status, gone.body.code]).toEqual([404, 'rest-event-not-found']);
    expect((await service.client.get('/events/by-slug/gen-b')).body.id).toBe(id);
    const same = await service.client.put('/events/by-slug/gen-b', { title: 'Same slug' }, adm);
    expect(same.body.slug).toBe('gen-b');
  });

  /** Sends a whole record back. Only `modified` may change. */
  async function roundTrip(id: number, token = adm) {
    const before = await read(id, token);
    service.setNow('2026-11-20T09:00:00Z');
    const { status, body } = await put(id, before, token);
    expect([status, body.code]).toEqual([200, undefined]);
    expect(content(body)).toEqual(content(before));
    expect(content(await read(id, token))).toEqual(content(before));
    service.setNow('2026-11-20T08:39:00Z');
  }

  test('GEN-27: a full event and a minimal event sent back do not change', async () => {
    await roundTrip((await full('Round')).id as number);
    await roundTrip((await make()).id as number);
    const few = await make({ venue: { venue: 'Only' }, organizer: { organizer: 'Only' }, status: 'draft' });
    await roundTrip(few.id as number);
    await roundTrip(
      (await make({ image: 'https://x.example/a.png' }, service.tokens.aut)).id as number,
      service.tokens.aut,
    );
    await roundTrip((await make({ categories: [] }, service.tokens.con)).id as number, service.tokens.con);
  });

  test('GEN-27: a scheduled event sent back does not change, before and after its publication', async () => {
    const { id } = await make({ date: '2026-11-20 08:50:00' });
    const before = await read(id as number);
    expect(before.status).toBe('future');
    expect(content(await updated(id as number, before))).toEqual(content(before));
    service.setNow('2026-11-20T09:00:00Z');
    const due = await read(id as number);
    expect(due.status).toBe('publish');
    expect(content(await updated(id as number, due))).toEqual(content(due));
  });

  test('GEN-27: an event in the second hour of a DST overlap sent back does not change', async () => {
    const { id, ...second } = await make({
      timezone: 'Europe/Paris',
      start_date: '2027-10-31T01:30:00Z',
      end_date: '2027-10-31T01:45:00Z',
    });
    expect(second).toMatchObject({
      start_date: '2027-10-31 02:30:00',
      utc_start_date: '2027-10-31 01:30:00',
      utc_end_date: '2027-10-31 01:45:00',
    });
    await roundTrip(id as number);
    expect(await updated(id as number, { start_date: '2027-10-31 02:30' })).toMatchObject({
      utc_start_date: '2027-10-31 01:30:00',
    });
    expect(await updated(id as number, { start_date: '2027-10-31 02:31', timezone: 'Europe/Paris' })).toMatchObject({
      utc_start_date: '2027-10-31 00:31:00',
    });
  });

  test('GEN-27: a publication date in the second hour of a DST overlap sent back does not change', async () => {
    const site = await startApp({ SITE_TIMEZONE: 'Europe/Paris' });
    try {
      const { id } = await event(site.client, site.tokens.adm, { date_utc: '2026-10-25 01:30:00' });
      const { body } = await site.client.get(`/events/${id}`);
      expect([body.date, body.date_utc]).toEqual(['2026-10-25 02:30:00', '2026-10-25 01:30:00']);
      const after = await site.client.put(`/events/${id}`, body, site.tokens.adm);
      expect(content(after.body)).toEqual(content(body));
      const alone = await site.client.put(`/events/${id}`, { date: body.date }, site.tokens.adm);
      expect(alone.body.date_utc).toBe('2026-10-25 01:30:00');
    } finally {
      await site.close();
    }
  });

  test('GEN-27: an all-day event whose first day begins in a DST gap sent back does not change', async () => {
    const { id } = await make({
      timezone: 'America/Asuncion',
      all_day: true,
      start_date: '2023-10-01 10:00',
      end_date: '2023-10-02 10:00',
    });
    expect((await read(id as number)).start_date).toBe('2023-10-01 01:00:00');
    await roundTrip(id as number);
  });

  test.each([
    ['free texts, longer together than an entry may be', [`${'a'.repeat(200)}`, `${'b'.repeat(200)}`]],
    ['amounts that hide free texts', ['Donation', '10', '20€', '30']],
    ['a range of two currencies', '$10 - €20'],
    ['groups of thousands', '1 234,50 €'],
    ['nothing', ''],
  ])('GEN-27, TXT-01: a cost sent back does not change: %s', async (_, cost) => {
    await roundTrip((await make({ cost })).id as number);
  });

  test('GEN-27: an event sent back keeps a parent that its author may not read', async () => {
    const parent = await make({ status: 'private' });
    const { id } = await make({ author: service.userIds.aut, post_parent: parent.id });
    await roundTrip(id as number, service.tokens.aut);
  });

  test('GEN-28: an update without any field changes nothing', async () => {
    const { id } = await make();
    const before = await service.client.get(`/events/${id}`, adm);
    service.setNow('2026-11-21T10:00:00Z');
    for (const body of [{}, { unknown: 1, id: 7, modified: '2030-01-01', url: 'x', context: 'edit' }, '']) {
      const { status, headers, body: after } = await service.client.put(`/events/${id}`, body, adm);
      expect(status).toBe(200);
      expect(after).toEqual(without(before.body as object, 'json_ld'));
      expect(headers.etag).toMatch(/^"1-/);
    }
    const bySlug = await service.client.put(`/events/by-slug/${await slugOf(id as number)}`, { password: 'x' }, adm);
    expect(bySlug.body.modified).toBe('2026-11-20 08:39:00');
    expect((await service.client.get(`/events/${id}`, adm)).headers.etag).toBe(before.headers.etag);
  });

  test('GEN-19: checks If-Match before it changes anything', async () => {
    const { id } = await make();
    const { etag } = (await service.client.get(`/events/${id}?_fields=id`)).headers;
    const send = (tag: string | undefined, title: string) =>
      service.client.send(`/events/${id}`, {
        method: 'PUT',
        token: adm,
        body: { title },
        headers: { 'if-match': tag ?? '' },
      });
    expect((await send(etag, 'First')).status).toBe(200);
    const late = await send(etag, 'Second');
    expect([late.status, late.body.code]).toEqual([412, 'rest_precondition_failed']);
    expect((await read(id as number)).title).toBe('First');
    expect((await send('*', 'Third')).status).toBe(200);
    expect((await send('"1-x", W/"3-y"', 'Fourth')).status).toBe(200);
  });

  test('updates concurrent with a deletion return 200 or 404, and the event stays deleted', async () => {
    const { id } = await make({ title: 'Contended' });
    const replies = await Promise.all([
      put(id as number, { title: 'Changed' }),
      service.client.delete(`/events/${id}?force=true`, adm),
      put(id as number, { title: 'Changed too' }),
    ]);
    expect(replies[1]?.status).toBe(200);
    for (const n of [0, 2]) expect([200, 404]).toContain(replies[n]?.status);
    expect((await service.client.get(`/events/${id}`, adm)).status).toBe(404);
  });
});
