import { startApp, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { category, event, organizer, venue } from '../support/factories.js';
import { expectForbidden, expectInvalid } from '../support/refusals.js';

type Body = Reply['body'];

let service: TestApp;
let adm: string;

const make = (fields: Record<string, unknown> = {}, token = adm): Promise<Body> => event(service.client, token, fields);
const remove = (path: string, token: string | undefined = adm) => service.client.delete(`/events/${path}`, token);
const get = (path: string, token: string | undefined = adm) => service.client.get(`/events/${path}`, token);
const put = (id: number, fields: object) => service.client.put(`/events/${id}`, fields, adm);
const GONE = { code: 'event-is-in-trash', message: 'The event is already trashed', data: { status: 410 } };

beforeAll(async () => {
  service = await startApp();
  adm = service.tokens.adm;
});

afterAll(() => service.close());
afterEach(() => service.setNow('2026-11-20T08:39:00Z'));

describe('DELETE /events/{id}', () => {
  test('EV-DEL-01: returns the trashed record, then 410', async () => {
    const before = await make({ title: 'Deleted', venue: { venue: 'Stays' }, categories: ['Stays'] });
    service.setNow('2026-11-21T10:00:00Z');
    const { status, body, headers } = await remove(String(before.id));
    expect(status).toBe(200);
    expect(headers.etag).toMatch(/^"2-/);
    expect(body).toEqual({
      ...before,
      status: 'trash',
      slug: 'deleted__trashed',
      url: before.url.replace('deleted', 'deleted__trashed'),
      modified: '2026-11-21 10:00:00',
      modified_utc: '2026-11-21 10:00:00',
      categories: [{ ...before.categories[0], count: 0 }],
    });
    const again = await remove(String(before.id));
    expect([again.status, again.body]).toEqual([410, GONE]);
    const anon = await service.client.get(`/events/${before.id}`);
    expect([anon.status, anon.body.code]).toEqual([403, 'event-no-longer-available']);
    expect((await get(String(before.id))).body).toMatchObject({ status: 'trash', slug: 'deleted__trashed' });
    const listed = await service.client.get('/events?status=any', adm);
    expect(listed.body.events.map(({ id }: Body) => id as number)).not.toContain(before.id);
  });

  test('EV-DEL-02: deletes by slug; then the old slug returns 404, the trashed slug 410', async () => {
    const { id } = await make({ title: 'By slug' });
    const { status, body } = await remove('by-slug/By-Slug');
    expect([status, body.id, body.status, body.slug]).toEqual([200, id, 'trash', 'by-slug__trashed']);
    const old = await remove('by-slug/by-slug');
    expect([old.status, old.body.code]).toEqual([404, 'rest-event-not-found']);
    const trashed = await remove('by-slug/by-slug__trashed');
    expect([trashed.status, trashed.body]).toEqual([410, GONE]);
    expect((await get('by-slug/by-slug__trashed')).body.id).toBe(id);
    expect((await remove('by-slug/by-slug__trashed?force=1')).body.deleted).toBe(true);
  });

  test('EV-DEL-02: returns 404 for an unknown record, 401 without credentials', async () => {
    for (const path of ['2323', '0', '99999999999999999999', 'by-slug/no-such']) {
      for (const force of ['', '?force=true']) {
        const { status, body } = await remove(path + force);
        expect([status, body.code]).toEqual([404, 'rest-event-not-found']);
        expectForbidden(await service.client.delete(`/events/${path}${force}`), 401);
      }
    }
  });

  test.each([
    ['query', '?force=true', undefined],
    ['query, by slug', '?force=yes', undefined],
    ['JSON', '', { force: true }],
    ['JSON over the query', '?force=false', { force: '1' }],
  ])('EV-DEL-03: force in the %s deletes permanently', async (title, query, sent) => {
    const { json_ld, ...before } = (await get(String((await make({ title, categories: ['Cat'] })).id))).body;
    expect(json_ld).toBeDefined();
    const path = title.includes('slug') ? `by-slug/${before.slug}` : String(before.id);
    const reply = await service.client.send(`/events/${path}${query}`, { method: 'DELETE', token: adm, body: sent });
    expect([reply.status, reply.body]).toEqual([200, { deleted: true, previous: before }]);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const gone = await service.client.send(`/events/${before.id}`, { method, token: adm });
      expect([gone.status, gone.body.code]).toEqual([404, 'rest-event-not-found']);
    }
    expect((await make({ title })).slug).toBe(before.slug);
  });

  test('EV-DEL-03: accepts force in a form body', async () => {
    const { id } = await make();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await service.client.send(`/events/${id}`, {
      method: 'DELETE',
      token: adm,
      headers,
      body: 'force=on',
    });
    expect(reply.body.deleted).toBe(true);
  });

  test('EV-DEL-03: force also deletes from the trash', async () => {
    const { id } = await make({ title: 'Trashed first' });
    await remove(String(id));
    const { status, body } = await remove(`${id}?force=true`);
    expect([status, body.deleted]).toEqual([200, true]);
    expect(body.previous).toMatchObject({ id, status: 'trash', slug: 'trashed-first__trashed' });
    expect(body.previous).not.toHaveProperty('json_ld');
    expect((await get(String(id))).status).toBe(404);
  });

  test('EV-DEL-03: rejects a force that is not a boolean', async () => {
    const { id } = await make();
    for (const force of ['maybe', '']) expectInvalid(await remove(`${id}?force=${force}`), 'force');
    expect((await get(String(id))).body.status).toBe('publish');
    expect((await remove(`${id}?force=false`)).body.status).toBe('trash');
    expectInvalid(await service.client.delete(`/events/${id}?force=maybe`), 'force');
  });

  test('EV-DEL-04: frees the slug; a restored event gets a suffix', async () => {
    const first = await make({ title: 'Contested' });
    await remove(String(first.id));
    const second = await make({ title: 'Contested' });
    expect(second.slug).toBe('contested');
    const restored = await put(first.id as number, { status: 'publish' });
    expect(restored.body).toMatchObject({ status: 'publish', slug: 'contested-2' });
    await remove(String(second.id));
    expect((await remove(String(first.id))).body.slug).toBe('contested-2__trashed');
    const third = await make({ title: 'Contested' });
    expect((await remove(String(third.id))).body.slug).toBe('contested__trashed-2');
    expect((await get('by-slug/contested__trashed-2')).body.id).toBe(third.id);
  });

  test('EV-DEL-04, section 4: a slug of 200 characters exceeds this length only in the trash', async () => {
    const slug = 'z'.repeat(200);
    const { id } = await make({ slug });
    const other = await make({ slug });
    expect(other.slug).toBe(`${'z'.repeat(198)}-2`);
    expect((await remove(String(id))).body.slug).toBe(`${slug}__trashed`);
    expect((await put(id as number, { status: 'draft' })).body.slug).toBe(slug);
  });

  test('EV-DEL-05: a password is ignored', async () => {
    const { id } = await make();
    await put(id as number, { password: 'secret' });
    expect((await remove(`${id}?password=wrong`)).body.status).toBe('trash');
    expect((await remove(`${id}?password=wrong&force=true`)).body.deleted).toBe(true);
  });

  test('EV-DEL-05: children lose a permanently deleted parent, and keep a trashed one', async () => {
    const parent = await make({ title: 'Parent' });
    const child = await make({ title: 'Child', post_parent: parent.id });
    const other = await make({ title: 'Other child', post_parent: parent.id });
    await remove(String(parent.id));
    expect((await get(String(child.id))).body.post_parent).toBe(parent.id);
    const tag = (await get(String(child.id))).headers.etag;
    service.setNow('2026-11-21T10:00:00Z');
    await remove(`${parent.id}?force=true`);
    const after = await get(String(child.id));
    expect(after.body).toMatchObject({ post_parent: 0, modified: '2026-11-21 10:00:00' });
    expect(after.headers.etag).toMatch(/^"2-/);
    expect(tag).toMatch(/^"1-/);
    expect((await get(String(other.id))).body.post_parent).toBe(0);
  });

  test('EV-DEL-05: a child created concurrently never keeps a deleted parent', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await make();
      const replies = await Promise.all([
        remove(`${id}?force=true`),
        service.client.post('/events', { title: 'C', start_date: 'now', end_date: 'now', post_parent: id }, adm),
      ]);
      expect(replies[0].status).toBe(200);
      if (replies[1].status === 201) {
        expect((await get(String(replies[1].body.id))).body.post_parent).toBe(0);
      } else expectInvalid(replies[1], 'post_parent');
    }
  });

  test('10.6: keeps the records that the event was linked to', async () => {
    const { client } = service;
    const [hall, ann] = [await venue(client, adm), await organizer(client, adm)];
    const music = await category(client, adm, { name: 'Stays when deleted' });
    const { id } = await make({ venue: hall.id, organizer: ann.id, categories: music.id });
    await remove(`${id}?force=true`);
    for (const path of [`/venues/${hall.id}`, `/organizers/${ann.id}`, `/categories/${music.id}`]) {
      expect((await client.get(path)).status).toBe(200);
    }
    expect((await client.get(`/categories/${music.id}`)).body.count).toBe(0);
  });

  test('GEN-20: returns 412 when If-Match does not match', async () => {
    const { id } = await make();
    await put(id as number, { title: 'Newer' });
    const send = (tag: string, query = '') =>
      service.client.send(`/events/${id}${query}`, { method: 'DELETE', token: adm, headers: { 'if-match': tag } });
    for (const query of ['', '?force=true']) {
      const old = await send('"1-abc"', query);
      expect([old.status, old.body.code]).toEqual([412, 'rest_precondition_failed']);
    }
    expect((await get(String(id))).body.status).toBe('publish');
    expect((await send('*')).body.status).toBe('trash');
    expect((await send('"1-abc"')).status).toBe(412);
    expect((await send('*')).status).toBe(410);
    expect((await send('"3-abc"', '?force=true')).status).toBe(200);
  });

  test('of concurrent deletions exactly one succeeds', async () => {
    const { id } = await make();
    const trashed = await Promise.all([1, 2, 3].map(() => remove(String(id))));
    expect(trashed.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
    const forced = await Promise.all([1, 2, 3].map(() => remove(`${id}?force=true`)));
    expect(forced.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  });
});
