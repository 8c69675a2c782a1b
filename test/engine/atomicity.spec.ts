import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/database/database.js';
import { TABLES } from '../../src/database/sql/tables.js';
import { type CallerName, startApp, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { category, E, event, venue } from '../support/factories.js';
import { expectForbidden, expectInvalid } from '../support/refusals.js';

type Body = Reply['body'];
type Fields = Record<string, unknown>;

const COLLECTIONS = ['events', 'venues', 'organizers', 'categories', 'tags'] as const;

let service: TestApp;
let adm: string;
let names = 0;

beforeAll(async () => {
  service = await startApp();
  adm = service.tokens.adm;
});

afterAll(() => service.close());

const post = (fields: Fields, caller: CallerName = 'adm') =>
  service.client.post('/events', { ...E, ...fields }, service.tokens[caller]);
const get = (path: string, token = adm) => service.client.get(path, token);
const query = <Row>(sql: string) => service.app.get(Database).query<Row>(sql);

const alter = (sql: string) => service.app.get(Database).inTransaction((tx) => tx.query(sql));

/** Returns an event with new linked records under unique names. */
function bundle(): Fields {
  const n = (names += 1);
  return {
    title: `Event ${n}`,
    venue: { venue: `Hall ${n}`, city: 'Lyon' },
    organizer: [{ organizer: `Ann ${n}` }, { organizer: `Bob ${n}`, email: 'bob@example.com' }],
    categories: [`Category ${n}`],
    tags: [`Tag ${n}`],
  };
}

/** Returns the total of each list. */
async function counts(): Promise<Record<string, number>> {
  const totals = COLLECTIONS.map(async (name) => {
    const filter = name === 'categories' || name === 'tags' ? 'hide_empty=false' : 'status=any';
    return [name, (await get(`/${name}?${filter}`)).body.total as number] as const;
  });
  return Object.fromEntries(await Promise.all(totals));
}

/** Returns the rows of the change record, and the number of the last commit. */
async function changeRecord() {
  const rows = await query<{ seq: number; kind: string; record_id: number; user_id: number; made_utc: string }>(
    `SELECT seq, kind, record_id, user_id, made_utc FROM ${TABLES.changes} ORDER BY id`,
  );
  const [{ version } = { version: -1 }] = await query<{ version: number }>(`SELECT version FROM ${TABLES.dataVersion}`);
  return { rows, version };
}

/** Returns the changes that `work` adds, sorted, as `kind id`. Expects the next number on all rows of each commit. */
async function changesOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = await changeRecord();
  await work();
  const { rows, version } = await changeRecord();
  const added = rows.slice(before.rows.length);
  expect(rows.slice(0, before.rows.length)).toEqual(before.rows);
  expect(added.map(({ made_utc }) => made_utc)).toEqual(added.map(() => '2026-11-20 08:39:00'));
  const seqs = [...new Set(added.map(({ seq }) => seq))];
  expect(seqs).toEqual(seqs.map((_, n) => before.version + 1 + n));
  expect(version).toBe(before.version + seqs.length);
  return added.map(({ kind, record_id }) => `${kind} ${record_id}`).sort();
}

/** Expects `work` to change neither a list nor the change record. */
async function expectNoTrace(work: () => Promise<unknown>): Promise<void> {
  const before = await counts();
  expect(await changesOf(work)).toEqual([]);
  expect(await counts()).toEqual(before);
}

/** Expects an event with all its linked records. */
function expectWhole({ title, venue: hall, organizer, categories, tags }: Body): void {
  const linked = {
    hall: hall.city,
    organizers: organizer.length,
    categories: categories.length,
    tags: tags.length,
  };
  expect([title, linked]).toEqual([title, { hall: 'Lyon', organizers: 2, categories: 1, tags: 1 }]);
}

describe('POST /events with new linked records', () => {
  test('10.4: creates the event and its linked records in one commit', async () => {
    const before = await counts();
    let body: Body;
    const changes = await changesOf(async () => {
      ({ body } = await post(bundle()));
    });
    expectWhole(body);
    expectWhole((await service.client.get(`/events/${body.id}`)).body);
    expect(await counts()).toEqual({
      events: (before.events ?? 0) + 1,
      venues: (before.venues ?? 0) + 1,
      organizers: (before.organizers ?? 0) + 2,
      categories: (before.categories ?? 0) + 1,
      tags: (before.tags ?? 0) + 1,
    });
    expect(changes).toEqual(
      [
        `event.created ${body.id}`,
        `venue.created ${body.venue.id}`,
        ...body.organizer.map(({ id }: Body) => `organizer.created ${id}`),
        `category.created ${body.categories[0].id}`,
        `tag.created ${body.tags[0].id}`,
      ].sort(),
    );
    const { rows, version } = await changeRecord();
    const last = rows.slice(-6);
    expect(new Set(last.map(({ seq }) => seq))).toEqual(new Set([version]));
    expect(new Set(last.map(({ user_id }) => user_id))).toEqual(new Set([service.userIds.adm]));
  });

  test.each<[string, Fields, string]>([
    ['a date', { end_date: '2027-03-10 09:00' }, 'end_date'],
    ['the venue', { venue: { venue: 'Hall', website: 'x' } }, 'venue'],
    ['the second organizer', { organizer: [{ organizer: 'Ann' }, { organizer: 'Bob', email: 'x' }] }, 'organizer'],
    ['an organizer id', { organizer: [{ organizer: 'Ann' }, 2323] }, 'organizer'],
    ['a category id', { categories: ['New', 2323] }, 'categories'],
    ['a tag id', { tags: ['New', 2323] }, 'tags'],
    ['the image', { image: 2323 }, 'image'],
    ['the parent', { post_parent: 2323 }, 'post_parent'],
    ['the author', { author: 2323 }, 'author'],
  ])('EV-NEW-13: creates nothing when %s is invalid', async (_, fields, name) => {
    await expectNoTrace(async () => expectInvalid(await post({ ...bundle(), ...fields }), name));
  });

  test('EV-NEW-13: creates nothing when the caller lacks a right', async () => {
    await expectNoTrace(async () => expectInvalid(await post(bundle(), 'aut'), 'tags'));
    await expectNoTrace(async () => expectForbidden(await post(bundle(), 'sub'), 403));
    const foreign = { organizer: 'Ann', author: service.userIds.adm };
    const own = { ...bundle(), tags: [] };
    await expectNoTrace(async () => expectForbidden(await post({ ...own, organizer: foreign }, 'aut'), 403));
    await expectNoTrace(async () => expectForbidden(await post({ ...own, author: service.userIds.adm }, 'aut'), 403));
  });

  test('10.4: rolls back every write when the last step of the commit fails', async () => {
    const before = await counts();
    await alter(`ALTER TABLE ${TABLES.changes} RENAME TO changes_away`);
    try {
      const { status, body } = await post({ ...bundle(), image: 'https://x.example/late.png' });
      expect([status, body.code, body.message]).toEqual([
        500,
        'internal_server_error',
        'An unexpected error occurred.',
      ]);
    } finally {
      await alter(`ALTER TABLE changes_away RENAME TO ${TABLES.changes}`);
    }
    expect(await counts()).toEqual(before);
    expect(await query(`SELECT id FROM ${TABLES.images} WHERE url = 'https://x.example/late.png'`)).toEqual([]);
    expect(
      await query(`SELECT event_id FROM ${TABLES.eventVenues} WHERE event_id NOT IN (SELECT id FROM events)`),
    ).toEqual([]);
    expectWhole((await post(bundle())).body);
  });

  test.each([2, 20])('EV-NEW-14, VO-15: %d concurrent requests create equal records once', async (number) => {
    const before = await counts();
    const fields = bundle();
    let replies: Reply[] = [];
    const changes = await changesOf(async () => {
      replies = await Promise.all(
        Array.from({ length: number }, (_, n) => post({ ...fields, title: `${String(fields.title)} no ${n}` })),
      );
    });
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
    for (const { body } of replies) {
      expectWhole(body);
      const shared = (record: Body) => [
        record.venue.id,
        ...[...record.organizer, ...record.categories, ...record.tags].map(({ id }: Body) => id as number),
      ];
      expect(shared(body)).toEqual(shared(replies[0]?.body));
    }
    expect(await counts()).toEqual({
      events: (before.events ?? 0) + number,
      venues: (before.venues ?? 0) + 1,
      organizers: (before.organizers ?? 0) + 2,
      categories: (before.categories ?? 0) + 1,
      tags: (before.tags ?? 0) + 1,
    });
    expect(changes).toHaveLength(number + 5);
    expect(new Set(changes).size).toBe(number + 5);
  });

  test('10.4: of concurrent requests the valid ones create whole events, the invalid ones nothing', async () => {
    const before = await counts();
    const bad = () => ({ ...bundle(), organizer: [{ organizer: `Never ${names}` }, 2323] });
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => post(n % 2 === 0 ? bundle() : bad())));
    expect(replies.map(({ status }) => status)).toEqual(replies.map((_, n) => (n % 2 === 0 ? 201 : 400)));
    for (const { body } of replies.filter(({ status }) => status === 201)) expectWhole(body);
    const after = await counts();
    expect(COLLECTIONS.map((name) => (after[name] ?? 0) - (before[name] ?? 0))).toEqual([10, 10, 20, 10, 10]);
    expect((await get('/organizers?search=Never&status=any')).body.total).toBe(0);
  });

  test('10.4: concurrent writes neither end an open transaction nor get lost', async () => {
    const { id } = (await post({ title: 'Before' })).body as { id: number };
    let commit = (): void => undefined;
    const mayCommit = new Promise<void>((resolve) => (commit = resolve));
    const open = service.app.get(Database).inTransaction(async (tx) => {
      await tx.update(TABLES.events, id, { title: 'Afterwards' });
      await mayCommit;
      tx.recordChange('event.updated', id, 1);
    });
    const replies = Promise.all([post({ title: 'Meanwhile' }), post({ title: 'Meanwhile, too' })]);
    // Gives the writes time to arrive and to wait for the transaction.
    await sleep(500);
    commit();
    await open;
    expect((await replies).map(({ status }) => status)).toEqual([201, 201]);
    expect((await get(`/events/${id}`)).body.title).toBe('Afterwards');
  });

  test('10.4: concurrent reads return whole events only', async () => {
    const fields = bundle();
    const shared = { start_date: '2028-01-01', end_date: '2028-01-02', tags: ['Polled'] };
    let isDone = false;
    let seen = 0;
    const ids: number[] = [];

    async function poll(token?: string): Promise<void> {
      while (!isDone) {
        const { status, body } = await service.client.get('/events?per_page=100&start_date=2028-01-01', token);
        expect(status).toBe(200);
        for (const record of body.events) expectWhole(record);
        for (const { id } of body.events.slice(-2))
          expectWhole((await service.client.get(`/events/${id}`, token)).body);
        seen = Math.max(seen, body.events.length as number);
        // The next event either does not exist yet, or has all its linked records.
        const next = await service.client.get(`/events/${Math.max(0, ...ids) + 1}`, token);
        if (next.status === 200) expectWhole(next.body);
        else expect(next.status).toBe(404);
      }
    }

    const readers = Promise.all([poll(), poll(adm)]);
    try {
      for (let round = 0; round < 4; round += 1) {
        const replies = await Promise.all(
          Array.from({ length: 5 }, (_, n) => post({ ...(n % 2 === 0 ? fields : bundle()), ...shared })),
        );
        ids.push(...replies.map(({ body }) => body.id as number));
      }
    } finally {
      isDone = true;
    }
    await readers;
    expect(ids).toHaveLength(20);
    expect(seen).toBeGreaterThan(0);
  });
});

describe('the change record', () => {
  const put = (path: string, fields: object, token = adm) => service.client.put(path, fields, token);
  const created = async (fields: Fields = {}): Promise<number> =>
    (await event(service.client, adm, { title: `Changed ${(names += 1)}`, ...fields })).id as number;

  test('has one row for each way to change an event', async () => {
    const id = await created();
    const path = `/events/${id}`;
    const steps: [string, () => Promise<Reply>][] = [
      ['updated', () => put(path, { title: 'X', date: '2026-01-01', slug: 'x', image: 'https://x.example/c.png' })],
      ['trashed', () => put(path, { status: 'trash', title: 'Y', slug: 'y' })],
      ['updated', () => put(path, { status: 'trash', title: 'Z' })],
      ['restored', () => put(path, { status: 'private', title: 'X' })],
      ['trashed', () => service.client.delete(path, adm)],
      ['updated', () => put(path, { slug: 'another' })],
      ['deleted', () => service.client.delete(`${path}?force=true`, adm)],
    ];
    for (const [kind, step] of steps) {
      expect(
        await changesOf(async () => {
          expect((await step()).status).toBe(200);
        }),
      ).toEqual([`event.${kind} ${id}`]);
    }
  });

  test.each([
    ['events', 'event', { ...E }],
    ['venues', 'venue', { venue: 'Trashed' }],
    ['organizers', 'organizer', { organizer: 'Trashed' }],
  ])('%s: records creation in the trash as created, a later move as trashed', async (collection, noun, fields) => {
    let body: Body;
    const changes = await changesOf(async () => {
      ({ body } = await service.client.post(`/${collection}`, { ...fields, status: 'trash' }, adm));
    });
    expect(body.status).toBe('trash');
    expect(changes).toEqual([`${noun}.created ${body.id}`]);
    expect(await changesOf(() => put(`/${collection}/${body.id}`, { status: 'draft' }))).toEqual([
      `${noun}.restored ${body.id}`,
    ]);
    const away = { status: 'trash', description: 'New' };
    expect(await changesOf(() => put(`/${collection}/${body.id}`, away))).toEqual([`${noun}.trashed ${body.id}`]);
  });

  test('has a row for every record that a write changes', async () => {
    const parent = await created();
    const children = [await created({ post_parent: parent }), await created({ post_parent: parent })];
    const force = () => service.client.delete(`/events/${parent}?force=true`, adm);
    expect(await changesOf(force)).toEqual(
      [`event.deleted ${parent}`, ...children.map((child) => `event.updated ${child}`)].sort(),
    );
    const top = await category(service.client, adm, { name: 'Top' });
    const low = await category(service.client, adm, { name: 'Low', parent: top.id });
    expect(await changesOf(() => service.client.delete(`/categories/${top.id}`, adm))).toEqual(
      [`category.deleted ${top.id}`, `category.updated ${low.id}`].sort(),
    );
    const id = await created();
    let body: Body;
    const changes = await changesOf(async () => {
      ({ body } = await put(`/events/${id}`, { venue: { venue: 'Brought by an update' }, tags: ['Brought'] }));
    });
    expect(changes).toEqual(
      [`event.updated ${id}`, `venue.created ${body.venue.id}`, `tag.created ${body.tags[0].id}`].sort(),
    );
  });

  test('has no row for a reused record or a write that changes nothing', async () => {
    const hall = await venue(service.client, adm, { venue: 'Reused' });
    const id = await created();
    expect(await changesOf(() => service.client.post('/venues', { venue: 'Reused' }, adm))).toEqual([]);
    expect(await changesOf(() => put(`/events/${id}`, { venue: { venue: 'reused' } }))).toEqual([
      `event.updated ${id}`,
    ]);
    for (const path of [`/events/${id}`, `/venues/${hall.id}`]) {
      expect(await changesOf(() => put(path, { unknown: 1 }))).toEqual([]);
      expect(await changesOf(() => get(path))).toEqual([]);
    }
  });

  test('has no row for a rejected write', async () => {
    const id = await created();
    const trashed = await created({ status: 'trash' });
    const path = `/events/${id}`;
    const old = { method: 'PUT', token: adm, body: { title: 'X' }, headers: { 'if-match': '"9-x"' } };
    const refused: [number, () => Promise<Reply>][] = [
      [400, () => put(path, { title: '' })],
      [400, () => put(path, { start_date: '2030-01-01' })],
      [400, () => put(path, { post_parent: id })],
      [400, () => service.client.post('/categories', { name: '' }, adm)],
      [401, () => service.client.delete(path)],
      [403, () => put(path, { title: 'X', venue: { venue: 'New' } }, service.tokens.aut)],
      [404, () => put('/events/2323', { title: 'X', venue: { venue: 'New' } })],
      [410, () => service.client.delete(`/events/${trashed}`, adm)],
      [412, () => service.client.send(path, old)],
    ];
    for (const [status, request] of refused) {
      await expectNoTrace(async () => {
        expect((await request()).status).toBe(status);
      });
    }
  });

  test('has a number per commit and a row per change under concurrent writes', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => created()));
    const changes = await changesOf(() =>
      Promise.all(ids.map((id) => put(`/events/${id}`, { title: `At once ${id}` }))),
    );
    expect(changes).toEqual(ids.map((id) => `event.updated ${id}`).sort());
    const [one] = ids;
    const replies: Reply[] = [];
    const same = await changesOf(async () => {
      replies.push(...(await Promise.all(ids.map((n) => put(`/events/${one}`, { title: `Same ${n}` })))));
    });
    expect(same).toHaveLength(10);
    const revisions = replies.map(({ headers }) => Number(/^"(\d+)-/.exec(headers.etag ?? '')?.[1]));
    expect(revisions.sort((a, b) => a - b)).toEqual(ids.map((_, n) => n + 3));
  });
});
