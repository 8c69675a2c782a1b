import { ALL_CHANGED } from '../../src/database/connection/transaction.js';
import { Database } from '../../src/database/database.js';
import { UNOBSERVED } from '../../src/database/statement-observer.js';
import { IndexCheck } from '../../src/events/index/index-check.js';
import { startBeside } from '../support/app.js';
import { useApp } from '../support/events.js';
import { category, E, event, venue } from '../support/factories.js';
import { latch } from '../support/latch.js';
import { recordStatements } from '../support/statements.js';

/** Commits and moments between the steps of a read that the index of events answers. */
const app = useApp({ INDEX: 'on' });
let other: Awaited<ReturnType<typeof startBeside>>;

beforeAll(async () => {
  other = await startBeside(app(), { INDEX: 'off', CACHE_ENTRIES: '0' });
});
afterEach(() => (database().observer = UNOBSERVED));
afterAll(() => other.close());

const database = () => app().app.get(Database);
const differences = () => app().app.get(IndexCheck).differences();

/** Holds the result of the first statement that matches. `reached`: the database has answered it. */
function hold(pattern: RegExp) {
  const [reached, released] = [latch(), latch()];
  let isHeld = false;
  database().observer = {
    ...UNOBSERVED,
    statements: async (texts, send) => {
      const result = await send();
      if (!isHeld && texts.some((sql) => pattern.test(sql))) {
        isHeld = true;
        reached.open();
        await released.opened;
      }
      return result;
    },
  };
  return { reached: reached.opened, release: () => released.open() };
}

const ROWS_OF_EVENTS = /\be\.excerpt\b/;
const ROWS_OF_VENUES = /\bp\.city\b/;
const CHANGES = /c\.made_utc/;

async function newEvent(fields: Record<string, unknown> = {}): Promise<number> {
  return Number((await event(app().client, app().tokens.adm, { title: 'Old', ...fields })).id);
}

/** Makes the next request load the index again, so that no row is cached. */
async function forgetRows(): Promise<void> {
  await database().inTransaction((tx) => Promise.resolve(tx.recordChange(ALL_CHANGED, 0, 0)));
  expect((await app().client.get('/events?include=999999')).body).toMatchObject({ total: 0 });
}

/** Reads the first time, while the caller holds a statement, and once more afterwards. */
async function readAround(path: string, pattern: RegExp, work: () => Promise<unknown>) {
  await forgetRows();
  const held = hold(pattern);
  const first = app().client.get(path);
  await held.reached;
  await work();
  held.release();
  expect((await first).status).toBe(200);
  return (await app().client.get(path)).body;
}

describe('what is read before a commit, and kept after it', () => {
  test.each([
    ['one event', (id: number) => `/events/${id}`],
    ['a list', (id: number) => `/events?include=${id}`],
  ])('does not show in the next read of %s', async (_what, pathOf) => {
    const id = await newEvent();
    const path = pathOf(id);
    const shown = await readAround(path, ROWS_OF_EVENTS, async () => {
      await other.client.post(`/events/${id}`, { title: 'New' }, app().tokens.adm);
      // Takes over the change before the held rows are kept.
      await app().client.get('/events?per_page=1');
    });
    expect(JSON.stringify(shown)).toContain('New');
    expect(await differences()).toEqual([]);
  });

  test('does not show in the next read of a linked record', async () => {
    const { client, tokens } = app();
    const place = Number((await venue(client, tokens.adm, { venue: 'Old hall' })).id);
    const id = await newEvent({ venue: place });
    const shown = await readAround(`/events/${id}`, ROWS_OF_VENUES, async () => {
      await other.client.post(`/venues/${place}`, { venue: 'New hall' }, tokens.adm);
      await client.get('/events?per_page=1');
    });
    expect(shown.venue.venue).toBe('New hall');
  });

  test('does not show in the next list, if the commit takes its event out', async () => {
    const id = await newEvent();
    const path = `/events?include=${id}`;
    const taken = await readAround(path, ROWS_OF_EVENTS, () =>
      other.client.post(`/events/${id}`, { status: 'draft' }, app().tokens.adm),
    );
    expect(taken).toMatchObject({ total: 0, events: [] });
  });

  test('does not show if the change record was being read meanwhile', async () => {
    const id = await newEvent();
    await app().client.get('/events');
    await other.client.post(`/events/${id}`, { title: 'Newer' }, app().tokens.adm);
    const shown = await readAround(`/events/${id}?_fields=title`, CHANGES, () =>
      other.client.post(`/events/${id}`, { title: 'Newest' }, app().tokens.adm),
    );
    expect(shown.title).toBe('Newest');
    expect(await differences()).toEqual([]);
  });

  test('does not show the events of another moment', async () => {
    const id = await newEvent();
    const scheduled = await newEvent({ date: '2026-11-20 09:00' });
    const path = `/events?include=${id},${scheduled}&_fields=id`;
    const idsOf = ({ events }: { events: { id: number }[] }) => events.map((one) => one.id);
    const before = await readAround(path, ROWS_OF_EVENTS, () => Promise.resolve(app().setNow('2026-11-20T09:00:00Z')));
    expect(idsOf(before)).toEqual([id, scheduled]);
    app().setNow('2026-11-20T08:59:59Z');
    expect(idsOf((await app().client.get(path)).body)).toEqual([id]);
    expect(await differences()).toEqual([]);
  });
});

describe('writes decide by the database, not by the index', () => {
  /** Changes a row without a change in the change record, so that the index does not learn of it. */
  const behindIndex = (sql: string, ...params: (string | number)[]) =>
    database().inTransaction((tx) => tx.execute(sql, params));

  test('about rights, the trash and the parent', async () => {
    const { client, tokens, userIds } = app();
    const id = await newEvent();
    const parent = await newEvent();
    await client.get('/events');
    await behindIndex(
      "UPDATE events SET author_id = ?, status = 'draft', public_from = NULL WHERE id = ?",
      userIds.con,
      id,
    );
    expect((await client.post(`/events/${id}`, { title: 'Mine' }, tokens.con)).body.title).toBe('Mine');
    const child = await newEvent();
    await behindIndex(
      "UPDATE events SET status = 'trash', trashed_from = 'publish', public_from = NULL WHERE id = ?",
      child,
    );
    expect((await client.delete(`/events/${child}`, tokens.adm)).status).toBe(410);
    await behindIndex('DELETE FROM events WHERE id = ?', parent);
    const { status, body } = await client.post('/events', { ...E, title: 'Orphan', post_parent: parent }, tokens.adm);
    expect([status, Object.keys((body.data.details as object) ?? {})]).toEqual([400, ['post_parent']]);
    await database().inTransaction((tx) => Promise.resolve(tx.recordChange('event.deleted', parent, 0)));
  });

  test('and read nothing from it: a write loads no index', async () => {
    const own = await startBeside(app(), { INDEX: 'on' });
    const statements = recordStatements(own);
    const made = await own.client.post('/events', { ...E, title: 'First' }, app().tokens.adm);
    expect(made.status).toBe(201);
    expect(statements.some(({ sql }) => sql.includes('ORDER BY e.id LIMIT'))).toBe(false);
    await own.client.get('/events');
    expect(statements.some(({ sql }) => sql.includes('ORDER BY e.id LIMIT'))).toBe(true);
    await own.close();
  });
});

describe('a change that the index has missed', () => {
  test('in the middle of others makes it load again', async () => {
    const ids = [await newEvent(), await newEvent()];
    const path = `/events?include=${ids.join()}`;
    expect((await app().client.get(path)).body.total).toBe(2);
    for (const id of ids) await other.client.post(`/events/${id}`, { status: 'draft' }, app().tokens.adm);
    await other.app
      .get(Database)
      .inTransaction((tx) => tx.execute('DELETE FROM changes WHERE seq = (SELECT version - 1 FROM data_version)'));
    const statements = recordStatements(app());
    expect((await app().client.get(path)).body.total).toBe(0);
    expect(statements.some(({ sql }) => sql.includes('ORDER BY e.id LIMIT'))).toBe(true);
    expect(await differences()).toEqual([]);
  });

  test('because the categories of its events were moved meanwhile, is made good at once', async () => {
    const { client, tokens } = app();
    const made = async (name: string) => Number((await category(client, tokens.adm, { name })).id);
    const [top, branch] = [await made('Top of the moved'), await made('Branch to move')];
    const id = await newEvent({ categories: [branch] });
    const total = async () => Number((await client.get(`/events?categories=${top}`)).body.total);
    expect(await total()).toBe(0);
    await other.client.post(`/categories/${branch}`, { parent: top }, tokens.adm);
    expect(await total()).toBe(1);
    await other.client.delete(`/events/${id}?force=true`, tokens.adm);
    expect(await total()).toBe(0);
    await other.client.delete(`/categories/${top}?force=true`, tokens.adm);
    expect(await differences()).toEqual([]);
  });
});

describe('while the index is loaded again', () => {
  test('ERR-12: lists wait, and get 503 with Retry-After at their deadline; reads by id are answered', async () => {
    const late = await startBeside(app(), { INDEX: 'on', DATABASE_READ_TIMEOUT: '1' });
    const id = await newEvent();
    await late.client.get('/events');
    await database().inTransaction(async (tx) => void (await tx.lockVersion()));
    const released = latch();
    late.app.get(Database).observer = {
      ...UNOBSERVED,
      statements: async (texts, send) => {
        if (texts[0]!.includes('ORDER BY e.id LIMIT')) await released.opened;
        return send();
      },
    };
    const { status, headers } = await late.client.get('/events');
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect((await late.client.get(`/events/${id}`)).status).toBe(200);
    released.open();
    expect((await late.client.get(`/events?include=${id}`)).body.total).toBe(1);
    await late.close();
  });
});

test('all commits of a process and of another one are in the next list, while both write', async () => {
  const { tokens } = app();
  const ids: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const made = await Promise.all(
      [app().client, other.client, app().client].map((client) =>
        client.post('/events', { ...E, title: `Round ${round}` }, tokens.adm),
      ),
    );
    ids.push(...made.map(({ body }) => Number(body.id)));
    const { total } = (await app().client.get(`/events?include=${ids.join()}`)).body;
    expect(total).toBe(ids.length);
  }
  expect(await differences()).toEqual([]);
});
