import { type TestApp, startBeside } from '../support/app.js';
import { useApp } from '../support/events.js';
import { category, event, venue } from '../support/factories.js';

/** `late` may miss writes of other instances for an hour; `app` may not. */
describe('CACHE_STALENESS=3600', () => {
  const app = useApp();
  let late: Pick<TestApp, 'client' | 'close'>;
  beforeAll(async () => {
    const { client, tokens } = app();
    await venue(client, tokens.adm, { venue: 'Hall' });
    await category(client, tokens.adm, { name: 'Music' });
    await event(client, tokens.adm, { title: 'One', venue: 1, categories: 'music' });
    await event(client, tokens.adm, { title: 'Soon', categories: 'music', date_utc: '2026-11-20 09:00:00' });
    late = await startBeside(app(), { CACHE_STALENESS: '3600' });
  });
  afterAll(() => late.close());

  const hall = async ({ client }: Pick<TestApp, 'client'>) =>
    (await client.get('/events/1')).body.venue.venue as string;
  const total = async () => Number((await late.client.get('/events')).body.total);
  const begin = async () =>
    String((await late.client.get('/events?per_page=1&_fields=rest_url')).body.rest_url).match(
      /start_date=([\d-]+)/,
    )?.[1];

  test('shows its own writes at once, and writes of other instances at the latest with them', async () => {
    const { client, tokens } = app();
    expect([await hall(app()), await hall(late)]).toEqual(['Hall', 'Hall']);
    await client.post('/venues/1', { venue: 'Renamed' }, tokens.adm);
    expect([await hall(app()), await hall(late)]).toEqual(['Renamed', 'Hall']);
    await late.client.post('/categories/1', { name: 'Songs' }, tokens.adm);
    const { body } = await late.client.get('/events/1');
    expect([body.categories[0].name, body.venue.venue]).toEqual(['Songs', 'Renamed']);
    for (let n = 1; n <= 5; n += 1) {
      await late.client.post('/venues/1', { venue: `Hall ${n}` }, tokens.adm);
      expect([await hall(app()), await hall(late)]).toEqual([`Hall ${n}`, `Hall ${n}`]);
    }
  });

  test('publishes a scheduled record on time, and moves the default window at midnight of the site', async () => {
    app().setNow('2026-11-20T08:59:59Z');
    expect([await total(), await begin()]).toEqual([1, '2026-11-19']);
    app().setNow('2026-11-20T09:00:00Z');
    expect(await total()).toBe(2);
    app().setNow('2026-11-20T23:59:59Z');
    expect(await begin()).toBe('2026-11-19');
    app().setNow('2026-11-21T00:00:00Z');
    expect(await begin()).toBe('2026-11-20');
  });
});
