import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { withOriginalQueryRunners } from '../../src/database/repositories/repositories.js';
import { Database } from '../../src/database/database.js';
import { TermCounts1795291200000 } from '../../src/database/migrations/1795291200000-term-counts.js';
import { EventDays1795294800000 } from '../../src/database/migrations/1795294800000-event-days.js';
import { ScheduledEvents1795363200000 } from '../../src/database/migrations/1795363200000-scheduled-events.js';
import { ScheduledPublisher } from '../../src/events/write/scheduled-publisher.js';
import { CommandContext } from '../../src/platform/http/command-context.js';
import { EventImporter } from '../../src/transfer/batch/event-importer.js';
import { PurgeCommand } from '../../src/upkeep/purge.command.js';
import { NOW, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { useApp } from '../support/events.js';
import { category, E, event, tag } from '../support/factories.js';
import { runCommand } from '../support/command.js';
import { Random } from '../support/random.js';
import { told } from '../support/told.js';

const TAXONOMIES = { categories: 'tribe_events_cat', tags: 'post_tag' } as const;
type Collection = keyof typeof TAXONOMIES;
const COLLECTIONS = Object.keys(TAXONOMIES) as Collection[];

interface Term {
  readonly id: number;
  readonly count: number;
  readonly parent: number;
}

/** `GET /categories` or `/tags`, all on one page. */
async function terms({ client }: TestApp, collection: Collection, query = 'hide_empty=false'): Promise<Term[]> {
  const { status, body } = await client.get(`/${collection}?per_page=50&orderby=id&${query}`);
  if (status !== 200) return [];
  expect(body.total_pages).toBeLessThanOrEqual(1);
  return body[collection] as Term[];
}

/** The counts of contract TERM-18, computed from all events. */
async function scanned({ app }: TestApp, nowUtc: string): Promise<Map<number, number>> {
  const rows = await app.get(Database).query<{ term_id: number; events: number }>(
    `SELECT l.term_id, count(*) AS events FROM event_terms l JOIN events e ON e.id = l.event_id
     WHERE e.public_from <= ? GROUP BY l.term_id`,
    [nowUtc],
  );
  return new Map(rows.map(({ term_id, events }) => [term_id, Number(events)]));
}

const DAYS = 'hide_from_listings, start_day, end_day';

/** Compares the stored counts by day and by term with a scan of the events. */
async function expectKept({ app }: TestApp): Promise<void> {
  const database = app.get(Database);
  const expectSame = async (table: string, key: string, scan: string) => {
    // A write concurrent with the deletion of a term may leave its count, which no query reads.
    const isThere = key === 'term_id' ? ' AND term_id IN (SELECT id FROM terms)' : '';
    const [kept, found] = await Promise.all(
      [`SELECT ${key}, event_count FROM ${table} WHERE event_count <> 0${isThere}`, scan].map((sql) =>
        database.query<{ event_count: number }>(`${sql} ORDER BY ${key}`),
      ),
    );
    expect([table, kept]).toEqual([table, found?.map((row) => ({ ...row, event_count: Number(row.event_count) }))]);
  };
  for (const [days, terms, statuses] of [
    ['event_days', 'term_counts', "'publish', 'future'"],
    ['scheduled_days', 'scheduled_terms', "'future'"],
  ] as const) {
    await expectSame(
      days,
      DAYS,
      `SELECT hide_from_listings, substr(start_utc, 1, 10) AS start_day, substr(end_utc, 1, 10) AS end_day,
       count(*) AS event_count FROM events WHERE status IN (${statuses}) GROUP BY ${DAYS}`,
    );
    await expectSame(
      terms,
      'term_id',
      `SELECT l.term_id, count(*) AS event_count FROM event_terms l JOIN events e ON e.id = l.event_id
       WHERE e.status IN (${statuses}) GROUP BY l.term_id`,
    );
  }
}

/** Compares counts, `orderby=count` and `hide_empty` with a scan of the events. */
async function expectCounted(service: TestApp, now: string): Promise<void> {
  await expectKept(service);
  const counts = await scanned(service, now.slice(0, 19).replace('T', ' '));
  for (const collection of COLLECTIONS) {
    const all = await terms(service, collection);
    expect(all.map(({ id, count }) => [id, count])).toEqual(all.map(({ id }) => [id, counts.get(id) ?? 0]));
    const isUsed = ({ id, count }: Term): boolean =>
      count > 0 || all.filter(({ parent }) => parent === id).some(isUsed);
    expect(await terms(service, collection, '')).toEqual(all.filter(isUsed));
    const byCount = await terms(service, collection, 'hide_empty=false&orderby=count&order=desc');
    expect(byCount).toEqual(all.toSorted((a, b) => b.count - a.count || a.id - b.id));
  }
}

const STATUSES = ['publish', 'publish', 'publish', 'draft', 'pending', 'private', 'future'];
const DATES = ['2026-01-01', '2026-11-20 09:00', '2026-11-21', '2026-12-24', '2027-05-01'];
const MOMENTS = [NOW, '2026-11-20T09:00:00Z', '2026-11-22T00:00:00Z', '2027-06-01T00:00:00Z'];

describe('stored counts equal the counts of a scan after any writes (TERM-18, TERM-03)', () => {
  const app = useApp();

  /** Sends one random write. Counts in its response must include that write. */
  async function write(random: Random, events: number[], now: string): Promise<void> {
    const { client, tokens } = app();
    const chosen = async (collection: Collection) =>
      (await terms(app(), collection)).map(({ id }) => id).filter(() => random.chance(0.4));
    const fields = async () => ({
      ...(random.chance(0.6) ? { categories: await chosen('categories') } : {}),
      ...(random.chance(0.6)
        ? { tags: [...(await chosen('tags')), ...(random.chance(0.2) ? [`T${events.length}`] : [])] }
        : {}),
      ...(random.chance(0.4) ? { status: random.pick(STATUSES) } : {}),
      ...(random.chance(0.3) ? { date: random.pick(DATES) } : {}),
      ...(random.chance(0.1) ? { password: 'x' } : {}),
    });
    const path = `/events/${random.pick(events)}`;
    const kinds: (() => Promise<Reply | void>)[] = [
      async () => client.post('/events', { ...E, ...(await fields()) }, tokens.adm),
      async () => client.post('/events', { ...E, ...(await fields()), status: 'trash' }, tokens.adm),
      async () => client.post('/events', { ...E, ...(await fields()) }, tokens.con),
      async () => client.post(path, await fields(), tokens.adm),
      async () => client.post(path, await fields(), tokens.adm),
      () => client.post(path, { title: 'Renamed', start_date: '2027-04-01', end_date: '2027-04-02' }, tokens.adm),
      () => client.post(path, { hide_from_listings: random.chance(0.5) }, tokens.adm),
      () => client.post(path, { categories: '', tags: '' }, tokens.adm),
      async () => client.post(path, { ...(await fields()), status: 'trash' }, tokens.adm),
      () => client.delete(path, tokens.adm),
      () => client.post(path, { status: 'publish' }, tokens.adm),
      () => client.delete(`${path}?force=true`, tokens.adm),
      () => importBatch(random, events.length, [...DATES]),
      async () =>
        void (await told(() =>
          app().app.get(PurgeCommand).run({ trashOlderThan: '0d', changesOlderThan: '0d', dryRun: false }),
        )),
      async () => {
        const collection = random.pick(COLLECTIONS);
        const [first] = await terms(app(), collection);
        return random.chance(0.3) && first !== undefined
          ? client.delete(`/${collection}/${first.id}`, tokens.adm)
          : client.post(`/${collection}`, { name: `New ${random.between(1, 1e9)}` }, tokens.adm);
      },
    ];
    const reply = (await random.pick(kinds)()) as Reply | undefined;
    if (reply?.status === 201 && reply.body.start_date !== undefined) events.push(reply.body.id as number);
    const counts = await scanned(app(), now.slice(0, 19).replace('T', ' '));
    if (reply?.status !== 200 && reply?.status !== 201) return;
    for (const shown of [...(reply.body.categories ?? []), ...(reply.body.tags ?? [])] as Term[]) {
      // `previous` is the state before the deletion, so its counts include the deleted event.
      if (!('previous' in reply.body)) expect([shown.id, shown.count]).toEqual([shown.id, counts.get(shown.id) ?? 0]);
    }
  }

  async function importBatch(random: Random, from: number, dates: readonly string[]): Promise<void> {
    const importer = app().app.get(EventImporter);
    const context = await app().app.get(CommandContext).read();
    const lines = Array.from({ length: 7 }, (_, n) => ({
      ...E,
      external_id: `${from} ${n} ${random.next()}`,
      date: random.pick(dates),
      status: random.pick([...STATUSES, 'trash']),
      categories: ['Imported', 'Child'].slice(random.between(0, 1)),
      tags: [`Tag ${random.between(1, 4)}`],
    }));
    const batch = lines.map((line, n) => ({ number: n + 1, bytes: Buffer.from(JSON.stringify(line)) }));
    expect((await importer.run(batch, context, false)).added).toBe(lines.length);
  }

  test.each([1, 2, 3])('random writes with seed %i', async (seed) => {
    const { client, tokens } = app();
    const random = new Random(seed);
    const top = await category(client, tokens.adm, { name: `Top ${seed}` });
    await category(client, tokens.adm, { name: `Child ${seed}`, parent: top.id });
    await tag(client, tokens.adm, { name: `Tag ${seed} of many` });
    const events = [(await event(client, tokens.adm)).id as number];
    for (const now of MOMENTS) {
      app().setNow(now);
      // Scheduled events become public with time, without any write.
      await expectCounted(app(), now);
      for (let n = 0; n < 14; n += 1) await write(random, events, now);
      await expectCounted(app(), now);
      if (random.chance(0.5)) await app().app.get(ScheduledPublisher).publishDue();
      await expectCounted(app(), now);
    }
    // After the clock is set back, published events with a later date count as scheduled.
    app().setNow(NOW);
    await expectCounted(app(), NOW);
  });

  test('concurrent writes are all counted, also during the deletion of a term', async () => {
    const { client, tokens } = app();
    const kept = await category(client, tokens.adm, { name: 'Kept' });
    const lost = await category(client, tokens.adm, { name: 'Lost' });
    const made = await Promise.all(
      Array.from({ length: 8 }, () => event(client, tokens.adm, { categories: [lost.id, kept.id], tags: ['At once'] })),
    );
    const replies = await Promise.all([
      ...made.slice(0, 4).map(({ id }) => client.delete(`/events/${id}`, tokens.adm)),
      client.delete(`/categories/${lost.id}`, tokens.adm),
      ...made.slice(4, 6).map(({ id }) => client.post(`/events/${id}`, { categories: [kept.id] }, tokens.adm)),
      ...made.slice(6).map(({ id }) => client.post(`/events/${id}`, { status: 'draft' }, tokens.adm)),
    ]);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect((await client.get(`/categories/${kept.id}`)).body.count).toBe(2);
    await expectCounted(app(), NOW);
  });

  test('the migrations count existing events', async () => {
    const source = app().app.get<DataSource>(getDataSourceToken());
    const runner = withOriginalQueryRunners(() => source.createQueryRunner());
    await event(app().client, app().tokens.adm, { date: '2027-01-01', tags: ['Scheduled'] });
    const last = new ScheduledEvents1795363200000();
    await last.down(runner);
    for (const migration of [new TermCounts1795291200000(), new EventDays1795294800000()]) await migration.up(runner);
    // An interrupted migration runs again from its start.
    for (let n = 0; n < 2; n += 1) await last.up(runner);
    await runner.release();
    await category(app().client, app().tokens.adm, { name: 'After the migration' });
    await expectCounted(app(), NOW);
  });

  test('`kalends recount` repairs counts that were changed by hand', async () => {
    const { client, tokens, databaseUrl } = app();
    const { id } = await category(client, tokens.adm, { name: 'By hand' });
    await event(client, tokens.adm, { categories: [id] });
    await app()
      .app.get(Database)
      .inTransaction(async (tx) => {
        // Few enough differences for the command to list them all.
        await tx.execute('UPDATE term_counts SET event_count = event_count + 7 WHERE term_id < 10');
        await tx.execute('UPDATE event_days SET event_count = event_count - 1');
        await tx.execute('UPDATE scheduled_days SET event_count = event_count + 1');
        await tx.execute('DELETE FROM scheduled_terms');
        await tx.execute('DELETE FROM term_counts WHERE term_id = ?', [id]);
        tx.recordChange('test.changed', 0, 0);
      });
    expect((await client.get(`/categories/${id}`)).body.count).toBe(0);
    const recount = async (...options: string[]) => {
      const { code, stdout, stderr } = await runCommand(['recount', ...options], { DATABASE_URL: databaseUrl });
      expect(stderr).toBe('');
      return { code, lines: stdout.trimEnd().split('\n') };
    };
    const { code, lines } = await recount('--check');
    expect([code, lines.at(-1)]).toEqual([1, expect.stringMatching(/^Counts that would change: \d+$/)]);
    expect(lines).toContain(`term_counts: term_id ${id}: 0 kept, 1 counted`);
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^event_days: hide_from_listings 0, start_day [\d-]+, end_day [\d-]+: \d+ kept, \d+ counted$/,
      ),
    );
    // `--check` wrote nothing.
    expect((await client.get(`/categories/${id}`)).body.count).toBe(0);
    const changed = lines.at(-1)?.replace('Counts that would change', 'All events are counted. Counts changed');
    expect(await recount()).toEqual({ code: 0, lines: [...lines.slice(0, -1), changed] });
    expect((await client.get(`/categories/${id}`)).body.count).toBe(1);
    await expectCounted(app(), NOW);
    expect(await recount('--check')).toEqual({ code: 0, lines: ['Counts that would change: 0'] });
  });
});
