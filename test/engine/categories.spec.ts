import { CATEGORY } from '../../src/categories/category.kind.js';
import { Database } from '../../src/database/database.js';
import { Problems } from '../../src/errors/problems.js';
import { TermLinks } from '../../src/terms/term.resolve.js';
import { startApp, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { insertEvent } from '../support/rows.js';
import { describeTermLinks } from '../shared/term-links.cases.js';
import { describeTerms } from '../shared/term.cases.js';

describeTerms({
  kind: CATEGORY,
  other: 'tags',
  mayWrite: ['aut', 'edi', 'adm'],
  mayNotWrite: ['sub', 'con'],
  namesAreUnique: 'with this parent',
});

describeTermLinks(CATEGORY, 'author', 'contributor');

describe('parents of categories', () => {
  let service: TestApp;

  beforeEach(async () => {
    service = await startApp();
  });

  afterEach(() => service.close());

  const post = (body: object) => service.client.post('/categories', body, service.tokens.adm);
  const put = (id: number, body: object) => service.client.put(`/categories/${id}`, body, service.tokens.adm);
  const create = async (name: string, parent?: number) => (await post({ name, parent })).body.id as number;
  const names = async (query: string): Promise<string[]> =>
    ((await service.client.get(`/categories?${query}`)).body.categories as { name: string }[]).map(({ name }) => name);

  const expectRefused = ({ body }: Reply, code: string) => {
    expect(body).toMatchObject({ code: 'rest_invalid_param', data: { details: { parent: { code } } } });
  };

  test('TERM-03: hide_empty keeps the empty parents of used categories', async () => {
    const top = await create('Top');
    const middle = await create('Middle', top);
    const bottom = await create('Bottom', middle);
    await create('Unused', top);
    await insertEvent(service, { terms: [bottom] });
    await insertEvent(service, { status: 'draft', terms: [await create('Drafts')] });
    const { body } = await service.client.get('/categories');
    expect(body.categories).toMatchObject([
      { id: bottom, count: 1 },
      { id: middle, count: 0 },
      { id: top, count: 0 },
    ]);
    expect(body.total).toBe(3);
  });

  test('TERM-07: the parent filter lists direct children', async () => {
    const top = await create('Top');
    await create('Low', await create('Child', top));
    expect(await names(`hide_empty=false&parent=${top}`)).toEqual(['Child']);
    expect(await names('hide_empty=false&parent=0')).toEqual(['Top']);
    for (const value of ['2389', '', 'foo']) {
      expect((await service.client.get(`/categories?parent=${value}`)).body.data.params).toHaveProperty('parent');
    }
    expect((await service.client.get(`/categories?parent=0&event=2389`)).body.data.params).toHaveProperty('event');
    const { body } = await service.client.get(`/categories?parent=${top}&hide_empty=0`);
    expect(body.rest_url).toMatch(new RegExp(`\\?page=1&per_page=10&hide_empty=false&parent=${top}$`));
  });

  test('TERM-06: orderby=parent sorts by the id of the parent', async () => {
    const [a, b] = [await create('A'), await create('B')];
    await create('C', b);
    await create('D', a);
    expect(await names('hide_empty=0&orderby=parent')).toEqual(['A', 'B', 'D', 'C']);
    expect(await names('hide_empty=0&orderby=parent&order=desc')).toEqual(['C', 'D', 'A', 'B']);
  });

  test('TERM-10, TERM-11: a child links to its parent as up', async () => {
    const top = await create('Top');
    const { status, body } = await post({ name: 'Child', parent: String(top) });
    expect(status).toBe(201);
    expect(body.parent).toBe(top);
    expect(body.urls.up).toBe(`${body.urls.collection}/${top}`);
    expect(Object.keys(body.urls as object)).toEqual(['self', 'collection', 'up']);
    expect((await service.client.get(`/categories/${body.id}`)).body).toEqual(body);
  });

  test('TERM-12: an unknown parent returns 400, but 401 or 403 to callers without write access', async () => {
    const { client, tokens } = service;
    const tag = (await client.post('/tags', { name: 'T' }, tokens.adm)).body.id as number;
    for (const parent of [2389, -1, tag]) expectRefused(await post({ name: 'A', parent }), 'rest_unknown_reference');
    for (const parent of ['foo', 1.5]) expectRefused(await post({ name: 'A', parent }), 'rest_invalid_type');
    expect((await client.post('/categories', { name: 'A', parent: 2389 })).status).toBe(401);
    expect((await client.post('/categories', { name: 'A', parent: 2389 }, tokens.con)).status).toBe(403);
    const both = await post({ name: '', parent: 2389 });
    expect(Object.keys(both.body.data.params as object)).toEqual(['name', 'parent']);
  });

  test('TERM-13: a name may occur again under another parent', async () => {
    const top = await create('Music');
    const { status, body } = await post({ name: 'music', parent: top });
    expect(status).toBe(201);
    expect(body.slug).toBe('music-2');
    expect((await put(body.id as number, { parent: 0 })).body).toMatchObject({
      code: 'term_exists',
      data: { term_id: top },
    });
    expect((await put(body.id as number, { description: 'x' })).status).toBe(200);
  });

  test('TERM-15: parent 0 or null is the top level; the category itself and its descendants are rejected', async () => {
    const top = await create('Top');
    const child = await create('Child', top);
    const low = await create('Low', child);
    for (const parent of [child, low]) expectRefused(await put(child, { parent }), 'rest_not_allowed');
    expectRefused(await put(top, { parent: low }), 'rest_not_allowed');
    expectRefused(await put(top, { parent: 2389 }), 'rest_unknown_reference');
    expect((await put(low, { parent: 0 })).body.parent).toBe(0);
    expect((await put(child, { parent: null })).body.parent).toBe(0);
    expect((await put(child, { parent: top, description: 'x' })).body).toMatchObject({ parent: top, description: 'x' });
    expect((await put(child, { parent: '' })).body.parent).toBe(0);
  });

  test('TERM-15: an update of one field changes only that field', async () => {
    const [top, other] = [await create('Top'), await create('Other top')];
    const made = (await post({ name: 'Child', slug: 'child', description: 'D', parent: top })).body;
    const fields = { id: made.id, name: 'Child', slug: 'child', description: 'D', parent: top };
    let expected: Record<string, unknown> = fields;
    expect(made).toMatchObject(expected);
    for (const [field, value] of Object.entries({ name: 'New', slug: 'new', description: 'E', parent: other })) {
      expected = { ...expected, [field]: value };
      expect((await put(made.id as number, { [field]: value })).body).toMatchObject(expected);
    }
    // Both the name and the slug are searched, whichever was sent last.
    await put(made.id as number, { slug: 'zebra' });
    await put(made.id as number, { description: 'F' });
    for (const search of ['zebra', 'new']) expect(await names(`hide_empty=0&search=${search}`)).toEqual(['New']);
    await put(made.id as number, { name: 'Newer' });
    for (const search of ['zebra', 'newer']) expect(await names(`hide_empty=0&search=${search}`)).toEqual(['Newer']);
  });

  test('TERM-15: two categories cannot become each other’s parent at the same time', async () => {
    const [a, b] = [await create('A'), await create('B')];
    const replies = await Promise.all([put(a, { parent: b }), put(b, { parent: a })]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test('TERM-17: a delete moves the children up, even if their name is already taken there', async () => {
    const top = await create('Top');
    const middle = await create('Middle', top);
    const child = await create('Music', middle);
    await create('Music', top);
    const before = await service.client.get(`/categories/${child}`);
    service.setNow('2026-11-20T09:00:00Z');
    await service.client.delete(`/categories/${middle}`, service.tokens.adm);
    const after = await service.client.get(`/categories/${child}`);
    expect(after.body).toEqual({ ...before.body, parent: top, urls: { ...before.body.urls, up: expect.anything() } });
    expect(after.headers.etag).toMatch(/^"2-/);
    expect(after.headers['last-modified']).toBe('Fri, 20 Nov 2026 09:00:00 GMT');
    await service.client.delete(`/categories/${top}`, service.tokens.adm);
    expect(await names('hide_empty=0&parent=0')).toEqual(['Music', 'Music']);
  });

  test('TERM-18: the count of a category excludes events of its children', async () => {
    const top = await create('Top');
    await insertEvent(service, { terms: [await create('Child', top)] });
    expect((await service.client.get(`/categories/${top}`)).body.count).toBe(0);
  });

  test('EV-LIST-24: a filter by a category includes its descendants', async () => {
    const top = await create('Top');
    const child = await create('Child', top);
    const low = await create('Low', child);
    await create('2389');
    const sql = service.app.get(Database);
    const ids = await new TermLinks(CATEGORY).filterIds(sql, ['top', String(low)], 'categories', new Problems([]));
    expect(ids?.toSorted((a, b) => a - b)).toEqual([top, child, low]);
  });
});
