import { Database } from '../../src/database/database.js';
import type { LinkedPostRow } from '../../src/linked-posts/linked-post.entity.js';
import type { LinkedPostKind } from '../../src/linked-posts/linked-post.kind.js';
import type { PostLinks } from '../../src/linked-posts/linked-post.resolve.js';
import { type CallerName, startApp, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { sizesOf } from '../support/image.js';
import { insertEvent, linkEvent } from '../support/rows.js';
import { describeLinks } from './post-links.cases.js';

/** The properties in which venues and organizers differ. */
export interface LinkedPostCase {
  readonly kind: LinkedPostKind;
  /** Every field but slug, status, author and dates. */
  readonly full: Readonly<Record<string, unknown>>;
  /** The members of a full record that was created, in order. */
  readonly members: readonly string[];
  /** The members of a record that has a name only, in order. */
  readonly fewest: readonly string[];
  /** The json_ld of the full record; `url` is its human page. */
  readonly jsonLd: (url: string) => object;
  /** Fields that may be cleared. */
  readonly optional: readonly string[];
  readonly linksOf: (service: TestApp) => PostLinks<LinkedPostRow>;
}

/** The conformance cases that hold for venues and organizers alike. */
export function describeLinkedPosts(linkedPost: LinkedPostCase): void {
  const { kind, full, members, fewest, jsonLd, optional } = linkedPost;
  const path = `/${kind.collection}`;
  let service: TestApp;
  let adm: string;

  beforeEach(async () => {
    service = await startApp();
    adm = service.tokens.adm;
  });

  afterEach(() => service.close());

  const tokenOf = (caller: CallerName | 'anon') => (caller === 'anon' ? undefined : service.tokens[caller]);
  const get = (query = '', token?: string) => service.client.get(path + query, token);
  const post = (body: object, token: string | undefined = adm) => service.client.post(path, body, token);
  const put = (id: number, body: object, token: string | undefined = adm) =>
    service.client.put(`${path}/${id}`, body, token);
  const remove = (address: number | string, token: string | undefined = adm) =>
    service.client.delete(`${path}/${address}`, token);
  const named = (name: unknown, fields: object = {}) => ({ [kind.nameField]: name, ...fields });
  const create = async (name: string, fields: object = {}, token = adm): Promise<number> => {
    const { status, body } = await post(named(name, fields), token);
    expect([name, status]).toEqual([name, 201]);
    return body.id as number;
  };
  const namesOf = (reply: Reply): string[] =>
    (reply.body[kind.collection] as Record<string, string>[]).map((item) => item[kind.nameField] as string);
  const list = async (query: string, caller: CallerName | 'anon' = 'anon') =>
    namesOf(await get(query, tokenOf(caller)));
  const event = async (ids: readonly number[], values: Parameters<typeof insertEvent>[1] = {}) => {
    const id = await insertEvent(service, values);
    await linkEvent(service, id, kind, ids);
    return id;
  };
  const expectRefused = (reply: Reply, ...names: string[]) => {
    expect(reply.body).toMatchObject({ code: 'rest_invalid_param', data: { status: 400 } });
    expect(Object.keys(reply.body.data.params as object)).toEqual(names);
  };

  describe(`GET ${path}`, () => {
    test('VO-01: returns an empty list, pages, and 404 beyond the last page', async () => {
      const { status, body } = await get();
      expect(status).toBe(200);
      expect(Object.keys(body as object)).toEqual([kind.collection, 'rest_url', 'total', 'total_pages']);
      expect(body).toMatchObject({ [kind.collection]: [], total: 0, total_pages: 0 });
      for (let n = 1; n <= 10; n += 1) await create(`Number ${n}`);
      const first = await get('?per_page=4');
      expect(first.body).toMatchObject({ total: 10, total_pages: 3 });
      expect(first.body[kind.collection]).toHaveLength(4);
      expect(await list('?per_page=4&page=3')).toHaveLength(2);
      for (const page of ['4', '9007199254740991']) {
        const beyond = await get(`?per_page=4&page=${page}`);
        expect([beyond.status, beyond.body.code]).toEqual([404, `${kind.noun}-archive-page-not-found`]);
      }
    });

    test('VO-02: rejects invalid pages, limits per_page, and returns headers and links', async () => {
      for (const query of ['page=0', 'page=foo', 'page=']) expectRefused(await get(`?${query}`), 'page');
      for (const query of ['per_page=0', 'per_page=1.5']) expectRefused(await get(`?${query}`), 'per_page');
      for (let n = 1; n <= 9; n += 1) await create(`Number ${n}`);
      expect((await get('?per_page=1000')).headers['x-tec-perpage']).toBe('100');
      const second = await get('?per_page=3&page=2&only_with_upcoming=no&search=number');
      const root = `${second.body.rest_url.split(path)[0]}${path}`;
      const filters = 'search=number&only_with_upcoming=false&status=publish';
      expect(second.body.rest_url).toBe(`${root}/?page=2&per_page=3&${filters}`);
      expect(second.body.next_rest_url).toBe(`${root}/?per_page=3&${filters}&page=3`);
      expect(second.body.previous_rest_url).toBe(`${root}/?per_page=3&${filters}`);
      expect(second.headers).toMatchObject({ 'x-tec-total': '9', 'x-wp-totalpages': '3', 'x-tec-perpage': '3' });
      const [first, third] = [await get(`?per_page=3&${filters}`), await get(`?per_page=3&page=3&${filters}`)];
      const links = [first, second, third].map(({ body }) => [body.previous_rest_url, body.next_rest_url]);
      expect(links).toEqual([
        [undefined, `${root}/?per_page=3&${filters}&page=2`],
        [second.body.previous_rest_url, second.body.next_rest_url],
        [`${root}/?per_page=3&${filters}&page=2`, undefined],
      ]);
      expect([first, second, third].map(({ headers }) => headers.link)).toEqual([
        `<${first.body.next_rest_url}>; rel="next"`,
        `<${second.body.next_rest_url}>; rel="next", <${second.body.previous_rest_url}>; rel="prev"`,
        `<${third.body.previous_rest_url}>; rel="prev"`,
      ]);
      const { pathname, search } = new URL(second.body.previous_rest_url as string);
      const followed = await service.client.raw(pathname + search);
      expect(followed.body).toEqual(first.body);
    });

    test('VO-02: links contain every filter in the documented order', async () => {
      const id = await event([await create('Ünique hall')]);
      const sent = `_fields=id&status=Publish&only_with_upcoming=1&has_events=yes&event=${id}&search=%C3%BCnique+hall&x=1`;
      const { body } = await get(`?${sent}`);
      expect(body.total).toBe(1);
      expect(body.rest_url.split('?')[1]).toBe(
        `page=1&per_page=10&search=%C3%BCnique+hall&event=${id}&has_events=true&only_with_upcoming=true&status=publish&_fields=id`,
      );
    });

    test('VO-03: lists the newest first, and equal dates by descending id', async () => {
      await create('First');
      await create('Second');
      await create('Oldest', { date: '2020-01-01' });
      expect(await list('')).toEqual(['Second', 'First', 'Oldest']);
    });

    test('VO-04: filters by status within the rights of the caller', async () => {
      for (const name of ['D1', 'D2', 'D3']) await create(name, { status: 'draft' });
      expect((await get()).body.total).toBe(0);
      expect(await list('', 'edi')).toEqual(['D3', 'D2', 'D1']);
      expect((await get('', service.tokens.edi)).body.rest_url).toContain('status=any');
      await create('P', { status: 'publish' });
      await create('F', { date: '2027-01-01' });
      await create('S', { status: 'private' });
      await remove(await create('T'));
      expect(await list('?status=publish')).toEqual(['P']);
      expect(await list('?status=publish', 'edi')).toEqual(['P']);
      expect(await list('?status=publish,draft', 'edi')).toEqual(['P', 'D3', 'D2', 'D1']);
      expect(await list('?status[]=PRIVATE&status[]=future', 'edi')).toEqual(['F', 'S']);
      expect(await list('?status=trash', 'edi')).toEqual(['T']);
      expect(await list('?status=any', 'edi')).toHaveLength(6);
      expect(await list('', 'con')).toEqual(['P']);
      for (const caller of ['anon', 'sub'] as const) {
        for (const status of ['draft', 'any', 'publish,draft']) {
          expectRefused(await get(`?status=${status}`, tokenOf(caller)), 'status');
        }
      }
      expectRefused(await get('?status=publish,foo', service.tokens.edi), 'status');
      await create('Own', { status: 'draft' }, service.tokens.con);
      expect(await list('', 'con')).toEqual(['Own', 'P']);
    });

    test('VO-04: publishes a scheduled record at its date', async () => {
      await create('Soon', { date: '2026-11-21' });
      expect(await list('')).toEqual([]);
      service.setNow('2026-11-21T00:00:00Z');
      expect((await get()).body[kind.collection]).toMatchObject([{ status: 'publish' }]);
      expect(await list('?status=future', 'edi')).toEqual([]);
    });

    test('VO-05: a search ignores case and accents, and rejects empty and long texts', async () => {
      await create('Café Ångström');
      await create('Other', { description: 'A <b>small</b> stage &amp; a bar' });
      expect(await list('?search=cafe')).toEqual(['Café Ångström']);
      expect(await list('?search=ANGSTROM')).toEqual(['Café Ångström']);
      expect(await list('?search=small%20stage')).toEqual(['Other']);
      expect((await get('?search=nothing')).body).toMatchObject({ total: 0, total_pages: 0 });
      for (const search of ['', '%20', '%09', '!', '-', encodeURIComponent('word '.repeat(21))]) {
        expectRefused(await get(`?search=${search}`), 'search');
      }
    });

    test('VO-06, VO-07: a search matches all words in one field, on every page', async () => {
      for (let n = 1; n <= 5; n += 1) await create(`Red house ${n}`);
      await create('Red', { description: 'house', phone: 'red' });
      const second = await get('?search=house,%20red&per_page=3&page=2');
      expect(second.body).toMatchObject({ total: 5, total_pages: 2 });
      expect(namesOf(second)).toEqual(['Red house 2', 'Red house 1']);
      expect((await get('?search=house,%20red&per_page=3&page=3')).status).toBe(404);
      expect((await get('?search=house,%20blue')).body.total).toBe(0);
    });

    test('VO-08: has_events considers only events that the caller may read', async () => {
      const [open, hidden, secret, draft, none] = [
        await create('open'),
        await create('hidden'),
        await create('secret'),
        await create('draft'),
        await create('none'),
      ];
      await event([open]);
      await event([hidden, open], { hide_from_listings: 1 });
      await event([secret], { status: 'private' });
      await event([secret], { status: 'future', date_utc: '2027-01-01 00:00:00' });
      for (const status of ['draft', 'pending', 'trash'] as const) await event([draft], { status, public_from: null });
      expect(none).toBeGreaterThan(draft);
      expect(await list('?has_events=true')).toEqual(['hidden', 'open']);
      expect(await list('?has_events=0')).toEqual(['none', 'draft', 'secret']);
      expect(await list('?has_events=yes', 'edi')).toEqual(['secret', 'hidden', 'open']);
      expect(await list('?has_events=false', 'edi')).toEqual(['none', 'draft']);
      for (const value of ['foo', '']) expectRefused(await get(`?has_events=${value}`), 'has_events');
    });

    test('VO-08, VO-10: a password-protected event counts only for callers that may edit it', async () => {
      const [open, both, behind] = [await create('open'), await create('both'), await create('behind')];
      await event([open, both]);
      await event([both, behind], { password_hash: 'x' });
      await event([behind], { password_hash: 'x', author_id: service.userIds.aut });
      for (const caller of ['anon', 'sub', 'con'] as const) {
        expect(await list('?has_events=true', caller)).toEqual(['both', 'open']);
        expect(await list('?has_events=false', caller)).toEqual(['behind']);
        expect(await list('?only_with_upcoming=true', caller)).toEqual(['both', 'open']);
      }
      for (const caller of ['aut', 'edi'] as const) {
        expect(await list('?has_events=true', caller)).toEqual(['behind', 'both', 'open']);
        expect(await list('?has_events=false', caller)).toEqual([]);
        expect(await list('?only_with_upcoming=true', caller)).toEqual(['behind', 'both', 'open']);
      }
    });

    test('VO-09: event filters by a linked event', async () => {
      const linked = [await create('A'), await create('B'), await create('D', { status: 'draft' })];
      const id = await event(linked);
      expect(await list(`?event=${id}`)).toEqual(['B', 'A']);
      expect(await list(`?event=${id}`, 'edi')).toEqual(['D', 'B', 'A']);
      const draftOnly = await event([linked[2] as number]);
      expect((await get(`?event=${draftOnly}`)).body.total).toBe(0);
      expect((await get(`?event=${await event([])}`)).body.total).toBe(0);
      const draft = await event(linked, { status: 'draft', public_from: null });
      for (const unknown of [2389, 0, draft]) expectRefused(await get(`?event=${unknown}`), 'event');
      expect(await list(`?event=${draft}`, 'edi')).toEqual(['D', 'B', 'A']);
      expectRefused(await get('?event=foo'), 'event');
    });

    test('VO-09: event finds records of a password-protected event for editors only', async () => {
      const id = await event([await create('A')], { password_hash: 'x' });
      expect((await get(`?event=${id}`)).body.total).toBe(0);
      expect(await list(`?event=${id}`, 'edi')).toEqual(['A']);
    });

    test('VO-10: only_with_upcoming finds records with visible events that begin now or later', async () => {
      const [soon, past, secret, hidden] = [
        await create('soon'),
        await create('past'),
        await create('secret'),
        await create('hidden'),
      ];
      for (let n = 0; n < 11; n += 1) await event([past], { start_utc: '2026-11-20 08:38:59' });
      await event([soon], { start_utc: '2026-11-20 08:39:00' });
      await event([secret], { status: 'private', public_from: null });
      await event([secret], { status: 'trash', public_from: null });
      await event([hidden], { hide_from_listings: 1 });
      expect(await list('?only_with_upcoming=true')).toEqual(['soon']);
      expect(await list('?only_with_upcoming=1', 'edi')).toEqual(['secret', 'soon']);
      expect(await list('?only_with_upcoming=false')).toHaveLength(4);
      expectRefused(await get('?only_with_upcoming=foo'), 'only_with_upcoming');
    });

    test('VO-10: a record leaves only_with_upcoming when its last event has begun, without any write', async () => {
      const [first, last] = [await create('first'), await create('last')];
      for (const start_utc of ['2026-11-20 09:00:00', '2026-11-20 10:00:00']) await event([last], { start_utc });
      await event([first], { start_utc: '2026-11-20 09:00:00' });
      const shown = async (iso: string) => {
        service.setNow(iso);
        const anybody = await get('?only_with_upcoming=true');
        // A search uses another query, and so does a caller whose results are not cached.
        const searched = await get('?only_with_upcoming=true&search=irs');
        return [anybody.body.total, namesOf(searched), await list('?only_with_upcoming=true', 'edi')];
      };
      expect(await shown('2026-11-20T08:59:59Z')).toEqual([2, ['first'], ['last', 'first']]);
      expect(await shown('2026-11-20T09:00:00Z')).toEqual([2, ['first'], ['last', 'first']]);
      expect(await shown('2026-11-20T09:00:01Z')).toEqual([1, [], ['last']]);
      expect(await shown('2026-11-20T10:00:01Z')).toEqual([0, [], []]);
      // The filter also follows a clock that is set back.
      expect(await shown('2026-11-20T09:00:00Z')).toEqual([2, ['first'], ['last', 'first']]);
    });

    test('VO-08, VO-10: finds a record as soon as its event is public, without any write', async () => {
      await event([await create('soon')], { status: 'future', date_utc: '2026-11-20 09:00:00' });
      const shown = async (iso: string) => {
        service.setNow(iso);
        const queries = ['has_events=true', 'has_events=false', 'only_with_upcoming=true'];
        const totals: number[] = [];
        for (const query of queries) totals.push((await get(`?${query}`)).body.total as number);
        return totals;
      };
      expect(await shown('2026-11-20T08:59:59Z')).toEqual([0, 1, 0]);
      expect(await shown('2026-11-20T09:00:00Z')).toEqual([1, 0, 1]);
    });

    test('VO-04: a record becomes public at its date in lists, alone and in events, without any write', async () => {
      const id = await create('soon', { date_utc: '2026-11-20 09:00:00' });
      const linked = await event([id]);
      const shown = async (iso: string) => {
        service.setNow(iso);
        const { body } = await service.client.get(`/events/${linked}`);
        return [await list(''), (await get(`/${id}`)).status, [body[kind.nameField]].flat().length];
      };
      expect(await shown('2026-11-20T08:59:59Z')).toEqual([[], 403, 0]);
      expect(await shown('2026-11-20T09:00:00Z')).toEqual([['soon'], 200, 1]);
      expect(await shown('2026-11-20T08:59:59Z')).toEqual([[], 403, 0]);
    });

    test('VO-29: a search lists equal names first and keeps the order of the rest, on every page', async () => {
      for (let n = 1; n <= 12; n += 1) await create(`Hall ${n}`);
      const others = [12, 11, 10].map((n) => `Hall ${n}`);
      for (const search of ['Hall 1', 'hall 1', 'Håll 1', ' HALL 1 ']) {
        expect(await list(`?search=${encodeURIComponent(search)}`)).toEqual(['Hall 1', ...others]);
      }
      expect(await list('?search=Hall%201&per_page=2')).toEqual(['Hall 1', 'Hall 12']);
      expect(await list('?search=Hall%201&per_page=2&page=2')).toEqual(['Hall 11', 'Hall 10']);
      expect(await list('?search=1')).toEqual([...others, 'Hall 1']);
      await create('Great hall');
      await create('HALL', { date: '2020-01-01' });
      await create('Häll', { date: '2021-01-01' });
      const found = ['Häll', 'HALL', 'Great hall', ...others, ...[9, 8, 7, 6, 5, 4, 3, 2, 1].map((n) => `Hall ${n}`)];
      expect(await list('?search=hall&per_page=100')).toEqual(found);
      const pages: string[] = [];
      for (let page = 1; page <= 5; page += 1) pages.push(...(await list(`?search=hall&per_page=3&page=${page}`)));
      expect(pages).toEqual(found);
      expect(await list('')).not.toContain('HALL');
    });

    test('EV-LIST-41: list items have no json_ld', async () => {
      await create('A');
      expect((await get()).body[kind.collection][0]).not.toHaveProperty('json_ld');
      expect((await get('?_fields=id')).body[kind.collection]).toEqual([{ id: expect.any(Number) }]);
    });
  });

  test('VO-06, VO-07: after an update of one field, a search finds the words of all fields', async () => {
    /** Returns a valid value of the field that contains the word. */
    const valueOf = (field: string, word: string) =>
      ({ email: `${word}@x.example`, website: `https://${word}.example/` })[field] ?? word;
    const fields = [kind.nameField, ...kind.searched];
    // No word is a part of another one.
    const wordOf = (field: string, when = 'before') => `x${field}${when}`;
    const sent = Object.fromEntries(fields.map((field) => [field, valueOf(field, wordOf(field))]));
    const { body } = await post(sent);
    const found = async (word: string) => (await get(`?search=${word}`)).body.total as number;
    const others = Object.keys(full).filter((field) => !fields.includes(field) && !field.startsWith('geo_'));
    for (const field of others) {
      expect([field, (await put(body.id as number, { [field]: full[field] })).status]).toEqual([field, 200]);
      for (const other of fields) expect([field, other, await found(wordOf(other))]).toEqual([field, other, 1]);
    }
    for (const field of fields) {
      expect((await put(body.id as number, { [field]: valueOf(field, wordOf(field, 'after')) })).status).toBe(200);
      expect([field, await found(wordOf(field, 'after')), await found(wordOf(field))]).toEqual([field, 1, 0]);
      for (const other of fields.filter((name) => name !== field))
        expect([field, other, await found(wordOf(other))]).toEqual([field, other, 1]);
      await put(body.id as number, { [field]: sent[field] });
    }
  });

  describe(`POST ${path}`, () => {
    test('VO-11: creates a record from a name only', async () => {
      const { status, headers, body } = await post(named('Name <b>only</b>'));
      expect(status).toBe(201);
      expect(headers.location).toMatch(new RegExp(`${path}/${body.id}$`));
      expect(headers.etag).toMatch(/^"1-/);
      expect(Object.keys(body as object)).toEqual(fewest);
      expect(body).toMatchObject(named('Name only', { slug: 'name-only', status: 'publish' }));
      expect(body.author).toBe(String(service.userIds.adm));
    });

    test('VO-11: stores and returns every field', async () => {
      const { body } = await post(full);
      expect(Object.keys(body as object)).toEqual(members);
      expect(body).toMatchObject({ ...full, image: { url: full.image, extension: 'jpg' } });
    });

    test('VO-12: rejects missing and invalid fields', async () => {
      const missing = await post({ description: 'x' });
      expect(missing.body).toMatchObject({ code: 'rest_missing_callback_param', data: { params: [kind.nameField] } });
      for (const name of ['', ' ', '<b></b>', 'x'.repeat(501), true])
        expectRefused(await post(named(name)), kind.nameField);
      expectRefused(await post(named('A', { author: 2389, date: 'foo', status: 'kinda' })), 'status', 'author', 'date');
      expectRefused(await post(named('A', { author: '', date_utc: '', slug: '!!!' })), 'author', 'date_utc', 'slug');
      expectRefused(await post(named('A', { image: 'foo bar', website: 'foo' })), 'website', 'image');
      expectRefused(await post(named('A', { image: 2389 })), 'image');
      expect((await get()).body.total).toBe(0);
    });

    test('VO-13: accepts timestamps as dates and ignores timezone', async () => {
      const dates = { date: '@1700000000', status: 'draft', timezone: 'Nowhere/Land' };
      expect((await post(named('A', dates))).body).toMatchObject({ date_utc: '2023-11-14 22:13:20', status: 'draft' });
      const utc = { date_utc: 1700000001, status: 'draft' };
      expect((await post(named('B', utc))).body).toMatchObject({ date: '2023-11-14 22:13:21', status: 'draft' });
    });

    test('VO-15: an equal record is reused', async () => {
      const first = await post(full);
      const second = await post(full, service.tokens.aut);
      expect([first.status, first.headers['x-kalends-reused']]).toEqual([201, undefined]);
      expect([second.status, second.headers['x-kalends-reused']]).toEqual([201, 'true']);
      expect(second.headers.location).toBe(first.headers.location);
      expect(second.body).toEqual(first.body);
      const name = String(full[kind.nameField]);
      expect((await post(named(name.toUpperCase(), { phone: '', website: null }))).body).toEqual(first.body);
      expect((await post({ ...full, phone: '+0' })).status).toBe(201);
      expect((await post({ ...full, author: service.userIds.edi })).status).toBe(201);
      expect((await post({ ...full, date: '2020-01-01' })).status).toBe(201);
      expect((await post({ ...full, image: 'https://example.com/other.jpg' })).status).toBe(201);
      expect((await get('', adm)).body.total).toBe(5);
    });

    test('VO-15: equal creates at the same time give one record', async () => {
      const replies = await Promise.all(Array.from({ length: 8 }, () => post(full)));
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
      expect(replies.filter(({ headers }) => headers['x-kalends-reused'] === undefined)).toHaveLength(1);
      expect(new Set(replies.map(({ body }) => body.id as number)).size).toBe(1);
    });

    test('VO-16: reuse depends on the status and on the rights of the caller', async () => {
      const draft = await create('A', { status: 'draft' });
      const trashed = await create('A', { status: 'trash' });
      const published = await create('A', {}, service.tokens.aut);
      expect(new Set([draft, trashed, published]).size).toBe(3);
      expect((await post(named('A'), service.tokens.aut)).body.id).toBe(published);
      expect((await post(named('A'))).body.id).toBe(draft);
      expect((await post(named('A', { status: 'publish' }))).body.id).toBe(published);
      expect((await post(named('A', { status: 'draft' }), service.tokens.aut)).status).toBe(201);
      expect((await post(named('A', { status: 'publish' }), service.tokens.con)).body).toMatchObject({
        status: 'pending',
      });
      const { headers } = await post(named('A', { status: 'future' }), service.tokens.con);
      expect(headers['x-kalends-reused']).toBe('true');
    });

    test('VO-16: an equal record in the trash is not reused', async () => {
      const trashed = await create('A');
      await remove(trashed);
      const reply = await post(named('A'));
      expect(reply.status).toBe(201);
      expect(reply.headers['x-kalends-reused']).toBeUndefined();
      expect(reply.body.id).not.toBe(trashed);
      expect((await post(named('A'))).body.id).toBe(reply.body.id);
    });

    test('VO-25: makes a unique slug from the slug or the name', async () => {
      const slugOf = async (name: string, fields = {}) => (await post(named(name, fields))).body.slug as string;
      expect(await slugOf('A', { slug: 'My Slug' })).toBe('my-slug');
      expect(await slugOf('B', { slug: 'my-slug' })).toBe('my-slug-2');
      expect(await slugOf('My slug')).toBe('my-slug-3');
      const { body } = await post(named('!!!'));
      expect(body.slug).toBe(String(body.id));
    });

    test('VO-25: gives concurrent creates with equal slugs different slugs', async () => {
      const replies = await Promise.all(['A', 'A!', 'A?', 'A.', 'A,', 'A;'].map((name) => post(named(name))));
      expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(201));
      expect(new Set(replies.map(({ body }) => body.slug as string)).size).toBe(6);
    });

    test('AUTH-07, AUTH-09, AUTH-11, AUTH-12: limits creates by the role of the caller', async () => {
      expect((await service.client.post(path, named('A'))).status).toBe(401);
      expectRefused(await service.client.post(path, named('A', { date: 'foo', author: 2389 })), 'date');
      expect((await post(named('A'), service.tokens.sub)).status).toBe(403);
      const statusOf = async (name: string, status: string | undefined, caller: CallerName) =>
        (await post(named(name, { status }), tokenOf(caller))).body.status as string;
      const { con, aut, edi } = service.tokens;
      expect(await statusOf('1', 'publish', 'con')).toBe('pending');
      expect(await statusOf('2', 'future', 'con')).toBe('pending');
      expect(await statusOf('3', undefined, 'con')).toBe('draft');
      expect(await statusOf('4', 'draft', 'con')).toBe('draft');
      expect(await statusOf('5', 'private', 'con')).toBe('private');
      expect(await statusOf('6', undefined, 'aut')).toBe('publish');
      const foreign = { author: service.userIds.adm };
      expect((await post(named('7', foreign), aut)).status).toBe(403);
      expect((await post(named('8', foreign), edi)).body.author).toBe(String(service.userIds.adm));
      expectRefused(await post(named('9', { image: 'https://example.com/a.jpg' }), con), 'image');
      expect((await post(named('9', { image: 'https://example.com/a.jpg' }), aut)).status).toBe(201);
    });

    test('EV-NEW-18: creates a record in the trash, which can be restored', async () => {
      const { status, body } = await post(named('A', { status: 'trash' }), service.tokens.con);
      expect([status, body.status, body.slug]).toEqual([201, 'trash', 'a__trashed']);
      const restored = await put(body.id as number, { status: 'draft' }, service.tokens.con);
      expect(restored.body).toMatchObject({ status: 'draft', slug: 'a' });
    });
  });

  describe(`GET ${path}/{id}`, () => {
    test('VO-17: returns a record by id and by slug', async () => {
      const id = await create('Some name');
      const created = await post({ ...full, slug: 'full' });
      const { status, body, headers } = await get(`/${created.body.id}?password=x`);
      expect(status).toBe(200);
      const order = [...members];
      order.splice(order.indexOf(kind.noun === 'venue' ? 'show_map' : 'global_id'), 0, 'json_ld');
      expect(Object.keys(body as object)).toEqual(order);
      const { json_ld, ...rest } = body as { json_ld: object };
      expect(rest).toEqual(created.body);
      expect(JSON.stringify(json_ld)).toBe(JSON.stringify(jsonLd(created.body.url as string)));
      expect(headers['last-modified']).toBe('Fri, 20 Nov 2026 08:39:00 GMT');
      expect((await get('/by-slug/FULL')).body).toEqual(body);
      expect((await get(`/${id}`)).body.json_ld.description).toBe('');
      const unknown = await get('/by-slug/nothing');
      expect([unknown.status, unknown.body.code]).toEqual([404, `rest-${kind.noun}-not-found`]);
      expect(unknown.body.message).toMatch(/ with slug "nothing" does not exist\.$/);
      expect((await get('/0')).body.message).toMatch(/ with ID 0 does not exist\.$/);
      expect((await get('/foo')).body.code).toBe('rest_no_route');
    });

    test('VO-18: returns 403 for a record that the caller may not read', async () => {
      const draft = await create('D', { status: 'draft' });
      const trashed = await create('T', { status: 'trash' });
      for (const id of [draft, trashed]) {
        for (const caller of ['anon', 'sub', 'con', 'aut'] as const) {
          const { status, body } = await get(`/${id}`, tokenOf(caller));
          expect([status, body.code]).toEqual([403, `${kind.noun}-not-accessible`]);
        }
        expect((await get(`/${id}`, service.tokens.edi)).status).toBe(200);
      }
    });
  });

  describe(`PUT ${path}/{id}`, () => {
    test('VO-19: changes only the name, and rejects an empty one', async () => {
      const { body: before } = await post(full);
      await create('Taken');
      service.setNow('2026-11-20T09:00:00Z');
      for (const method of ['POST', 'PUT', 'PATCH']) {
        const reply = await service.client.send(`${path}/${before.id}`, { method, body: named('Taken'), token: adm });
        expect(reply.status).toBe(200);
        const changed = { modified: '2026-11-20 09:00:00', modified_utc: '2026-11-20 09:00:00' };
        expect(reply.body).toEqual({ ...before, ...named('Taken'), ...changed });
      }
      for (const name of ['', null, '<i>']) expectRefused(await put(before.id as number, named(name)), kind.nameField);
      expect((await get('?search=taken')).body.total).toBe(2);
    });

    test('VO-20: clears optional fields by "" and null', async () => {
      for (const empty of ['', null]) {
        const { body } = await post({ ...full, slug: `full ${empty}` });
        const cleared = await put(body.id as number, Object.fromEntries(optional.map((field) => [field, empty])));
        expect(Object.keys(cleared.body as object)).toEqual(fewest);
        await remove(`${body.id}?force=true`);
      }
    });

    test('VO-19: rejects "" and null for status, author and dates', async () => {
      const id = await create('A');
      for (const field of ['status', 'author', 'date', 'date_utc']) {
        for (const empty of ['', null]) expectRefused(await put(id, { [field]: empty }), field);
      }
      expect((await put(id, { slug: 'x' })).body.slug).toBe('x');
      expect((await put(id, { slug: null })).body.slug).toBe('a');
    });

    test('VO-30: an image of unknown size has four sizes, each with its URL', async () => {
      const { image } = (await post(full)).body;
      const url = String(full.image);
      expect(image).toEqual({
        url,
        id: image.id,
        extension: 'jpg',
        sizes: sizesOf(url, { 'mime-type': 'image/jpeg' }),
      });
      expect(Object.keys(image.sizes as object)).toEqual(['thumbnail', 'medium', 'medium_large', 'large']);
      expect((await get('', adm)).body[kind.collection][0].image).toEqual(image);
    });

    test('VO-24: accepts an image as id, URL or object, and removes it by null or 0', async () => {
      const { body } = await post(full);
      const id = body.image.id as number;
      expect((await put(body.id as number, { image: null })).body).not.toHaveProperty('image');
      expect((await put(body.id as number, { image: id })).body.image).toEqual(body.image);
      expect((await put(body.id as number, { image: full.image })).body.image).toEqual(body.image);
      expect((await put(body.id as number, { image: 0 })).body).not.toHaveProperty('image');
      expect((await put(body.id as number, { image: body.image })).body.image).toEqual(body.image);
    });

    test('GEN-26, GEN-27, GEN-28: accepts a record sent back, an empty body and a new slug', async () => {
      const { body: created, headers } = await post({ ...full, date: '2026-01-02 03:04:05' });
      service.setNow('2026-11-20T09:00:00Z');
      const { body: before } = await get(`/${created.id}`);
      const again = await put(created.id as number, before as object);
      expect(again.status).toBe(200);
      expect({ ...again.body, modified: 0, modified_utc: 0 }).toEqual({ ...created, modified: 0, modified_utc: 0 });
      const nothing = await put(created.id as number, {});
      expect([nothing.body, nothing.headers.etag]).toEqual([created, headers.etag]);
      const renamed = await service.client.put(`${path}/by-slug/${created.slug}`, { slug: 'other' }, adm);
      expect([renamed.status, renamed.body.slug]).toEqual([200, 'other']);
      expect((await get(`/by-slug/${created.slug}`)).status).toBe(404);
    });

    test('EV-UPD-13, EV-UPD-14: moves a record into the trash and restores it', async () => {
      const id = await create('A');
      expect((await put(id, named('B', { status: 'trash' }))).body).toMatchObject(named('B', { slug: 'a__trashed' }));
      const before = await get(`/${id}`, adm);
      expect((await put(id, { status: 'trash' })).headers.etag).toMatch(/^"2-/);
      expect((await put(id, { status: 'trash' })).body.modified).toBe(before.body.modified);
      expect((await put(id, named('C'))).body.status).toBe('trash');
      await create('A');
      expect((await put(id, { status: 'publish' })).body).toMatchObject(named('C', { status: 'publish', slug: 'a-2' }));
    });

    test('AUTH-04, AUTH-05, AUTH-06, AUTH-08, VO-28: limits updates and deletions by role and author', async () => {
      const { con, aut, edi } = service.tokens;
      const ofAdm = await create('Of adm');
      const draft = await create('Of con', { status: 'draft' }, con);
      const ofAut = await create('Of aut', {}, aut);
      const addresses = (id: number, slug: string) => [`${path}/${id}`, `${path}/by-slug/${slug}`];
      for (const address of addresses(ofAdm, 'of-adm')) {
        for (const [token, status] of [
          [undefined, 401],
          [service.tokens.sub, 403],
          [con, 403],
          [aut, 403],
        ] as const) {
          expect((await service.client.put(address, { description: 'x' }, token)).status).toBe(status);
          expect((await service.client.delete(address, token)).status).toBe(status);
        }
        expect((await service.client.put(address, { description: 'x' }, edi)).status).toBe(200);
      }
      for (const address of addresses(draft, 'of-con')) {
        expect((await service.client.put(address, { description: address }, con)).status).toBe(200);
      }
      expect((await put(ofAut, { author: service.userIds.con }, aut)).status).toBe(403);
      expect((await put(ofAut, { author: service.userIds.con }, edi)).status).toBe(200);
      expect((await put(ofAut, { description: 'x' }, con)).status).toBe(403);
      expect((await put(2389, { author: service.userIds.con }, aut)).status).toBe(404);
      expect((await put(2389, {}, con)).status).toBe(404);
      expect((await remove(draft, con)).status).toBe(200);
      expect((await remove(ofAdm, edi)).status).toBe(200);
    });

    test.each(['id', 'slug'])('VO-28: checks If-Match on requests by %s', async (by) => {
      const { body, headers } = await post(named('A', { slug: 'matched' }));
      const address = by === 'id' ? `${path}/${body.id}` : `${path}/by-slug/matched`;
      const send = (method: string, tag: string, sent?: object) =>
        service.client.send(address, { method, body: sent, token: adm, headers: { 'if-match': tag } });
      expect((await send('PUT', headers.etag as string, named('B'))).status).toBe(200);
      const stale = await send('PUT', headers.etag as string, named('C'));
      expect([stale.status, stale.body.code]).toEqual([412, 'rest_precondition_failed']);
      expect((await send('DELETE', headers.etag as string)).status).toBe(412);
      const sparse = await get(`/${body.id}?_fields=id`);
      expect((await send('PUT', `"9-x", ${sparse.headers.etag}`, named('D'))).status).toBe(200);
      expect((await send('DELETE', '*')).status).toBe(200);
      const trashed = by === 'id' ? address : `${address}__trashed`;
      const again = { method: 'DELETE', token: adm, headers: { 'if-match': '"1-x"' } };
      expect((await service.client.send(trashed, again)).status).toBe(412);
    });
  });

  describe(`DELETE ${path}/{id}`, () => {
    test('VO-26: moves a record into the trash and back', async () => {
      const [id, other] = [await create('A'), await create('B')];
      const eventId = await event([id, other]);
      const trashed = await remove(id);
      expect([trashed.status, trashed.body.status, trashed.body.slug]).toEqual([200, 'trash', 'a__trashed']);
      const again = await remove(id);
      expect([again.status, again.body.code]).toEqual([410, `${kind.noun}-is-in-trash`]);
      expect((await remove('by-slug/a')).status).toBe(404);
      expect((await remove('by-slug/a__trashed')).status).toBe(410);
      expect(await list(`?event=${eventId}`)).toEqual(['B']);
      expect((await put(id, { status: 'publish' })).body.slug).toBe('a');
      expect(await list(`?event=${eventId}`)).toEqual(['B', 'A']);
    });

    test('VO-27: deletes a record for good with force', async () => {
      expect((await service.client.delete(`${path}/2389`)).status).toBe(401);
      expect((await remove(2389)).status).toBe(404);
      const { body } = await post(full);
      const eventId = await event([body.id as number, await create('B')]);
      expectRefused(await remove(`${body.id}?force=maybe`), 'force');
      const deleted = await remove(`${body.id}?force=true`);
      expect([deleted.status, deleted.body]).toEqual([200, { deleted: true, previous: body }]);
      expect((await get(`/${body.id}`)).status).toBe(404);
      expect(await list(`?event=${eventId}`)).toEqual(['B']);
      const links = await service.app.get(Database).query(`SELECT * FROM ${kind.linkTable}`);
      expect(links).toHaveLength(1);
      const trashed = await create('C', { status: 'trash' });
      const sent = { method: 'DELETE', body: { force: 'yes' }, token: adm };
      const gone = await service.client.send(`${path}/${trashed}`, sent);
      expect(gone.body.previous).toMatchObject({ status: 'trash', slug: 'c__trashed' });
    });

    test('records every change with its user', async () => {
      const id = await create('A');
      await put(id, named('B'));
      await remove(id);
      await remove(`${id}?force=1`);
      const changes = await service.app.get(Database).query(`SELECT kind, record_id, user_id FROM changes ORDER BY id`);
      const names = ['created', 'updated', 'trashed', 'deleted'].map((change) => `${kind.noun}.${change}`);
      expect(changes).toEqual(names.map((name) => ({ kind: name, record_id: id, user_id: service.userIds.adm })));
    });
  });

  describeLinks(linkedPost, () => service, create);
}
