import { Database } from '../../src/database/database.js';
import { ScheduledPublisher } from '../../src/events/write/scheduled-publisher.js';
import { NOW, startBeside } from '../support/app.js';
import { useApp } from '../support/events.js';
import { category, event } from '../support/factories.js';
import { insertEvents } from '../support/rows.js';
import { recordStatements } from '../support/statements.js';
import { until } from '../support/until.js';

const app = useApp();
const LATER = '2026-11-21 12:00:00';
const AFTERWARDS = '2026-11-21T12:00:00Z';

function stored(status: string) {
  return app().app.get(Database).query<{ id: number }>('SELECT id FROM events WHERE status = ? ORDER BY id', [status]);
}

test('a due event is public at once; storing its status later changes no response', async () => {
  const { client, tokens } = app();
  const { id: music } = await category(client, tokens.adm, { name: 'Music' });
  const { id } = await event(client, tokens.adm, { date: LATER, categories: [music] });
  await event(client, tokens.adm, { date: '2027-01-01', categories: [music] });
  const publisher = app().app.get(ScheduledPublisher);
  await publisher.publishDue();
  expect(await stored('publish')).toEqual([]);
  app().setNow(AFTERWARDS);
  const PATHS = [`/events/${id}`, '/events', '/events?categories=music', '/categories'];
  const answers = () =>
    Promise.all(
      PATHS.map(async (path) => {
        const { status, headers, body } = await client.get(path);
        return [status, headers.etag, body];
      }),
    );
  const before = await answers();
  expect(before.map(([status]) => status)).toEqual(PATHS.map(() => 200));
  expect(before[1]?.[2]).toMatchObject({ total: 1 });
  await Promise.all([publisher.publishDue(), publisher.publishDue()]);
  expect(await stored('publish')).toEqual([{ id }]);
  expect(await answers()).toEqual(before);
  const changes = await app()
    .app.get(Database)
    .query('SELECT record_id, user_id FROM changes WHERE kind = ?', ['event.published']);
  expect(changes).toEqual([{ record_id: id, user_id: 0 }]);
  const statements = recordStatements(app());
  await publisher.publishDue();
  // One for each of venues, organizers and events.
  expect(statements).toHaveLength(3);
  // The stored status does not decide: if the clock is set back, the event is scheduled again.
  app().setNow(NOW);
  const { body } = await client.get('/events?status=future&orderby=id', tokens.adm);
  expect(body.events).toMatchObject([{ id, status: 'future' }, { status: 'future' }]);
});

test('a run inside a snapshot does not fail; at the latest the next run stores the due event', async () => {
  const { client, tokens } = app();
  const { id } = await event(client, tokens.adm, { date: '2026-11-22' });
  app().setNow('2026-11-22T00:00:00Z');
  const service = app().app;
  await service.get(Database).snapshot(async (sql) => {
    await sql.query('SELECT count(*) FROM events');
    await service.get(ScheduledPublisher).publishDue();
  });
  await service.get(ScheduledPublisher).publishDue();
  expect(await stored('publish')).toContainEqual({ id });
});

test('one run stores 450 due events', async () => {
  const many = Array.from({ length: 450 }, () => ({ status: 'future' as const, date_utc: '2026-11-25 00:00:00' }));
  const ids = await insertEvents(app(), many);
  app().setNow('2026-11-25T00:00:00Z');
  await app().app.get(ScheduledPublisher).publishDue();
  const due = (await stored('future')).filter(({ id }) => ids.includes(id));
  expect(due).toEqual([]);
});

test('the started publisher stores events each time they become due', async () => {
  const publisher = app().app.get(ScheduledPublisher);
  const soon = async (date_utc: string) => {
    const [id] = await insertEvents(app(), [{ status: 'future', date_utc }]);
    app().setNow(`${date_utc.replace(' ', 'T')}Z`);
    return id!;
  };
  const isStored = async (id: number) => !(await stored('future')).some((row) => row.id === id);
  const inNoTime = minutesInNoTime();
  try {
    publisher.start();
    for (const day of ['26', '27', '28']) {
      const id = await soon(`2026-11-${day} 00:00:00`);
      await until(() => isStored(id));
    }
  } finally {
    inNoTime.end();
  }
});

/** Runs timers of one minute at once, until `end`. */
function minutesInNoTime() {
  const { setTimeout: original } = globalThis;
  const quick = (work: () => void, milliseconds = 0) => original(work, milliseconds === 60_000 ? 0 : milliseconds);
  globalThis.setTimeout = Object.assign(quick, original);
  return { end: () => (globalThis.setTimeout = original) };
}

test('several instances store 450 events due at the same moment, each once', async () => {
  const { client, tokens } = app();
  const made = 450;
  const create = () => event(client, tokens.adm, { date: '2026-12-01 00:00', tags: ['At once'] });
  for (let n = 0; n < made; n += 50) await Promise.all(Array.from({ length: 50 }, create));
  app().setNow('2026-12-01T00:00:00Z');
  const beside = await startBeside(app());
  await Promise.all([app(), beside].map((service) => service.app.get(ScheduledPublisher).publishDue()));
  await beside.close();
  expect((await client.get('/tags?search=at+once')).body.tags[0].count).toBe(made);
  const published = await app()
    .app.get(Database)
    .query("SELECT record_id FROM changes WHERE kind = 'event.published' GROUP BY record_id HAVING count(*) > 1");
  expect(published).toEqual([]);
});
