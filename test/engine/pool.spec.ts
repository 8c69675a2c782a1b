import { startApp, startOwnApp, type TestApp } from '../support/app.js';
import { contentsOf } from '../support/database.js';
import { category, E, organizer, tag, venue } from '../support/factories.js';

/** Differs between any two databases: random values, and the data version, which only increases. */
const OWN = /"(hash|instance|version|epoch)":("[^"]*"|\d+|\{[^}]*\})/g;

async function tablesOf(service: TestApp): Promise<Record<string, string>> {
  const contents = await contentsOf(service.databaseUrl);
  await contents.close();
  const rows = [...contents.rows].filter(([table]) => !['migrations', 'migration_lock'].includes(table));
  return Object.fromEntries(rows.map(([table, some]) => [table, JSON.stringify(some).replace(OWN, '"$1":0')]));
}

const PATHS = ['', '/events', '/venues', '/organizers', '/categories', '/tags', '/events/1', '/events?search=concert'];

async function firstAnswers({ client, tokens }: TestApp): Promise<unknown[]> {
  const answers: unknown[] = [];
  const note = ({ status, body }: { status: number; body: unknown }) =>
    answers.push([
      status,
      JSON.stringify(body)
        .replaceAll(String(client.port), 'PORT')
        .replace(/[0-9a-f]{12}\.kalends/g, 'INSTANCE'),
    ]);
  for (const path of PATHS) note(await client.get(path));
  note(await client.get('/events', 'wrong'));
  note(
    await client.send('/events', { method: 'POST', body: E, token: tokens.con, headers: { 'idempotency-key': 'k' } }),
  );
  note(await client.get('/events?search=concert', tokens.adm));
  return answers;
}

/** Writes to every table and fills the caches and counters of the service. */
async function use(service: TestApp): Promise<void> {
  const { client, tokens } = service;
  service.setNow('2026-11-25T10:00:00Z');
  const links = {
    venue: (await venue(client, tokens.adm)).id as number,
    organizer: (await organizer(client, tokens.adm)).id as number,
    categories: [(await category(client, tokens.adm, { name: 'Jazz' })).id as number],
    tags: [(await tag(client, tokens.adm, { name: 'open air' })).id as number],
  };
  const post = (body: object, key: string) =>
    client.send('/events', { method: 'POST', body, token: tokens.adm, headers: { 'idempotency-key': key } });
  const event = { ...E, ...links, title: 'A concert', image: 'https://x.example/a.jpg', password: 'secret' };
  const { body } = await post(event, 'k');
  await post({ ...event, date: '2026-12-01 10:00:00', password: undefined }, 'other');
  await client.delete(`/events/${body.id}`, tokens.adm);
  await service.newUser('editor');
  for (let attempt = 0; attempt < 100; attempt += 1) await client.get('/events', `wrong${attempt}`);
  expect((await client.get('/events', 'wrong')).status).toBe(429);
  for (const path of PATHS) await client.get(path);
}

describe('a service shared by tests', () => {
  let fresh: TestApp;
  beforeAll(async () => (fresh = await startOwnApp()));
  afterAll(() => fresh.close());

  test('has the tables, responses and counters of a new service for the next test', async () => {
    const first = await startApp();
    await use(first);
    await first.close();
    const next = await startApp();
    expect(next).toBe(first);
    expect(await tablesOf(next)).toEqual(await tablesOf(fresh));
    const answers = await firstAnswers(next);
    expect(answers).toEqual(await firstAnswers(fresh));
    await next.close();
  });

  test('is given to one test at a time', async () => {
    const [one, other] = [await startApp(), await startApp()];
    expect(one).not.toBe(other);
    await one.close();
    await other.close();
  });

  test('is restored after a test replaced a method', async () => {
    const service = await startApp();
    const { Clock } = await import('../../src/config/clock.js');
    service.app.get(Clock).milliseconds = () => 0;
    await service.close();
    const next = await startApp();
    expect(next).toBe(service);
    expect(next.app.get(Clock).now()).toBe('2026-11-20 08:39:00');
    await next.close();
  });
});
