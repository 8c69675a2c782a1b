import { startApp, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { E, event } from '../support/factories.js';
import { expectInvalid } from '../support/refusals.js';

type Body = Reply['body'];
type Fields = Record<string, unknown>;

let service: TestApp;
let adm: string;

/** Each describe block has its own service, so that slugs of other tests do not change its slugs. */
function startService(): void {
  beforeAll(async () => {
    service = await startApp();
    adm = service.tokens.adm;
  });

  afterAll(() => service.close());
}

const make = (fields: Fields): Promise<Body> => event(service.client, adm, fields);
const post = (fields: Fields) => service.client.post('/events', { ...E, ...fields }, adm);
const bySlug = (slug: string) => service.client.get(`/events/by-slug/${slug}`);
/** Returns the stored value of a field. Create, read, and an update with the read value must agree. */
const stored = async (name: string, value: unknown): Promise<string> => {
  const { id, ...made } = await make({ [name]: value });
  const read = (await service.client.get(`/events/${id}`)).body[name] as string;
  const again = await service.client.put(`/events/${id}`, { [name]: read }, adm);
  expect([made[name], again.body[name]]).toEqual([read, read]);
  return read;
};

describe('titles', () => {
  startService();

  test.each([
    ['<b>Bold</b> title & more', 'Bold title & more'],
    ['A &amp; B', 'A &amp; B'],
    ['1 < 2', '1 < 2'],
    ['1 <2> 3', '1 <2> 3'],
    ['It\'s "q"', 'It\'s "q"'],
    ['  ends  kept  inside ', 'ends  kept  inside'],
    ['a<!-- x -->b<?php y ?>c</p>d', 'abcd'],
    ["c't <webdev>", "c't <webdev>"],
    ['a<webdev onload=x>b<my-tag>c</webdev>d<Video>', 'abcd'],
  ])('TXT-02: %j', async (sent, title) => {
    expect(await stored('title', sent)).toBe(title);
  });

  test('TXT-02: search finds a word in <>, and the slug does not contain it', async () => {
    const { id, slug } = await make({ title: "d't <webdev>" });
    expect(slug).toBe('dt');
    for (const search of ['webdev', '<webdev>', '"d\'t <webdev>"']) {
      const { body } = await service.client.get(`/events?search=${encodeURIComponent(search)}&_fields=id&order=desc`);
      expect([search, body.events.map((event: { id: number }) => event.id)]).toEqual([
        search,
        expect.arrayContaining([id]),
      ]);
    }
  });

  test('TXT-02: keeps words in <> in names, addresses and costs, too', async () => {
    const { client, tokens } = service;
    const hall = await client.post('/venues', { venue: 'Hall <x1>', city: 'a <b>b</b> <x1>' }, tokens.adm);
    expect([hall.body.venue, hall.body.city]).toEqual(['Hall <x1>', 'a b <x1>']);
    expect((await client.post('/tags', { name: 'Tag <x1>' }, tokens.adm)).body.name).toBe('Tag <x1>');
    expect((await make({ cost: 'Ask <ann>' })).cost).toBe('Ask <ann>');
  });

  test('rejects HTML nested deeper than 512 elements, and names the field of the event or inline venue', async () => {
    const deep = `${'<div>'.repeat(513)}x`;
    const refusal = (name: string, place = name) => ({
      [name]: {
        code: 'rest_too_long',
        message: `${place} must not have more than 30000 elements, or nest them deeper than 512.`,
        data: null,
      },
    });
    const event = await post({ description: deep });
    expect([event.status, event.body.data.details]).toEqual([400, refusal('description')]);
    const venue = await post({ venue: { venue: 'Hall', description: deep } });
    expect([venue.status, venue.body.data.details]).toEqual([400, refusal('venue', 'venue.description')]);
    const description = '<div>'.repeat(512);
    expect(await stored('description', description)).toHaveLength(512 * 11);
  });

  test('TXT-03: removes script and style with their content', async () => {
    const { title, slug } = await make({ title: 'Evil <script>x</script> t' });
    expect([title, slug]).toEqual(['Evil  t', 'evil-t']);
    expect(await stored('title', 'a<STYLE type="x">p{}</style >b')).toBe('ab');
  });

  test('TXT-03: control characters become blanks', async () => {
    expect(await stored('title', 'a\tb\nc\r\nd\u0000e\u0085f')).toBe('a b c  d e f');
  });

  test('TXT-03: rejects a title without visible text, and accepts "0"', async () => {
    for (const title of ['   ', '<b></b>', '\n\t', '<script>x</script>']) expectInvalid(await post({ title }), 'title');
    expect(await stored('title', '0')).toBe('0');
  });

  test('TXT-10: accepts 500 code points of any script, and replaces lone surrogates', async () => {
    for (const title of ['x'.repeat(500), '🎉'.repeat(500), 'مرحبا بالعالم'.padEnd(500, 'ع'), 'שלום']) {
      expect(await stored('title', title)).toBe(title);
    }
    expect(await stored('title', ` <b>${'x'.repeat(500)}</b> `)).toHaveLength(500);
    for (const title of ['x'.repeat(501), '🎉'.repeat(501)]) {
      const reply = await post({ title });
      expectInvalid(reply, 'title');
      expect(reply.body.data.details.title).toMatchObject({
        code: 'rest_too_long',
        message: 'title must not be longer than 500 characters.',
      });
    }
    const reply = await service.client.post(
      '/events',
      JSON.stringify({ ...E, title: '@' }).replace('@', 'a\\ud800b'),
      adm,
    );
    expect(reply.body.title).toBe('a\ufffdb');
  });

  test('TXT-11: numbers become text as JavaScript prints them', async () => {
    const raw = (title: string) =>
      service.client.post('/events', JSON.stringify({ ...E, title: 0 }).replace('"title":0', `"title":${title}`), adm);
    for (const [sent, title] of [
      ['123', '123'],
      ['12.50', '12.5'],
      ['1e3', '1000'],
      ['-0.5', '-0.5'],
      ['9007199254740991', '9007199254740991'],
    ] as const) {
      const { status, body } = await raw(sent);
      expect([status, body.title]).toEqual([201, title]);
    }
    for (const sent of ['true', '[]', '{}', '["a"]', '9007199254740993', '-9007199254740993', '1e300']) {
      expectInvalid(await raw(sent), 'title');
    }
  });

  test('TXT-12: removes tags that appear when inner tags are removed, and disarms unclosed tags', async () => {
    expect(await stored('title', 'x <<b>script>alert(1)<<b>/script>')).toBe('x');
    expect(await stored('title', '<img src=x onerror=alert(1) ')).toBe('< img src=x onerror=alert(1)');
  });
});

describe('descriptions and excerpts', () => {
  startService();

  test.each(['description', 'excerpt'])('TXT-04: %s: removes active content sent by any role', async (field) => {
    const evil =
      '<p onclick="a()" style="x" class="c">Hi<script>alert(1)</script></p><a href="javascript:alert(1)">l</a>' +
      '<iframe src="https://x.example/"></iframe><svg><a>s</a></svg><object></object><!-- c --><form>in</form>' +
      '<a href="&#106;avascript:alert(1)">m</a><img src="data:x" alt="i">';
    const clean = '<p class="c">Hi</p><a>l</a>in<a>m</a><img alt="i" />';
    for (const token of [adm, service.tokens.con]) {
      const { body } = await service.client.post('/events', { ...E, [field]: evil }, token);
      expect(body[field]).toBe(clean);
    }
  });

  test.each([
    ['a\n\nb\nc', '<p>a</p>\n<p>b<br />\nc</p>'],
    ['a\r\n\r\n\r\nb\rc', '<p>a</p>\n<p>b<br />\nc</p>'],
    ['<ul><li>x</li></ul>', '<ul><li>x</li></ul>'],
    ["<p><b>1 &lt; 2<br><img src='/a.png' alt=b>", '<p><b>1 &lt; 2<br /><img src="/a.png" alt="b" /></b></p>'],
    ['a\u0000b', '<p>ab</p>'],
    ['  Fish & chips < 5 &euro; ', '<p>Fish &amp; chips &lt; 5 &euro;</p>'],
    ['<b>x</b>', '<p><b>x</b></p>'],
    ['   ', ''],
    [12.5, '<p>12.5</p>'],
  ])('TXT-05: %j', async (sent, html) => {
    expect(await stored('description', sent)).toBe(html);
    expect(await stored('excerpt', sent)).toBe(html);
  });

  test('TXT-12: removes unsafe attributes, and adds rel="noopener" to target="_blank"', async () => {
    const html = await stored('description', '<a id="n" href="//h" target="_blank">x</a>');
    expect(html).toBe('<p><a target="_blank" rel="noopener">x</a></p>');
    expect(await stored('description', '<a href="https://h/" target="_self" rel="author">x</a>')).toBe(
      '<p><a href="https://h/" target="_self" rel="author">x</a></p>',
    );
  });
});

describe('slugs', () => {
  startService();

  const long = 'l'.repeat(250);

  test.each([
    ['Fête de la Musique – München', 'fete-de-la-musique-munchen'],
    ['It\'s "quoted" & <done>', 'its-quoted'],
    ['A &amp; B &lt;x&gt;', 'a-b-x'],
    ['a/b', 'a-b'],
    ['With  Spaces', 'with-spaces'],
    ['UPPER', 'upper'],
    ['東京イベント', '東京イベント'],
    ['Party 🎉🎈', 'party'],
    ['100% %s', '100-s'],
    ['v1.2', 'v1-2'],
  ])('TXT-06: %j', async (name, slug) => {
    const made = await make({ title: name });
    expect(made.slug).toBe(slug);
    expect(made.url).toMatch(new RegExp(`/event/${encodeURIComponent(slug)}/$`));
    expect((await make({ slug: name })).slug).toBe(`${slug}-2`);
    expect((await bySlug(encodeURIComponent(slug))).body.id).toBe(made.id);
  });

  test('TXT-06: uses the id as slug of a title without letters and digits, and rejects such a slug', async () => {
    const { id, slug } = await make({ title: '!!!' });
    expect(slug).toBe(String(id));
    expect((await bySlug(String(id))).body.id).toBe(id);
    for (const sent of ['!!!', '---', ' ', '<b></b>', '🎉']) expectInvalid(await post({ slug: sent }), 'slug');
    const next = await make({ title: String(Number(id) + 2) });
    expect(next.slug).toBe(String(Number(id) + 2));
    const named = await make({ title: '???' });
    expect([named.id, named.slug]).toEqual([Number(id) + 2, `${Number(id) + 2}-2`]);
  });

  test('TXT-07: makes slugs unique by a suffix, on create and on rename', async () => {
    const made = [await make({ title: 'Same' }), await make({ title: 'Same' }), await make({ title: 'Same' })];
    expect(made.map(({ slug }) => slug as string)).toEqual(['same', 'same-2', 'same-3']);
    const { id } = await make({ title: 'Another' });
    expect((await service.client.put(`/events/${id}`, { slug: 'same' }, adm)).body.slug).toBe('same-4');
    expect((await make({ status: 'draft', slug: 'same' })).slug).toBe('same-5');
    expect((await make({ title: 'Fresh', slug: null })).slug).toBe('fresh');
    await service.client.delete(`/events/${made[1]?.id}?force=true`, adm);
    expect((await make({ title: 'Same' })).slug).toBe('same-2');
  });

  test('TXT-07: concurrent creates get distinct slugs', async () => {
    const many = await Promise.all(Array.from({ length: 30 }, () => make({ title: 'Crowd' })));
    const expected = ['crowd', ...Array.from({ length: 29 }, (_, n) => `crowd-${n + 2}`)];
    expect(many.map(({ slug }) => slug as string).sort()).toEqual(expected.sort());
  });

  test('TXT-07: events renamed, trashed and restored concurrently get distinct slugs', async () => {
    const many = await Promise.all(Array.from({ length: 10 }, () => make({ title: 'Mob' })));
    const each = async (fields: Fields): Promise<string[]> => {
      const replies = await Promise.all(many.map(({ id }) => service.client.put(`/events/${id}`, fields, adm)));
      expect(replies.map(({ status }) => status)).toEqual(many.map(() => 200));
      return replies.map(({ body }) => body.slug as string).sort();
    };
    const nth = (slug: string) => many.map((_, n) => (n === 0 ? slug : `${slug}-${n + 1}`)).sort();
    expect(await each({ slug: 'gang' })).toEqual(nth('gang'));
    expect(new Set(await each({ status: 'trash' })).size).toBe(10);
    expect(await each({ status: 'publish', slug: 'posse' })).toEqual(nth('posse'));
  });

  test('TXT-07: truncates slugs to 200 characters, including the suffix', async () => {
    expect((await make({ slug: long })).slug).toBe(long.slice(0, 200));
    expect((await make({ slug: long })).slug).toBe(`${long.slice(0, 198)}-2`);
    const wide = '東'.repeat(250);
    expect(Array.from((await make({ title: wide })).slug as string)).toHaveLength(200);
  });

  test('TXT-08: finds slugs percent-encoded, in any case, or decomposed, but not by other letters', async () => {
    const { id } = await make({ title: '東京', slug: 'Gen-か-Ж-ñ' });
    const { slug } = (await service.client.get(`/events/${id}`)).body;
    expect(slug).toBe('gen-か-ж-n');
    const ga = await make({ slug: 'が-ж' });
    expect(ga.slug).toBe('が-ж');
    for (const form of [
      encodeURIComponent('が-ж'),
      encodeURIComponent('が-Ж'),
      encodeURIComponent('が-ж'.normalize('NFD')),
      encodeURIComponent('が-ж').toLowerCase(),
    ]) {
      const found = await bySlug(form);
      expect([form, found.status, found.body?.id]).toEqual([form, 200, ga.id]);
    }
    expect((await bySlug(encodeURIComponent('か-ж'))).status).toBe(404);
    await make({ slug: 'fete' });
    expect((await bySlug('FETE')).status).toBe(200);
    const accented = await bySlug(encodeURIComponent('fête'));
    expect([accented.status, accented.body.message]).toEqual([404, 'Event with slug "fête" does not exist.']);
  });
});

describe('website URLs', () => {
  startService();

  test.each(['https://x.example/?a=1&b=2', 'http://x.example/ü', 'ftp://x.example/a', 'mailto:ann@x.example'])(
    'TXT-09: stores %s as sent',
    async (website) => {
      expect(await stored('website', ` ${website} `)).toBe(website);
    },
  );

  test.each([
    'foo',
    '//h',
    'javascript:alert(1)',
    'a b',
    'https://x.example/a b',
    'https://',
    'data:text/html,x',
    'http:x',
    true,
    [['https://x.example/']],
  ])('TXT-09: rejects %j', async (website) => {
    expectInvalid(await post({ website }), 'website');
  });

  test('TXT-09: accepts at most 2,000 characters', async () => {
    const website = `https://x.example/${'ü'.repeat(1982)}`;
    expect(await stored('website', website)).toBe(website);
    const reply = await post({ website: `${website}x` });
    expectInvalid(reply, 'website');
    expect(reply.body.data.details.website.code).toBe('rest_too_long');
  });
});
