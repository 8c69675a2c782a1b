import { useApp } from '../support/events.js';
import { category, E, event, organizer, tag, venue } from '../support/factories.js';

const app = useApp();
const hundred = <Item>(item: (index: number) => Item) => Array.from({ length: 100 }, (_, index) => item(index));
const ids: Record<string, number[]> = {};

beforeAll(async () => {
  const { client, tokens } = app();
  const made = async (create: (index: number) => Promise<{ id: number }>) => {
    const found: number[] = [];
    for (let index = 0; index < 100; index += 1) found.push((await create(index)).id);
    return found;
  };
  ids.categories = await made((index) => category(client, tokens.adm, { name: `Category ${index}` }));
  ids.tags = await made((index) => tag(client, tokens.adm, { name: `Tag ${index}` }));
  ids.venue = await made((index) => venue(client, tokens.adm, { venue: `Venue ${index}` }));
  ids.organizer = await made((index) => organizer(client, tokens.adm, { organizer: `Organizer ${index}` }));
}, 60_000);

describe('lists of 100 items', () => {
  const LISTS = ['categories', 'tags', 'venue', 'organizer'];

  test.each(LISTS)('EV-LIST-24, EV-LIST-26, EV-LIST-27: GET /events accepts them in %s', async (name) => {
    const { client, tokens } = app();
    const { id } = await event(client, tokens.adm, { [name]: ids[name]?.slice(99) });
    const csv = ids[name]?.join(',');
    const brackets = ids[name]?.map((item) => `${name}[]=${item}`).join('&');
    for (const query of [`${name}=${csv}`, brackets, ids[name]?.map((item) => `${name}=${item}`).join('&')]) {
      const { status, body } = await client.get(`/events?${query}`);
      expect([status, body.events.map((one: { id: number }) => one.id)]).toEqual([200, [id]]);
    }
    const unknown = hundred((index) => 900_000 + index).join(',');
    const { status, body } = await client.get(`/events?${name}=${unknown}`);
    expect([status, body.data.details[name].code]).toEqual([400, 'rest_unknown_reference']);
    await client.delete(`/events/${id as number}?force=true`, tokens.adm);
  });

  test.each(LISTS)('EV-NEW-09, EV-NEW-11, EV-NEW-15: POST /events accepts them in %s', async (name) => {
    const { client, tokens } = app();
    for (const sent of [ids[name], ids[name]?.join(','), ids[name]?.map((id) => ({ id }))]) {
      const { [name]: linked } = await event(client, tokens.adm, { [name]: sent });
      expect(linked.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b)).toEqual(ids[name]);
    }
  });

  test.each(['venue', 'organizer'])('EV-NEW-10, EV-NEW-11: POST /events creates 100 records from %s', async (name) => {
    const { client, tokens } = app();
    const { [name]: linked } = await event(client, tokens.adm, {
      [name]: hundred((index) => ({ [name]: `New ${index}` })),
    });
    expect(linked.map((one: Record<string, string>) => one[name])).toEqual(hundred((index) => `New ${index}`));
  });

  test('EV-LIST-31: include accepts them, single-value parameters reject them', async () => {
    const { client, tokens } = app();
    const made = await event(client, tokens.adm);
    const include = [made.id, ...hundred((index) => 900_000 + index)].join(',');
    expect((await client.get(`/events?include=${include}`)).body.total).toBe(1);
    for (const name of ['cost', 'image', 'title', 'start_date', 'timezone', 'featured', 'status']) {
      const { status, body } = await client.post('/events', { ...E, [name]: hundred(() => 'x') }, tokens.adm);
      expect([status, body.code, Object.keys(body.data.params as object)]).toEqual([400, 'rest_invalid_param', [name]]);
    }
    for (const filter of ['page', 'search', 'start_date', 'orderby', 'post_parent']) {
      const query = hundred(() => `${filter}[]=1`).join('&');
      expect((await client.get(`/events?${query}`)).body.data.details[filter].code).toMatch(/^rest_/);
    }
    expect((await client.get(`/events?${hundred((index) => `unknown[${index}]=1`).join('&')}`)).status).toBe(200);
  });
});

describe('deeply nested values', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  test.each(['/events', '/venues', '/organizers', '/categories', '/tags'])(
    'ERR-02: POST %s rejects 3,000 nested lists or objects',
    async (path) => {
      const { client, tokens } = app();
      const bodies = [
        nested(3000),
        `{"venue":${nested(3000)}}`,
        '{"a":'.repeat(3000) + '1' + '}'.repeat(3000),
        '['.repeat(3000),
      ];
      for (const body of bodies) {
        const reply = await client.send(path, { method: 'POST', body, token: tokens.adm });
        expect([reply.status, reply.body.code, reply.body.data.json_error_code]).toEqual([400, 'rest_invalid_json', 1]);
      }
    },
  );

  test.each(['venue', 'organizer', 'categories', 'tags', 'cost', 'image', 'title', 'start_date'])(
    'ERR-02: POST /events rejects 60 nested lists in %s',
    async (name) => {
      const { client, tokens } = app();
      const body = JSON.stringify({ ...E, [name]: 0 }).replace(`"${name}":0`, `"${name}":${nested(60)}`);
      const reply = await client.send('/events', { method: 'POST', body, token: tokens.adm });
      expect([reply.status, Object.keys(reply.body.data.params as object)]).toEqual([400, [name]]);
    },
  );

  test('GEN-23: rejects 1,000 nested brackets in a query and in a form', async () => {
    const { client, tokens } = app();
    const deep = `venue${'[a]'.repeat(1000)}=1`;
    expect((await client.get(`/events?${deep}`)).status).toBe(400);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await client.send('/events', { method: 'POST', body: deep, headers, token: tokens.adm });
    expect([reply.status, reply.body.code]).toEqual([400, 'rest_missing_callback_param']);
  });
});

describe('lone surrogates', () => {
  const LONE = 'x\ud800y\udc00z';
  const WHOLE = 'x\ufffdy\ufffdz';
  const RECORDS: [path: string, fields: string[], required: object][] = [
    ['/events', ['title', 'description', 'excerpt', 'cost'], E],
    ['/venues', ['venue', 'description', 'address', 'city', 'country', 'province', 'state', 'zip', 'phone'], {}],
    ['/organizers', ['organizer', 'description', 'phone'], {}],
    ['/categories', ['name', 'description'], {}],
    ['/tags', ['name', 'description'], {}],
  ];

  test.each(RECORDS)('TXT-10: become U+FFFD in the texts of %s', async (path, fields, required) => {
    const { client, tokens } = app();
    const sent = Object.fromEntries(fields.map((name) => [name, LONE]));
    const { status, body } = await client.post(path, { ...required, ...sent }, tokens.adm);
    expect(status).toBe(201);
    const read = (await client.get(`${path}/${body.id as number}`)).body;
    for (const name of fields) expect([name, read[name].replace(/<\/?p>/g, '')]).toEqual([name, WHOLE]);
    expect(read.slug).toBe('xyz');
  });

  test('TXT-10: become U+FFFD in names and addresses, and are rejected in queries', async () => {
    const { client, tokens } = app();
    const made = await event(client, tokens.adm, {
      slug: LONE,
      venue: { venue: LONE },
      tags: [LONE],
      website: `http://x.example/${LONE}`,
    });
    expect([made.venue.venue, made.tags[0].name, made.website]).toEqual([WHOLE, WHOLE, `http://x.example/${WHOLE}`]);
    const { status, body } = await client.post(
      '/organizers',
      { organizer: 'X', email: `${LONE}@example.com` },
      tokens.adm,
    );
    expect([status, body.email]).toEqual([201, `${WHOLE}@example.com`]);
    // Percent-encoded in a request URL they are invalid UTF-8.
    for (const query of ['search=x%ED%A0%80', 'search=%ff', 'categories=%C0%80', 'start_date=%80']) {
      const reply = await client.get(`/events?${query}`);
      expect([query, reply.status, reply.body.code]).toEqual([query, 400, 'rest_invalid_param']);
    }
    expect((await client.get('/events/by-slug/x%ED%A0%80')).body.code).toBe('rest_no_route');
  });
});

describe('ambiguous bytes and members of a body', () => {
  const send = (body: Buffer) =>
    app().client.send('/events', { method: 'POST', body, token: app().tokens.adm, headers });
  const headers = { 'content-type': 'application/json' };
  const around = (bytes: number[]) => {
    const [before = '', after = ''] = JSON.stringify({ ...E, title: '@' }).split('@');
    return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
  };

  test.each([
    ['an overlong <', [0xc0, 0xbc]],
    ['an overlong /', [0xe0, 0x80, 0xaf]],
    ['an overlong NUL', [0xc0, 0x80]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['more than Unicode has', [0xf4, 0x90, 0x80, 0x80]],
    ['Latin-1', [0xe9]],
  ])('ERR-02: rejects %s as invalid UTF-8', async (_what, bytes) => {
    const { status, body } = await send(around(bytes));
    expect([status, body.code, body.data.json_error_code]).toEqual([400, 'rest_invalid_json', 5]);
  });

  test.each(['utf16le', 'latin1'] as const)('ERR-02: rejects JSON in %s', async (encoding) => {
    const { status, body } = await send(Buffer.from(JSON.stringify({ ...E, title: 'é' }), encoding));
    expect([status, body.code]).toEqual([400, 'rest_invalid_json']);
  });

  test('a byte order mark is ignored, and the last of duplicate members counts', async () => {
    const twice = JSON.stringify(E).replace('{', '\ufeff{"title":"first",');
    const { status, body } = await send(Buffer.from(twice));
    expect([status, body.title]).toEqual([201, E.title]);
    expect((await app().client.get(`/events/${body.id as number}`)).body.title).toBe(E.title);
  });
});
