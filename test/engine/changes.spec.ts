import { Database } from '../../src/database/database.js';
import { ScheduledPublisher } from '../../src/events/write/scheduled-publisher.js';
import { NOW, startApp, type TestApp } from '../support/app.js';
import { Copy, told, type ToldChange } from '../support/changes.js';
import { runCommand } from '../support/command.js';
import { event, makersOf } from '../support/factories.js';
import { insertEvents } from '../support/rows.js';

let service: TestApp;
beforeEach(async () => {
  service = await startApp();
});
afterEach(() => service.close());

const get = (query: string, token?: string) => service.client.get(`/changes${query}`, token);
const put = (path: string, body: object) => service.client.put(path, body, service.tokens.edi);
const remove = (path: string) => service.client.delete(path, service.tokens.edi);
const make = makersOf(() => service);
/** Copies that know nothing but a token of the present. */
async function followers(query = '') {
  const anon = new Copy(service.client, { query });
  const edi = new Copy(service.client, { query, token: service.tokens.edi });
  for (const copy of [anon, edi]) copy.since = 'now';
  await anon.step();
  await edi.step();
  return { anon, edi };
}
const news = async (copy: Copy) => (await copy.follow()).map(told);

test('CHG-01: an empty database has no changes and a token', async () => {
  const { status, body } = await get('');
  expect([status, Object.keys(body as object)]).toEqual([200, ['changes', 'rest_url', 'next_since', 'has_more']]);
  expect(body).toMatchObject({ changes: [], has_more: false });
  const again = await get(`?since=${body.next_since}`);
  expect(again.body).toMatchObject({ changes: [], next_since: body.next_since, has_more: false });
});

test('CHG-02: a first fill gives every record once: type by type, by id, a page at a time', async () => {
  await make.tag();
  await make.category();
  await make.organizer();
  await make.venue();
  await insertEvents(service, [...Array.from({ length: 247 }, () => ({})), { status: 'draft' }]);
  const sizes: number[] = [];
  const found: string[] = [];
  let link: string | undefined = '/changes';
  while (link !== undefined) {
    const { body, headers } = await (sizes.length === 0
      ? service.client.get(link)
      : service.client.raw(link.replace(/^https?:\/\/[^/]+/, '')));
    sizes.push((body.changes as unknown[]).length);
    found.push(...(body.changes as ToldChange[]).map(({ type, id }) => `${type} ${id}`));
    expect(body.has_more).toBe(body.next_rest_url !== undefined);
    expect(headers.link).toBe(body.next_rest_url === undefined ? undefined : `<${body.next_rest_url}>; rel="next"`);
    link = body.next_rest_url as string | undefined;
  }
  expect(sizes).toEqual([100, 100, 51]);
  const events = Array.from({ length: 247 }, (_, index) => `event ${index + 1}`);
  expect(found).toEqual(['category 2', 'tag 1', 'venue 1', 'organizer 1', ...events]);
  const editors = new Copy(service.client, { token: service.tokens.edi });
  expect(await editors.follow()).toHaveLength(252);
});

test('CHG-03: since=now gives a token alone; a created event is one change, as the list shows it', async () => {
  await make.event({ title: 'Before' });
  const { body } = await get('?since=now');
  expect(body).toMatchObject({ changes: [], has_more: false });
  const { id } = await make.event({ title: 'After' });
  const [listed] = (await service.client.get(`/events?include=${id}`)).body.events as unknown[];
  const reply = await get(`?since=${body.next_since}`);
  const change = { type: 'event', id, deleted: false, changed_utc: '2026-11-20 08:39:00', record: listed };
  expect(reply.body.changes).toEqual([change]);
  expect(Object.keys(reply.body.changes[0] as object)).toEqual(Object.keys(change));
});

test('CHG-04: an event that was created and updated five times is told once, with its newest state', async () => {
  const { anon } = await followers();
  const { id } = await make.event({ title: 'Version 0' });
  await make.venue();
  for (let n = 1; n <= 5; n += 1) {
    service.setNow(`2026-11-20T08:40:0${n}Z`);
    await put(`/events/${id}`, { title: `Version ${n}` });
  }
  const changes = await anon.follow();
  expect(changes.map(told)).toEqual(['venue 1 Hall', `event ${id} Version 5`]);
  expect(changes[1]?.changed_utc).toBe('2026-11-20 08:40:05');
});

describe.each(['event', 'venue', 'organizer'] as const)('CHG-05: %s', (type) => {
  test('in the trash it is deleted, after a restore it is a record, deleted for good it is deleted', async () => {
    const { anon, edi } = await followers();
    const { id } = await make[type]();
    const path = `/${type}s/${id}`;
    expect((await anon.follow()).map(({ deleted }) => deleted)).toEqual([false]);
    await remove(path);
    expect((await anon.follow()).map(({ deleted }) => deleted)).toEqual([true]);
    await put(path, { status: 'publish' });
    expect((await anon.follow()).map(({ deleted }) => deleted)).toEqual([false]);
    await remove(path);
    await remove(`${path}?force=true`);
    expect((await anon.follow()).map(({ deleted }) => deleted)).toEqual([true]);
    expect((await edi.follow()).map(({ deleted }) => deleted)).toEqual([true]);
    expect([...anon.records, ...edi.records]).toEqual([]);
  });
});

test('CHG-05: a deleted category or tag is deleted', async () => {
  const { anon } = await followers();
  const { id: music } = await make.category();
  const { id: red } = await make.tag();
  expect(await news(anon)).toEqual([`category ${music} Music`, `tag ${red} Red`]);
  await remove(`/categories/${music}`);
  await remove(`/tags/${red}`);
  expect(await news(anon)).toEqual([`category ${music} deleted`, `tag ${red} deleted`]);
});

describe.each([
  ['venue', 'draft'],
  ['venue', 'trash'],
  ['organizer', 'draft'],
  ['organizer', 'trash'],
] as const)('CHG-26: a %s that was away as %s and comes back', (noun, status) => {
  test('tells the events that link to it once more, because copies may have read them meanwhile, and no others', async () => {
    const { id: held } = await make[noun]();
    const { id: written } = await make.event({ [noun]: held });
    const { id: untouched } = await make.event({ [noun]: held });
    await make.event();
    const late = new Copy(service.client, {});
    const { anon, edi } = await followers();
    await anon.follow();
    await edi.follow();
    await put(`/${noun}s/${held}`, { status });
    await put(`/events/${written}`, { title: 'Meanwhile' });
    for (const copy of [anon, edi, late]) await copy.follow();
    await put(`/${noun}s/${held}`, { status: 'publish' });
    for (const copy of [anon, edi, late]) {
      const changes = (await copy.follow()).map(({ type, id }) => `${type} ${id}`);
      expect(changes).toEqual([`${noun} ${held}`, `event ${written}`, `event ${untouched}`]);
    }
    const fresh = new Copy(service.client, {});
    await fresh.follow();
    expect(late.contents()).toEqual(fresh.contents());
    await put(`/${noun}s/${held}`, { phone: '1' });
    expect(await anon.follow()).toHaveLength(1);
  });
});

test('CHG-26: events of a venue that becomes public by its date are told with it', async () => {
  const { id: hall } = await make.venue({ date: '2026-11-20 08:40:00' });
  const { id } = await make.event({ venue: hall });
  const { anon } = await followers();
  service.setNow('2026-11-20T08:41:00Z');
  await service.app.get(ScheduledPublisher).publishDue();
  expect((await anon.follow()).map((change) => `${change.type} ${change.id}`)).toEqual([
    `venue ${hall}`,
    `event ${id}`,
  ]);
});

test('CHG-06: a draft moves nothing for anonymous readers, who learn only that it is not listed any more', async () => {
  const { anon, edi } = await followers();
  const { id } = await make.event({ title: 'Party' });
  await news(anon);
  await put(`/events/${id}`, { status: 'draft' });
  expect(await news(anon)).toEqual([`event ${id} deleted`]);
  expect(await news(edi)).toEqual([`event ${id} Party`]);
  const before = anon.since;
  await put(`/events/${id}`, { title: 'Secret' });
  expect(await news(anon)).toEqual([]);
  expect(anon.since).toBe(before);
  expect(await news(edi)).toEqual([`event ${id} Secret`]);
  await put(`/events/${id}`, { status: 'publish' });
  expect(await news(anon)).toEqual([`event ${id} Secret`]);
});

test('CHG-07: a hidden event is deleted for anonymous readers, and a record for editors who ask for hidden ones', async () => {
  const { anon, edi } = await followers();
  const all = new Copy(service.client, { token: service.tokens.edi, query: 'hide_from_listings=any' });
  await all.follow();
  const { id } = await make.event({ title: 'Party' });
  await put(`/events/${id}`, { hide_from_listings: true });
  expect(await news(anon)).toEqual([`event ${id} deleted`]);
  expect(await news(edi)).toEqual([`event ${id} deleted`]);
  expect(await news(all)).toEqual([`event ${id} Party`]);
  await put(`/events/${id}`, { hide_from_listings: false });
  expect(await news(anon)).toEqual([`event ${id} Party`]);
  expect((await get('?hide_from_listings=any')).body.data.details).toMatchObject({
    hide_from_listings: { code: 'rest_not_allowed' },
  });
});

test('CHG-08: anonymous readers learn nothing of a draft that was made and deleted', async () => {
  const { anon, edi } = await followers();
  const { id } = await make.event({ status: 'draft' });
  await remove(`/events/${id}?force=true`);
  const { id: trashed } = await make.event({ status: 'trash' });
  expect(await news(anon)).toEqual([]);
  expect(await news(edi)).toEqual([`event ${id} deleted`, `event ${trashed} deleted`]);
});

test('CHG-09: a scheduled record is told when its date has come', async () => {
  const date = '2026-11-21 12:00:00';
  const { anon } = await followers();
  const { id: hall } = await make.venue({ date_utc: date, venue: 'Later' });
  const { id: ann } = await make.organizer({ date_utc: date, organizer: 'Later' });
  const { id } = await make.event({ date_utc: date, title: 'Later', venue: hall });
  const { id: hidden } = await make.event({ date_utc: date, hide_from_listings: true });
  expect(await news(anon)).toEqual([]);
  service.setNow('2026-11-21T12:00:00Z');
  await service.app.get(ScheduledPublisher).publishDue();
  expect(await news(anon)).toEqual([`venue ${hall} Later`, `organizer ${ann} Later`, `event ${id} Later`]);
  const rows = await service.app
    .get(Database)
    .query('SELECT kind, listed FROM changes WHERE kind LIKE ? AND record_id = ?', ['event.%', hidden]);
  expect(rows).toContainEqual({ kind: 'event.published', listed: 0 });
});

test('CHG-10: a protected event is blanked', async () => {
  const { anon, edi } = await followers();
  const { id } = await make.event({ title: 'Private party', description: 'At home' });
  await put(`/events/${id}`, { password: 'open' });
  const [change] = await anon.follow();
  const [listed] = (await service.client.get(`/events?include=${id}`)).body.events as unknown[];
  expect(change?.record).toEqual(listed);
  expect(change?.record).toMatchObject({ description: '' });
  expect((await edi.follow())[0]?.record).toMatchObject({ description: '<p>At home</p>' });
});

test('CHG-11: a commit of more changes than an answer has is told over several, every record once', async () => {
  const { anon } = await followers();
  await make.event({ title: 'First' });
  const ids = await insertEvents(
    service,
    Array.from({ length: 500 }, () => ({})),
  );
  await make.event({ title: 'Last' });
  const pages: ToldChange[][] = [];
  for (let hasMore = true; hasMore;) {
    service.setNow('2026-11-20T08:40:00Z');
    const { body, headers } = await anon.step();
    pages.push(body.changes as ToldChange[]);
    hasMore = body.has_more as boolean;
    expect(headers['x-kalends-changes-lag']).toBe(hasMore ? '60' : undefined);
  }
  expect(pages.map(({ length }) => length)).toEqual([1, 100, 100, 100, 100, 100, 1]);
  expect(pages.slice(1, -1).flatMap((page) => page.map(({ id }) => id))).toEqual(ids);
});

test('CHG-12: writes before and behind the place of a first fill are right at its end', async () => {
  const ids = await insertEvents(
    service,
    Array.from({ length: 30 }, (_, index) => ({ title: `Event ${index}` })),
  );
  const { id: hall } = await make.venue();
  const copy = new Copy(service.client, { query: 'per_page=10' });
  await copy.step();
  await copy.step();
  await put(`/events/${ids[0]}`, { title: 'Changed behind' });
  await put(`/events/${ids[29]}`, { title: 'Changed before' });
  await remove(`/events/${ids[1]}`);
  await remove(`/events/${ids[28]}`);
  await remove(`/venues/${hall}`);
  const { id: made } = await make.event({ title: 'New' });
  await copy.follow();
  const fresh = new Copy(service.client);
  await fresh.follow();
  expect(copy.contents()).toEqual(fresh.contents());
  expect(copy.records.get(`event ${made}`)).toMatchObject({ title: 'New' });
  expect(copy.records.size).toBe(29);
});

test('CHG-13: types restricts the changes; a wait needs since', async () => {
  const { anon } = await followers('types=venue');
  await make.event();
  const { id } = await make.venue();
  await make.event();
  expect(await news(anon)).toEqual([`venue ${id} Hall`]);
  const copy = new Copy(service.client, { query: 'types=event,venue' });
  expect((await copy.follow()).map(({ type }) => type)).toEqual(['venue', 'event', 'event']);
  const before = copy.since;
  await make.category();
  await copy.follow();
  expect(copy.since).toBe(before);
});

test('CHG-14: an event that gets the category of the filter is a record, one that loses it is deleted', async () => {
  const { id: music } = await make.category();
  const { id: jazz } = await make.category({ name: 'Jazz', parent: music });
  const { anon } = await followers('categories=music');
  const { id } = await make.event({ title: 'Party' });
  expect(await news(anon)).toEqual([`event ${id} deleted`]);
  await put(`/events/${id}`, { categories: [jazz] });
  expect(await news(anon)).toEqual([`event ${id} Party`]);
  await put(`/events/${id}`, { categories: [] });
  expect(await news(anon)).toEqual([`event ${id} deleted`]);
  const filled = new Copy(service.client, { query: 'categories=music' });
  expect(await news(filled)).toEqual([`category ${music} Music`, `category ${jazz} Jazz`]);
  expect((await get('?categories=nope')).body.data.details).toMatchObject({
    categories: { code: 'rest_unknown_reference' },
  });
});

test('CHG-17: a purge of the change record expires older tokens, and none issued after it', async () => {
  const { anon, edi } = await followers();
  await make.event();
  await anon.follow();
  // The answer to the present token is cached.
  await anon.step();
  service.setNow('2026-11-20T12:00:00Z');
  const settings = { DATABASE_URL: service.databaseUrl };
  const purge = ['purge', '--changes-older-than', '0d'];
  expect((await runCommand([...purge, '--dry-run'], settings)).code).toBe(0);
  expect((await get(`?since=${anon.since}`)).status).toBe(200);
  const { code, stdout } = await runCommand(purge, settings);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/rows? of the change record removed\n$/)]);
  for (const [copy, token] of [[anon], [edi, service.tokens.edi]] as const) {
    const { status, body } = await get(`?since=${copy.since}`, token);
    expect([status, body]).toEqual([
      410,
      {
        code: 'changes-token-expired',
        message: 'This token has expired; start again without since.',
        data: { status: 410, reason: 'age' },
      },
    ]);
  }
  // The clock of the command is that of the machine, not of the test.
  service.setNow(new Date(Date.now() + 5_000).toISOString());
  const { body } = await get('');
  expect((await get(`?since=${body.next_since}`)).status).toBe(200);
});

test('CHG-29: changes reset expires all tokens, and so does a position ahead of the database', async () => {
  const { anon } = await followers();
  await make.event();
  const { body } = await get('?since=now');
  const { code } = await runCommand(['changes', 'reset'], { DATABASE_URL: service.databaseUrl });
  expect(code).toBe(0);
  expect((await get(`?since=${anon.since}`)).body.data).toEqual({ status: 410, reason: 'restored' });
  expect((await get(`?since=${body.next_since}`)).body.data).toEqual({ status: 410, reason: 'restored' });
  const { anon: later } = await followers();
  await make.event();
  await later.follow();
  await service.app.get(Database).inTransaction((tx) => tx.execute('UPDATE data_version SET version = 2'));
  expect((await get(`?since=${later.since}`)).body.data).toEqual({ status: 410, reason: 'restored' });
});

test('CHG-24: authors and contributors get changes of their own drafts, and no others', async () => {
  const { tokens, userIds } = service;
  const other = await service.newUser('contributor');
  const copies = [tokens.con, other.token, tokens.aut].map((token) => new Copy(service.client, { token }));
  for (const copy of copies) await copy.follow();
  const { id } = await event(service.client, tokens.con, { title: 'My draft', status: 'draft' });
  const before = copies.map(({ since }) => since);
  expect(await Promise.all(copies.map(news))).toEqual([[`event ${id} My draft`], [], []]);
  expect(copies.slice(1).map(({ since }) => since)).toEqual(before.slice(1));
  // A new author gets the record, and the copy of the former one loses it.
  await put(`/events/${id}`, { author: other.id });
  expect(await Promise.all(copies.map(news))).toEqual([[`event ${id} deleted`], [`event ${id} My draft`], []]);
  await put(`/events/${id}`, { author: userIds.con, status: 'publish' });
  const all = [`event ${id} My draft`];
  expect(await Promise.all(copies.map(news))).toEqual([all, all, all]);
});

test('CHG-25: a term, the children of a deleted category and of a deleted event are told', async () => {
  const { id: top } = await make.category({ name: 'Top' });
  const { id: child } = await make.category({ name: 'Child', parent: top });
  const { id: parent } = await make.event({ title: 'Parent' });
  const { id: part } = await make.event({ title: 'Part', post_parent: parent, categories: [child] });
  const { id: draft } = await make.event({ title: 'Draft', post_parent: parent, status: 'draft' });
  const { anon, edi } = await followers();
  await put(`/categories/${child}`, { name: 'Renamed' });
  expect(await news(anon)).toEqual([`category ${child} Renamed`]);
  await remove(`/categories/${top}`);
  expect(await news(anon)).toEqual([`category ${child} Renamed`, `category ${top} deleted`]);
  await remove(`/events/${parent}?force=true`);
  expect(await news(anon)).toEqual([`event ${part} Part`, `event ${parent} deleted`]);
  expect(await news(edi)).toContain(`event ${draft} Draft`);
});

test('a token is renewed after a day without changes', async () => {
  const { anon } = await followers();
  const first = anon.since;
  service.setNow('2026-11-21T08:38:59Z');
  await anon.step();
  expect(anon.since).toBe(first);
  service.setNow('2026-11-21T08:39:00Z');
  await anon.step();
  expect(anon.since).not.toBe(first);
  const renewed = anon.since;
  await anon.step();
  expect(anon.since).toBe(renewed);
});

test('a token keeps its time of issue while there are more changes, because a purge may remove these', async () => {
  const issueOf = ({ since = '' }: Copy) => since.split('.')[2];
  const filled = new Copy(service.client, { query: 'per_page=2' });
  for (let n = 0; n < 3; n += 1) await make.event();
  await filled.step();
  const { anon } = await followers('per_page=2');
  for (let n = 0; n < 3; n += 1) await make.event();
  const [walking, following] = [issueOf(filled), issueOf(anon)];
  service.setNow('2026-12-01T00:00:00Z');
  expect((await filled.step()).body.has_more).toBe(true);
  expect((await anon.step()).body.has_more).toBe(true);
  expect([issueOf(filled), issueOf(anon)]).toEqual([walking, following]);
  expect((await anon.step()).body.has_more).toBe(false);
  expect(issueOf(anon)).not.toBe(following);
});

test('a record that an instance with a clock ahead has published is told as a record', async () => {
  const { anon } = await followers();
  service.setNow('2026-11-20T08:39:07Z');
  const { id } = await make.event({ title: 'Early' });
  service.setNow(NOW);
  expect(await news(anon)).toEqual([`event ${id} Early`]);
  expect(await news(new Copy(service.client))).toEqual([`event ${id} Early`]);
});
