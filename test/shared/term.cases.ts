import { Database } from '../../src/database/database.js';
import { TABLES } from '../../src/database/sql/tables.js';
import type { TermKind } from '../../src/terms/term.kind.js';
import { type CallerName, startApp, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { insertEvent } from '../support/rows.js';

/** The properties of a taxonomy that the cases need. */
export interface TermCase {
  readonly kind: TermKind;
  /** The other collection, whose ids are unknown here. */
  readonly other: string;
  readonly mayWrite: readonly CallerName[];
  readonly mayNotWrite: readonly CallerName[];
  readonly namesAreUnique: string;
}

const MEMBERS = ['id', 'count', 'description', 'name', 'slug', 'taxonomy', 'parent', 'meta', 'url', 'urls'];
const KEYS = [...MEMBERS, 'term_group', 'term_taxonomy_id', 'filter'];

/** The conformance cases that categories and tags share. */
export function describeTerms({ kind, other, mayWrite, mayNotWrite, namesAreUnique }: TermCase): void {
  const path = `/${kind.collection}`;
  let service: TestApp;
  let adm: string;

  beforeEach(async () => {
    service = await startApp();
    adm = service.tokens.adm;
  });

  afterEach(() => service.close());

  const get = (query = '') => service.client.get(path + query);
  const post = (body: object, token = adm) => service.client.post(path, body, token);
  const put = (id: number, body: object, token = adm) => service.client.put(`${path}/${id}`, body, token);
  const create = async (name: string, fields: object = {}): Promise<number> =>
    (await post({ name, ...fields })).body.id as number;
  const list = async (query: string): Promise<string[]> =>
    ((await get(`?hide_empty=false&${query}`)).body[kind.collection] as { name: string }[]).map(({ name }) => name);

  const expectInvalid = (reply: Reply, ...names: string[]) => {
    expect(reply.body).toMatchObject({ code: 'rest_invalid_param', data: { status: 400 } });
    expect(Object.keys(reply.body.data.params as object)).toEqual(names);
  };

  const used = (...terms: number[]) => insertEvent(service, { terms });

  const columnOf = async (table: string, column: string, where: string): Promise<unknown[]> =>
    (await service.app.get(Database).query(`SELECT ${column} AS found FROM ${table} WHERE ${where}`)).map(
      ({ found }) => found,
    );

  describe(`GET ${path}`, () => {
    test('TERM-01: returns an empty list with its members in order', async () => {
      const { status, body, headers } = await get('?hide_empty=false');
      expect(status).toBe(200);
      expect(Object.keys(body as object)).toEqual(['rest_url', 'total', 'total_pages', kind.collection]);
      expect(body).toMatchObject({ total: 0, total_pages: 0, [kind.collection]: [] });
      expect(headers['x-tec-total']).toBe('0');
      expect(headers['x-tec-totalpages']).toBe('0');
      expect(headers['x-tec-perpage']).toBe('10');
    });

    test('TERM-02: returns pages with links, and an empty page after the last', async () => {
      for (let n = 1; n <= 9; n += 1) await create(`Term ${n}`);
      const query = '?hide_empty=false&per_page=3';
      const first = await get(query);
      const root = `${first.body.rest_url.split(path)[0]}${path}`;
      expect(Object.keys(first.body as object)).toEqual([
        'rest_url',
        'total',
        'total_pages',
        kind.collection,
        'next_rest_url',
      ]);
      expect(first.body.rest_url).toBe(`${root}/?page=1&per_page=3&hide_empty=false`);
      expect(first.body.next_rest_url).toBe(`${root}/?per_page=3&hide_empty=false&page=2`);
      expect(first.body).toMatchObject({ total: 9, total_pages: 3 });
      expect(first.headers.link).toBe(`<${first.body.next_rest_url}>; rel="next"`);
      const last = await get(`${query}&page=3`);
      expect(last.body[kind.collection].map(({ name }: { name: string }) => name)).toEqual([
        'Term 7',
        'Term 8',
        'Term 9',
      ]);
      expect(last.body).not.toHaveProperty('next_rest_url');
      const beyond = await get(`${query}&page=4`);
      expect(beyond.status).toBe(200);
      expect(beyond.body).toMatchObject({ total: 9, total_pages: 3, [kind.collection]: [] });
      expect(beyond.body.previous_rest_url).toBe(`${root}/?per_page=3&hide_empty=false&page=3`);
      const far = await get(`${query}&page=9007199254740991`);
      expect(far.status).toBe(200);
      expect(far.body[kind.collection]).toEqual([]);
    });

    test('TERM-02: links carry every filter in documented order', async () => {
      const [a, b] = [await create('A a'), await create('B a')];
      const { body } = await get(
        `?slug=a-a&orderby=ID&order=DESC&include=${b},${a}&search=a+a&exclude[]=${b}&hide_empty=no&x=1`,
      );
      expect(body.rest_url.split('?')[1]).toBe(
        `page=1&per_page=10&search=a+a&exclude=${b}&include=${b}%2C${a}&order=desc&orderby=id&hide_empty=false&slug=a-a`,
      );
    });

    test('TERM-02: rejects a page or per_page that is below 1 or not a number', async () => {
      for (const value of ['0', '-1', 'foo', '', '1.5']) {
        expectInvalid(await get(`?page=${value}`), 'page');
        expectInvalid(await get(`?per_page=${value}`), 'per_page');
      }
      expect((await get('?per_page=1000')).headers['x-tec-perpage']).toBe('100');
    });

    test('TERM-03: hide_empty is the default', async () => {
      const [a] = [await create('A'), await create('B')];
      await used(a);
      expect((await get()).body).toMatchObject({ total: 1, [kind.collection]: [{ id: a, count: 1 }] });
      expect((await get('?hide_empty=0')).body.total).toBe(2);
      for (const value of ['', 'foo']) expectInvalid(await get(`?hide_empty=${value}`), 'hide_empty');
    });

    test('TERM-04: searches name and slug, regardless of case and accents', async () => {
      await create('Foo fighters');
      await create('Bar', { slug: 'the-foo' });
      await create('Baz', { description: 'foo' });
      await create('Fête');
      expect(await list('search=F%C3%93O')).toEqual(['Bar', 'Foo fighters']);
      expect(await list('search=fete')).toEqual(['Fête']);
      expect(await list('search=r+fo')).toEqual([]);
      expect(await list('search=none')).toEqual([]);
      for (const value of ['', '%20', '%09', '%CC%81']) expectInvalid(await get(`?search=${value}`), 'search');
      expectInvalid(await get(`?search=${'x'.repeat(501)}`), 'search');
      expectInvalid(await get(`?search=${'x+'.repeat(21)}`), 'search');
    });

    test('TERM-05: exclude and include accept an id, a list or CSV, and reject unknown ids', async () => {
      const [a, b, c] = [await create('A'), await create('B'), await create('C')];
      const foreign = (await service.client.post(`/${other}`, { name: 'X' }, adm)).body.id as number;
      expect(await list(`exclude=${a}`)).toEqual(['B', 'C']);
      expect(await list(`exclude=${a},+${b}`)).toEqual(['C']);
      expect(await list(`include[]=${c}&include[]=${a}`)).toEqual(['A', 'C']);
      expect(await list(`include=${c}&include=${a}`)).toEqual(['A', 'C']);
      expect(await list(`include=${a},${b}&exclude=${a}`)).toEqual(['B']);
      for (const name of ['exclude', 'include']) {
        for (const value of ['2389', `${a},2389`, String(foreign), 'foo', '', '-1', '9007199254740991']) {
          expectInvalid(await get(`?${name}=${value}`), name);
        }
      }
      expectInvalid(await get('?include=2388&exclude=2389&slug='), 'exclude', 'include', 'slug');
      const { body } = await get(`?include=${a},2388,2389`);
      expect(body.data.details.include).toEqual({
        code: 'rest_unknown_reference',
        message: 'include refers to something that does not exist: 2388, 2389.',
        data: null,
      });
    });

    test('TERM-06: sorts by orderby and order', async () => {
      const [b, a, c] = [
        await create('b', { slug: 'x', description: 'y' }),
        await create('A', { slug: 'z', description: 'Z' }),
        await create('C', { slug: 'y', description: '𝒳' }),
      ];
      await used(a, b);
      const orders = async (orderby: string, extra = '') => [
        await list(`orderby=${orderby}${extra}`),
        await list(`orderby=${orderby}&order=desc${extra}`),
      ];
      expect(await list('')).toEqual(['A', 'b', 'C']);
      expect(await orders('name')).toEqual([
        ['A', 'b', 'C'],
        ['C', 'b', 'A'],
      ]);
      for (const word of ['id', 'term_id', 'ID', 'none']) {
        expect(await orders(word)).toEqual([
          ['b', 'A', 'C'],
          ['C', 'A', 'b'],
        ]);
      }
      expect(await orders('slug')).toEqual([
        ['b', 'C', 'A'],
        ['A', 'C', 'b'],
      ]);
      expect(await orders('count')).toEqual([
        ['C', 'b', 'A'],
        ['b', 'A', 'C'],
      ]);
      expect(await orders('description')).toEqual([
        ['b', 'A', 'C'],
        ['C', 'A', 'b'],
      ]);
      for (const word of ['term_group', 'include', 'include_slugs', 'parent']) {
        expect(await orders(word)).toEqual([
          ['b', 'A', 'C'],
          ['b', 'A', 'C'],
        ]);
      }
      for (const word of ['include', 'include_slugs']) {
        expect(await orders(word, `&include=${c},${b},${a}`)).toEqual([
          ['C', 'b', 'A'],
          ['A', 'b', 'C'],
        ]);
      }
      expect(await list(`orderby=include&include=${c},${b},${a}&per_page=2&page=2`)).toEqual(['A']);
      for (const name of ['order', 'orderby']) {
        for (const value of ['', 'foo']) expectInvalid(await get(`?${name}=${value}`), name);
      }
    });

    test('TERM-08: lists the terms of an event; event takes precedence over post', async () => {
      const [a, b] = [await create('A'), await create('B')];
      const foreign = (await service.client.post(`/${other}`, { name: 'X' }, adm)).body.id as number;
      const [first, second] = [await used(a, foreign), await used(b)];
      expect(await list(`post=${first}`)).toEqual(['A']);
      expect(await list(`event=${second}&post=${first}`)).toEqual(['B']);
      expect(await list(`event=${second}&post=2389`)).toEqual(['B']);
      for (const name of ['post', 'event']) {
        for (const value of ['', '2389', '0', 'foo']) expectInvalid(await get(`?${name}=${value}`), name);
      }
    });

    test('TERM-08: an event that the caller may not read is unknown', async () => {
      const { client, tokens, userIds } = service;
      const draft = await insertEvent(service, {
        status: 'draft',
        author_id: userIds.con,
        terms: [await create('A')],
      });
      const query = `${path}?hide_empty=false&event=${draft}`;
      expectInvalid(await client.get(query), 'event');
      expectInvalid(await client.get(query, tokens.aut), 'event');
      for (const token of [tokens.con, tokens.edi, adm]) expect((await client.get(query, token)).body.total).toBe(1);
    });

    test('TERM-08: lists no terms of a password-protected event unless the caller may edit it', async () => {
      const { client, tokens, userIds } = service;
      const event = await insertEvent(service, {
        password_hash: 'x',
        author_id: userIds.aut,
        terms: [await create('A')],
      });
      for (const token of [undefined, tokens.sub, tokens.con]) {
        expect((await client.get(`${path}?post=${event}`, token)).body).toMatchObject({ total: 0 });
      }
      for (const token of [tokens.aut, adm]) {
        expect((await client.get(`${path}?post=${event}`, token)).body).toMatchObject({ total: 1 });
      }
    });

    test('TERM-09: finds a slug in any case, and returns an empty list for an unknown slug', async () => {
      await create('a');
      expect(await list('slug=a')).toEqual(['a']);
      expect(await list('slug=A')).toEqual(['a']);
      expect(await list('slug=foo')).toEqual([]);
      expect(await list('slug=a%20')).toEqual([]);
      expectInvalid(await get('?slug='), 'slug');
    });
  });

  describe(`GET ${path}/{id}`, () => {
    test('TERM-10: returns the object with its keys in order', async () => {
      const id = await create('Jazz & Café', { description: 'Trios' });
      const { status, body, headers } = await get(`/${id}`);
      const root = body.urls.collection.slice(0, -path.length);
      expect(status).toBe(200);
      expect(Object.keys(body as object)).toEqual(KEYS);
      expect(body).toEqual({
        id,
        count: 0,
        description: 'Trios',
        name: 'Jazz & Café',
        slug: 'jazz-cafe',
        taxonomy: kind.taxonomy,
        parent: 0,
        meta: [],
        url: `${new URL(root as string).origin}/${kind.page}/jazz-cafe/`,
        urls: { self: `${root}${path}/${id}`, collection: `${root}${path}` },
        term_group: 0,
        term_taxonomy_id: id,
        filter: 'raw',
      });
      expect(headers.etag).toMatch(/^"1-/);
      expect(headers['last-modified']).toBe('Fri, 20 Nov 2026 08:39:00 GMT');
    });

    test('TERM-10: returns 404 for unknown ids, also those of the other taxonomy', async () => {
      const foreign = (await service.client.post(`/${other}`, { name: 'X' }, adm)).body.id as number;
      for (const id of [foreign, 2389, 0]) {
        const { status, body } = await get(`/${id}`);
        expect(status).toBe(404);
        expect(body.code).toBe(kind.notFound);
        expect(body.message).toMatch(new RegExp(`^${kind.noun} with ID ${id} does not exist\\.$`, 'i'));
      }
      expect((await get('/99999999999999999999')).body.code).toBe(kind.notFound);
      expect((await get('/foo')).body.code).toBe('rest_no_route');
    });

    test('TERM-19: embedded, listed, single and written objects are equal', async () => {
      const written = (await post({ name: 'A' })).body as { id: number };
      const event = await used(written.id);
      const single = (await get(`/${written.id}`)).body;
      expect((await service.client.get(`/events/${event}`)).body[kind.collection]).toEqual([single]);
      expect((await get()).body[kind.collection]).toEqual([single]);
      expect(single).toEqual({ ...written, count: 1 });
      expect((await put(written.id, { description: '' })).body).toEqual(single);
    });

    test('TERM-18: counts published and due events, not scheduled ones or other statuses', async () => {
      const id = await create('A');
      await used(id);
      await insertEvent(service, { status: 'future', date_utc: '2026-11-20 08:39:00', terms: [id] });
      await insertEvent(service, { status: 'future', date_utc: '2026-11-20 08:40:00', terms: [id] });
      for (const status of ['draft', 'pending', 'private', 'trash'] as const) {
        await insertEvent(service, { status, terms: [id] });
      }
      const past = { start_utc: '2020-01-01 00:00:00', end_utc: '2020-01-01 01:00:00' };
      await insertEvent(service, { ...past, hide_from_listings: 1, terms: [id] });
      const before = await get(`/${id}`);
      expect(before.body.count).toBe(3);
      service.setNow('2026-11-20T08:40:00Z');
      const after = await get(`/${id}`);
      expect(after.body.count).toBe(4);
      expect(after.headers['last-modified']).toBe(before.headers['last-modified']);
      expect(after.headers.etag).not.toBe(before.headers.etag);
    });
  });

  describe(`POST ${path}`, () => {
    test('TERM-11: creates a term', async () => {
      const { status, body, headers } = await post({
        name: ' <b>New</b> one ',
        description: 'Some <i>text',
        slug: 'Ü x',
      });
      expect(status).toBe(201);
      expect(body).toMatchObject({ name: 'New one', description: 'Some text', slug: 'u-x', count: 0, parent: 0 });
      expect(headers.location).toBe(body.urls.self);
      expect((await service.client.get(`/${other}/${body.id}`)).status).toBe(404);
      const next = (await service.client.post(`/${other}`, { name: 'X' }, adm)).body.id as number;
      expect((await get(`/${next}`)).status).toBe(404);
    });

    test('TERM-12: rejects invalid fields and accepts empty ones', async () => {
      expect((await post({})).body).toMatchObject({
        code: 'rest_missing_callback_param',
        data: { params: ['name'] },
      });
      for (const name of ['', '  ', '<b></b>', 'x'.repeat(201), true, []]) expectInvalid(await post({ name }), 'name');
      expectInvalid(await post({ name: 'A', slug: '!!!', description: {} }), 'description', 'slug');
      expect((await post({ name: 'x'.repeat(200) })).status).toBe(201);
      const { status, body } = await post({ name: 'A', description: '', slug: '', parent: '' });
      expect(status).toBe(201);
      expect(body).toMatchObject({ description: '', slug: 'a', parent: 0 });
    });

    test('TERM-12: a name without any letter gets the id as slug', async () => {
      const { body } = await post({ name: '!!!' });
      expect(body.slug).toBe(String(body.id));
      expect(await list(`search=${body.id}`)).toEqual(['!!!']);
    });

    test('TERM-13: rejects an existing name in another case', async () => {
      const id = await create('Música');
      const { status, body } = await post({ name: 'MÚSICA' });
      expect(status).toBe(400);
      expect(body).toEqual({
        code: 'term_exists',
        message: `A term with the name provided already exists ${namesAreUnique}.`,
        data: { status: 400, term_id: id },
        additional_data: [id],
      });
      expect((await post({ name: 'Musica' })).body.slug).toBe('musica-2');
      expect((await service.client.post(`/${other}`, { name: 'Música' }, adm)).body.slug).toBe('musica');
    });

    test('TERM-13: of concurrent equal requests exactly one succeeds', async () => {
      const replies = await Promise.all(Array.from({ length: 6 }, () => post({ name: 'Same' })));
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400]);
    });

    test('TERM-14: a slug in use is suffixed', async () => {
      for (let n = 1; n <= 12; n += 1) {
        expect((await post({ name: `Name ${n}`, slug: 'S' })).body.slug).toBe(n === 1 ? 's' : `s-${n}`);
      }
    });

    test('writes the change record', async () => {
      const id = await create('A');
      await put(id, { name: 'B' });
      await service.client.delete(`${path}/${id}`, adm);
      const kinds = await columnOf(
        TABLES.changes,
        'kind',
        `record_id = ${id} AND kind LIKE '${kind.noun}.%' ORDER BY id`,
      );
      expect(kinds).toEqual([`${kind.noun}.created`, `${kind.noun}.updated`, `${kind.noun}.deleted`]);
    });
  });

  describe(`PUT ${path}/{id}`, () => {
    test('TERM-14: rejects the slug of another term', async () => {
      const [a, b] = [await create('A'), await create('B')];
      const { status, body } = await put(b, { slug: 'A' });
      expect(status).toBe(409);
      expect(body).toEqual({
        code: 'duplicate_term_slug',
        message: 'The slug "a" is already in use by another term.',
        data: { status: 409, term_id: a },
      });
      expect((await put(b, { slug: 'B' })).status).toBe(200);
    });

    test('TERM-15: keeps omitted fields and clears empty ones', async () => {
      const id = await create('A', { description: 'D', slug: 's' });
      expect((await put(id, { name: 'B' })).body).toMatchObject({ name: 'B', description: 'D', slug: 's' });
      expect((await put(id, { description: '' })).body).toMatchObject({ name: 'B', description: '', slug: 's' });
      expect((await put(id, { slug: null })).body).toMatchObject({ slug: 'b' });
      expectInvalid(await put(id, { name: '' }), 'name');
      expectInvalid(await put(id, { name: null }), 'name');
      expect(await list('search=s')).toEqual([]);
      expect(await list('search=b')).toEqual(['B']);
    });

    test('TERM-13: rejects an existing name, and accepts its own name in another case', async () => {
      const [a, b] = [await create('A'), await create('B')];
      expect((await put(b, { name: 'a' })).body).toMatchObject({ code: 'term_exists', data: { term_id: a } });
      expect((await put(b, { name: 'b' })).body.name).toBe('b');
    });

    test('GEN-28: an update without any field changes nothing', async () => {
      const { body, headers } = await post({ name: 'A' });
      service.setNow('2026-11-20T09:00:00Z');
      for (const fields of [{}, { count: 7 }]) {
        const reply = await put(body.id as number, fields);
        expect(reply.status).toBe(200);
        expect(reply.headers.etag).toBe(headers.etag);
        expect(reply.headers['last-modified']).toBe(headers['last-modified']);
      }
    });

    test('GEN-27: the whole body sent back changes nothing but the revision', async () => {
      const { body } = await post({ name: 'A' });
      const reply = await put(body.id as number, body as object);
      expect(reply.body).toEqual(body);
      expect(reply.headers.etag).toMatch(/^"2-/);
    });

    test('GEN-19: rejects If-Match with an old revision', async () => {
      const { body, headers } = await post({ name: 'A' });
      const at = `${path}/${body.id}`;
      const send = (method: string, ifMatch: string, fields: object = { name: 'B' }) =>
        service.client.send(at, { method, token: adm, body: fields, headers: { 'if-match': ifMatch } });
      expect((await send('PATCH', headers.etag!)).status).toBe(200);
      expect((await send('PUT', headers.etag!, { name: 'C' })).body.code).toBe('rest_precondition_failed');
      expect((await send('DELETE', headers.etag!, {})).status).toBe(412);
      expect((await service.client.get(at)).body.name).toBe('B');
      const reduced = await service.client.get(`${at}?_fields=id`);
      expect((await send('POST', `"9-x", ${reduced.headers.etag}`)).status).toBe(200);
      expect((await send('DELETE', '*', {})).status).toBe(200);
    });
  });

  describe(`DELETE ${path}/{id}`, () => {
    test('TERM-17: returns the last state, then 404; events lose the term', async () => {
      const [a, b] = [await create('A'), await create('B')];
      const event = await used(a, b);
      const before = (await get(`/${a}`)).body;
      const { status, body } = await service.client.delete(`${path}/${a}`, adm);
      expect(status).toBe(200);
      expect(body).toEqual(before);
      expect((await get(`/${a}`)).status).toBe(404);
      expect((await service.client.delete(`${path}/${a}`, adm)).body.code).toBe(kind.notFound);
      expect(await list(`event=${event}`)).toEqual(['B']);
      expect(await columnOf(TABLES.eventTerms, 'term_id', `event_id = ${event}`)).toEqual([b]);
    });

    test('TERM-17: accepts force in the query or the body', async () => {
      const [a, b] = [await create('A'), await create('B')];
      const before = (await get(`/${a}`)).body;
      const { body } = await service.client.delete(`${path}/${a}?force=true`, adm);
      expect(body).toEqual({ deleted: true, previous: before });
      const sent = { method: 'DELETE', body: { force: 1 }, token: adm };
      expect((await service.client.send(`${path}/${b}`, sent)).body).toMatchObject({ deleted: true });
      expectInvalid(await service.client.delete(`${path}/${b}?force=x`, adm), 'force');
    });
  });

  describe('rights', () => {
    test('AUTH-13, AUTH-14: allows writes only with the right', async () => {
      const { client, tokens } = service;
      for (const name of mayWrite) {
        const { status, body } = await post({ name: `By ${name}` }, tokens[name]);
        expect(status).toBe(201);
        expect((await put(body.id as number, { description: 'x' }, tokens[name])).status).toBe(200);
        expect((await client.delete(`${path}/${body.id}`, tokens[name])).status).toBe(200);
      }
      const id = await create('A');
      for (const name of mayNotWrite) {
        expect((await post({ name: 'B' }, tokens[name])).status).toBe(403);
        expect((await put(id, { name: 'B' }, tokens[name])).status).toBe(403);
        expect((await client.delete(`${path}/${id}`, tokens[name])).status).toBe(403);
      }
      for (const [method, at] of [
        ['POST', path],
        ['PUT', `${path}/${id}`],
        ['DELETE', `${path}/2389`],
      ] as const) {
        const reply = await client.send(at, { method, body: { name: 'B' } });
        expect(reply.body).toMatchObject({ code: 'rest_forbidden', data: { status: 401 } });
        expect(reply.headers['www-authenticate']).toBe('Bearer realm="calendar"');
      }
    });

    test('ERR-08: checks parameters before rights', async () => {
      expectInvalid(await service.client.post(path, { name: '' }), 'name');
      expect((await put(2389, { name: 'B' })).body.code).toBe(kind.notFound);
    });
  });
}
