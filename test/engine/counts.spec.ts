import { Database } from '../../src/database/database.js';
import { ScheduledPublisher } from '../../src/events/write/scheduled-publisher.js';
import { CommandContext } from '../../src/platform/http/command-context.js';
import { EventImporter } from '../../src/transfer/batch/event-importer.js';
import { PurgeCommand } from '../../src/upkeep/purge.command.js';
import { NOW, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { useApp } from '../support/events.js';
import { category, E, event, tag } from '../support/factories.js';
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

/** Compares counts, `orderby=count` and `hide_empty` with a scan of the events. */
async function expectCounted(service: TestApp, now: string): Promise<void> {
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

describe.each(['on', 'off'])('counts equal those of a scan after any writes (TERM-18, TERM-03), INDEX=%s', (INDEX) => {
  const app = useApp({ INDEX });

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
});
