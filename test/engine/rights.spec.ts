import { UsersService } from '../../src/platform/auth/users.service.js';
import { type CallerName, startApp, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { category, E, event, organizer, tag, venue } from '../support/factories.js';
import { expectForbidden, expectInvalid } from '../support/refusals.js';

type Body = Reply['body'];
type Fields = Record<string, unknown>;

/** The resources that have an author; the same rights hold for each. */
const POSTS = [
  { noun: 'event', path: '/events', name: 'title', make: event },
  { noun: 'venue', path: '/venues', name: 'venue', make: venue },
  { noun: 'organizer', path: '/organizers', name: 'organizer', make: organizer },
] as const;
const TERMS = [
  { path: '/categories', make: category, mayWrite: ['aut', 'edi', 'adm'], mayNot: ['sub', 'con'] },
  { path: '/tags', make: tag, mayWrite: ['edi', 'adm'], mayNot: ['sub', 'con', 'aut'] },
] as const;
const VERBS = ['POST', 'PUT', 'PATCH', 'DELETE'];

let service: TestApp;
let count = 0;

beforeAll(async () => {
  service = await startApp();
});

afterAll(() => service.close());

const token = (caller: CallerName | 'anon') => (caller === 'anon' ? undefined : service.tokens[caller]);
const send = (path: string, method: string, caller: CallerName | 'anon', body: object = {}) =>
  service.client.send(path, { method, token: token(caller), body });
const read = async (path: string): Promise<Body> => (await service.client.get(path, service.tokens.adm)).body;

describe.each(POSTS.map((post) => [post.path, post] as const))('%s', (path, { name, make, noun }) => {
  /** Creates a record with a unique name. */
  const record = (caller: CallerName, fields: Fields = {}): Promise<Body> =>
    make(service.client, service.tokens[caller], { [name]: `${noun} ${(count += 1)}`, ...fields });
  /** Both paths of a record, by id and by slug; the same rules hold for both. */
  const addresses = ({ id, slug }: Body): string[] => [`${path}/${id}`, `${path}/by-slug/${slug}`];
  const post = (caller: CallerName | 'anon', fields: Fields = {}) =>
    send(path, 'POST', caller, { ...(noun === 'event' ? E : {}), [name]: `${noun} ${(count += 1)}`, ...fields });

  /** Expects that every method is rejected on both paths and changes nothing. */
  async function expectUntouchable(target: Body, caller: CallerName | 'anon', status: 401 | 403) {
    const before = await read(`${path}/${target.id}`);
    for (const address of addresses(before)) {
      for (const method of VERBS) {
        for (const query of method === 'DELETE' ? ['', '?force=true'] : ['']) {
          expectForbidden(await send(address + query, method, caller, { [name]: 'Changed' }), status);
        }
      }
    }
    expect(await read(`${path}/${target.id}`)).toEqual(before);
  }

  /** Expects that updates and deletions succeed on both paths. */
  async function expectWritable(make: () => Promise<Body>, caller: CallerName) {
    for (const place of [0, 1]) {
      const target = await make();
      const address = addresses(target)[place] as string;
      for (const method of ['POST', 'PUT', 'PATCH']) {
        const reply = await send(address, method, caller, { [name]: `Changed by ${method}` });
        expect([reply.status, reply.body[name]]).toEqual([200, `Changed by ${method}`]);
      }
      const trashed = await send(address, 'DELETE', caller);
      expect([trashed.status, trashed.body.status]).toEqual([200, 'trash']);
      expect((await send(`${path}/${target.id}?force=true`, 'DELETE', caller)).body.deleted).toBe(true);
    }
  }

  test('AUTH-04, AUTH-08: contributors cannot change records of other users', async () => {
    for (const status of ['publish', 'draft', 'pending', 'private']) {
      await expectUntouchable(await record('adm', { status }), 'con', 403);
    }
    const trashed = await record('adm', { status: 'trash' });
    await expectUntouchable(trashed, 'con', 403);
  });

  test('AUTH-05, AUTH-08: contributors change their own records until they are published', async () => {
    for (const status of ['publish', 'future']) {
      const date = status === 'future' ? '2030-01-01' : '2020-01-01';
      const own = await record('adm', { author: service.userIds.con, status, date });
      expect(own.status).toBe(status);
      await expectUntouchable(own, 'con', 403);
      await send(`${path}/${own.id}`, 'DELETE', 'adm');
      await expectUntouchable(own, 'con', 403);
    }
    for (const status of ['draft', 'pending', 'private']) await expectWritable(() => record('con', { status }), 'con');
  });

  test('AUTH-06, AUTH-08: editors change all records, authors only their own', async () => {
    for (const status of ['publish', 'draft', 'private']) {
      await expectWritable(() => record('adm', { status }), 'edi');
      await expectWritable(() => record('edi', { status }), 'adm');
      await expectWritable(() => record('aut', { status }), 'aut');
      await expectUntouchable(await record('adm', { status }), 'aut', 403);
    }
  });

  test('AUTH-07, AUTH-08: anonymous callers and subscribers write nothing', async () => {
    for (const status of ['publish', 'draft', 'trash']) {
      const target = await record('adm', { status });
      await expectUntouchable(target, 'anon', 401);
      await expectUntouchable(target, 'sub', 403);
    }
    const own = await record('adm', { author: service.userIds.sub, status: 'draft' });
    await expectUntouchable(own, 'sub', 403);
    const before = (await read(`${path}?status=any`)).total as number;
    expectForbidden(await post('anon'), 401);
    expectForbidden(await post('sub'), 403);
    expect((await read(`${path}?status=any`)).total).toBe(before);
  });

  test('AUTH-07, ERR-09: only callers with write access get 404 for a record that does not exist', async () => {
    for (const address of [`${path}/2323`, `${path}/by-slug/no-such`]) {
      for (const method of VERBS) {
        expectForbidden(await send(address, method, 'anon'), 401);
        expectForbidden(await send(address, method, 'sub'), 403);
        for (const caller of ['con', 'aut', 'edi', 'adm'] as const) {
          const { status, body } = await send(address, method, caller);
          expect([status, body.code]).toEqual([404, `rest-${noun}-not-found`]);
        }
      }
    }
  });

  test('ERR-08: checks parameters before rights, and ids after rights', async () => {
    const target = await record('adm');
    for (const caller of ['anon', 'sub'] as const) {
      const status = caller === 'anon' ? 401 : 403;
      expectInvalid(await post(caller, { date: 'foo' }), 'date');
      expectInvalid(await send(`${path}/${target.id}`, 'PUT', caller, { status: 'foo' }), 'status');
      for (const unknown of [{ author: 2323 }, { image: 2323 }]) {
        expectForbidden(await post(caller, unknown), status);
        expectForbidden(await send(`${path}/${target.id}`, 'PUT', caller, unknown), status);
      }
    }
    expectInvalid(await send(`${path}/${target.id}`, 'PUT', 'con', { author: 2323 }), 'author');
  });

  test('AUTH-09: contributors never publish', async () => {
    const cases = [
      [{ status: 'publish' }, 'pending'],
      [{ status: 'future', date: '2030-01-01' }, 'pending'],
      [{}, 'draft'],
      [{ date: '2030-01-01' }, 'draft'],
      [{ status: 'draft' }, 'draft'],
      [{ status: 'private' }, 'private'],
      [{ status: 'pending' }, 'pending'],
    ] as const;
    for (const [fields, status] of cases) {
      const { id, status: created } = await record('con', fields);
      expect(created).toBe(status);
      expect((await service.client.get(`${path}/${id}`)).body.code).toBe(`${noun}-not-accessible`);
      for (const wanted of ['publish', 'future']) {
        expect((await send(`${path}/${id}`, 'PUT', 'con', { status: wanted })).body.status).toBe('pending');
      }
      await send(`${path}/${id}`, 'DELETE', 'con');
      expect((await send(`${path}/${id}`, 'PUT', 'con', { status: 'publish' })).body.status).toBe('pending');
    }
  });

  test('AUTH-10: authors, editors and administrators publish', async () => {
    for (const caller of ['adm', 'edi', 'aut'] as const) {
      const { id, status, author } = await record(caller);
      expect([status, author]).toEqual(['publish', String(service.userIds[caller])]);
      expect((await service.client.get(`${path}/${id}`)).status).toBe(200);
    }
  });

  test('AUTH-11: only editors and administrators set another user as author', async () => {
    const { adm, aut, con, edi } = service.userIds;
    for (const caller of ['con', 'aut'] as const) {
      expectForbidden(await post(caller, { author: adm }), 403);
      const own = await record(caller, { author: service.userIds[caller], status: 'draft' });
      expect(own.author).toBe(String(service.userIds[caller]));
      expectForbidden(await send(`${path}/${own.id}`, 'PUT', caller, { author: adm, [name]: 'Given' }), 403);
      expect((await read(`${path}/${own.id}`))[name]).toBe(own[name]);
      const unknown = await send(`${path}/2323`, 'PUT', caller, { author: adm });
      expect([unknown.status, unknown.body.code]).toEqual([404, `rest-${noun}-not-found`]);
    }
    const given = await post('edi', { author: String(aut) });
    expect([given.status, given.body.author]).toEqual([201, String(aut)]);
    const passedOn = await send(`${path}/${given.body.id}`, 'PUT', 'edi', { author: con });
    expect(passedOn.body.author).toBe(String(con));
    expect((await post('adm', { author: edi })).body.author).toBe(String(edi));
  });

  test('AUTH-12: authors add images by URL, contributors and subscribers cannot', async () => {
    const image = `https://x.example/${noun}.png`;
    expectInvalid(await post('con', { image }), 'image');
    const { status, body } = await post('aut', { image });
    expect([status, body.image.url]).toEqual([201, image]);
    expectInvalid(await post('con', { image }), 'image');
    const own = await record('con', { image: body.image.id });
    expect(own.image).toEqual(body.image);
    expectInvalid(await send(`${path}/${own.id}`, 'PUT', 'con', { image }), 'image');
    expect((await send(`${path}/${own.id}`, 'PUT', 'con', { image: own.image })).status).toBe(200);
    expectForbidden(await post('sub', { image }), 403);
  });

  test('AUTH-17: a token with a lower role has the rights of that role, and creates records of its user', async () => {
    const lower = await service.app.get(UsersService).issueToken(service.userIds.adm, { role: 'contributor' });
    const fields = { ...(noun === 'event' ? E : {}), [name]: `Lower ${noun}` };
    const created = await service.client.post(path, { ...fields, status: 'publish' }, lower);
    expect(created.body).toMatchObject({ status: 'pending', author: String(service.userIds.adm) });
    expect((await service.client.put(`${path}/${created.body.id}`, { [name]: 'X' }, lower)).status).toBe(200);
    for (const target of [await record('aut', { status: 'draft' }), await record('adm', { status: 'publish' })]) {
      expectForbidden(await service.client.put(`${path}/${target.id}`, { [name]: 'X' }, lower), 403);
      expectForbidden(await service.client.delete(`${path}/${target.id}`, lower), 403);
    }
    expect((await service.client.get(`${path}/${(await record('aut', { status: 'draft' })).id}`, lower)).status).toBe(
      403,
    );
    expectInvalid(await service.client.post(path, { ...fields, image: 'https://x.example/l.png' }, lower), 'image');
    expectForbidden(await service.client.post(path, { ...fields, author: service.userIds.aut }, lower), 403);
  });
});

describe.each(TERMS.map((term) => [term.path, term] as const))('%s', (path, { make, mayWrite, mayNot }) => {
  test(`AUTH-13, AUTH-14: only ${mayWrite.join(', ')} may write`, async () => {
    const { id } = await make(service.client, service.tokens.adm, { name: `Of ${path}` });
    const before = await read(`${path}/${id}`);
    for (const caller of ['anon', ...mayNot] as const) {
      const status = caller === 'anon' ? 401 : 403;
      expectForbidden(await send(path, 'POST', caller, { name: 'Never' }), status);
      for (const method of VERBS) {
        expectForbidden(await send(`${path}/${id}`, method, caller, { name: 'Never' }), status);
        expectForbidden(await send(`${path}/2323`, method, caller, { name: 'Never' }), status);
      }
    }
    expect(await read(`${path}/${id}`)).toEqual(before);
    expect((await read(`${path}?search=Never&hide_empty=false`)).total).toBe(0);
    for (const caller of mayWrite) {
      const created = await send(path, 'POST', caller, { name: `By ${caller}` });
      expect(created.status).toBe(201);
      for (const method of ['POST', 'PUT', 'PATCH']) {
        const reply = await send(`${path}/${created.body.id}`, method, caller, { name: `By ${caller} ${method}` });
        expect([reply.status, reply.body.name]).toEqual([200, `By ${caller} ${method}`]);
      }
      expect((await send(`${path}/${created.body.id}`, 'DELETE', caller)).status).toBe(200);
      expect((await send(`${path}/2323`, 'DELETE', caller)).status).toBe(404);
    }
  });

  test('AUTH-17: rejects a write with a token of a lower role', async () => {
    const tokens = service.app.get(UsersService);
    const lower = await tokens.issueToken(service.userIds.adm, { role: 'contributor' });
    expectForbidden(await service.client.post(path, { name: 'Lower' }, lower), 403);
  });
});

describe('events with terms, venues and organizers', () => {
  const post = (caller: CallerName | 'anon', fields: Fields) => send('/events', 'POST', caller, { ...E, ...fields });

  test.each([
    ['categories', category, ['aut', 'edi', 'adm'], ['con']],
    ['tags', tag, ['edi', 'adm'], ['con', 'aut']],
  ] as const)('AUTH-15: new %s in an event need the right to create them', async (field, make, mayCreate, mayNot) => {
    const known = await make(service.client, service.tokens.adm, { name: `Known ${field}` });
    for (const caller of mayNot) {
      const reply = await post(caller, { [field]: [known.name, 'Unheard of'] });
      expectInvalid(reply, field);
      expect(reply.body.data.details[field].code).toBe('rest_not_allowed');
      const existing = await post(caller, { [field]: [known.name] });
      expect([existing.status, existing.body[field]]).toMatchObject([201, [{ id: known.id }]]);
      const own = `/events/${existing.body.id}`;
      expectInvalid(await send(own, 'PUT', caller, { [field]: 'Unheard of' }), field);
    }
    expect((await read(`/${field}?search=unheard&hide_empty=false`)).total).toBe(0);
    for (const caller of mayCreate) {
      const { status, body } = await post(caller, { [field]: [`New by ${caller}`] });
      expect([status, body[field]]).toMatchObject([201, [{ name: `New by ${caller}` }]]);
    }
  });

  test.each([
    ['venue', 'venues'],
    ['organizer', 'organizers'],
  ])('7.2: an inline %s needs the same rights as a create', async (field, collection) => {
    const inline = { [field]: `Inline ${field}` };
    const pending = await post('con', { [field]: { ...inline, status: 'publish' } });
    expect([pending.body[field]].flat()).toMatchObject([{ status: 'pending', author: String(service.userIds.con) }]);
    const draft = await post('con', { [field]: { ...inline, phone: '1' } });
    expect([draft.body[field]].flat()).toMatchObject([{ status: 'draft' }]);
    const image = 'https://x.example/inline.png';
    expectInvalid(await post('con', { [field]: { ...inline, image } }), field);
    const total = (await read(`/${collection}?status=any`)).total as number;
    expectForbidden(await post('aut', { [field]: { ...inline, author: service.userIds.adm } }), 403);
    expectForbidden(await post('anon', { [field]: inline }), 401);
    expectForbidden(await post('sub', { [field]: inline }), 403);
    expect((await read(`/${collection}?status=any`)).total).toBe(total);
    const given = await post('edi', { [field]: { ...inline, author: service.userIds.aut } });
    expect([given.body[field]].flat()).toMatchObject([{ author: String(service.userIds.aut), status: 'publish' }]);
  });

  test('ERR-08: anonymous callers and subscribers do not learn which ids exist', async () => {
    const hall = await venue(service.client, service.tokens.adm, { venue: 'Exists' });
    const ids: Fields[] = [2323, hall.id as number].flatMap((id) => [
      { author: id },
      { venue: id },
      { organizer: [id] },
      { post_parent: id },
      { categories: [id] },
      { tags: [id] },
      { image: id },
      { venue: { venue: 'X', author: id } },
    ]);
    for (const fields of ids) {
      expectForbidden(await post('anon', fields), 401);
      expectForbidden(await post('sub', fields), 403);
    }
    expectInvalid(await post('edi', { start_date: 'foo', venue: 2323 }), 'start_date', 'venue');
    expectInvalid(await post('anon', { start_date: 'foo', venue: 2323 }), 'start_date');
    expectInvalid(await post('anon', { venue: 'Some hall' }), 'venue');
  });

  test('7.3: a venue that the caller may not read cannot be linked', async () => {
    const draft = await venue(service.client, service.tokens.adm, { venue: 'Draft hall', status: 'draft' });
    for (const caller of ['con', 'aut'] as const) expectInvalid(await post(caller, { venue: draft.id }), 'venue');
    expect((await post('edi', { venue: draft.id })).status).toBe(201);
  });
});
