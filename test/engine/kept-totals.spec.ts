import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Database } from '../../src/database/database.js';
import { startBeside } from '../support/app.js';
import type { Client } from '../support/client.js';
import { useApp } from '../support/events.js';
import { category, organizer, tag, venue } from '../support/factories.js';
import { Random } from '../support/random.js';
import { recordStatements, type SentStatement } from '../support/statements.js';
import { until } from '../support/until.js';

/** Lists whose totals do not come from stored counts. The search index has no stars. */
const STAR = encodeURIComponent('★');
const LISTS = [
  '/events?categories=1',
  '/events?tags=2',
  '/events?venue=1',
  '/events?organizer=1&featured=true',
  `/events?search=${STAR}`,
  `/events?search=${STAR}&start_date=2026-01-01&end_date=2028-01-01`,
  `/events?search=${STAR}+-other&categories=1`,
];

describe('cached totals', () => {
  const app = useApp({ SEARCH_INDEX_FROM: '1', CACHE_ENTRIES: '10000', INDEX: 'off' });
  let without: { client: Client; close(): Promise<void> };
  beforeAll(async () => {
    const { client, tokens } = app();
    await venue(client, tokens.adm, { venue: 'Hall' });
    await organizer(client, tokens.adm, { organizer: 'Ann' });
    await category(client, tokens.adm, { name: 'Music' });
    await tag(client, tokens.adm, { name: 'Red' });
    for (let n = 0; n < 6; n += 1) await write(new Random(n), 'POST', '/events');
    without = await startBeside(app(), { CACHE_ENTRIES: '0' });
  });
  afterAll(() => without.close());

  async function write(random: Random, method: string, path: string, further: object = {}) {
    const body = {
      title: random.pick(['A ★', '★★', 'None']),
      start_date: `2026-12-${random.between(10, 28)} 10:00`,
      end_date: '2027-01-10 10:00',
      venue: random.pick([[], [1]]),
      organizer: random.pick([[], [1]]),
      categories: random.pick([[], [1]]),
      tags: random.pick([[], [2]]),
      featured: random.chance(0.5),
      hide_from_listings: random.chance(0.2),
      status: random.pick(['publish', 'publish', 'draft']),
      ...further,
    };
    const client = random.chance(0.5) ? app().client : (without?.client ?? app().client);
    return client.send(path, { method, body, token: app().tokens.adm });
  }

  const totalOf = async (client: Client, path: string) => {
    const { status, headers } = await client.get(path);
    return [path, status, headers['x-tec-total']];
  };

  test('equal those of an instance without a cache, after writes to either instance and clock changes', async () => {
    const random = new Random(20261122);
    const statements = recordStatements(app());
    let now = Date.parse('2026-11-20T08:39:00Z');
    const at = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
    const id = () => random.between(1, 8);
    const steps: (() => unknown)[] = [
      () => write(random, 'POST', '/events'),
      () => write(random, 'PATCH', `/events/${id()}`),
      () => write(random, 'PATCH', `/events/${id()}`),
      () =>
        write(random, 'PATCH', `/events/${id()}`, {
          status: 'publish',
          date_utc: at(now + 1000 * random.between(1, 5_000)),
        }),
      () => write(random, 'DELETE', `/events/${id()}`),
      () => write(random, 'PATCH', `/events/${id()}`, { password: random.pick(['', 'secret']) }),
      () =>
        app().client.send('/venues/1', { method: 'PATCH', body: { venue: `Hall ${id()}` }, token: app().tokens.adm }),
      () => app().setNow(new Date((now += random.between(1, 3_000) * 1000)).toISOString()),
      () => app().setNow(new Date((now -= random.between(1, 1_000) * 1000)).toISOString()),
    ];
    for (let step = 0; step < 40; step += 1) {
      await random.pick(steps)();
      for (const path of LISTS) {
        expect([step, ...(await totalOf(app().client, path))]).toEqual([
          step,
          ...(await totalOf(without.client, path)),
        ]);
      }
    }
    expect(statements.filter(isRefresh).length).toBeGreaterThan(LISTS.length);
  }, 60_000);

  test('are updated from the changes of a commit, without a new count', async () => {
    const random = new Random(3);
    const statements = recordStatements(app());
    await until(async () => {
      await write(random, 'PATCH', '/events/1', { status: 'publish' });
      statements.length = 0;
      for (const path of LISTS) await totalOf(app().client, path);
      return !statements.some(({ sql }) => sql.startsWith('SELECT count(*)'));
    });
    expect(statements.filter(isRefresh)).toHaveLength(LISTS.length);
  });

  test('hold no reference to the cache entries of earlier database versions', async () => {
    const random = new Random(4);
    const { dataVersion } = app().app.get<Database, { dataVersion: { entries: object } }>(Database);
    const remembered: WeakRef<object>[] = [];
    for (let n = 0; n < 5; n += 1) {
      const list = `/events?search=${STAR.repeat(n + 1)}`;
      await totalOf(app().client, list);
      await write(random, 'PATCH', '/events/1', { status: 'publish' });
      // The service caches a total when the list is requested again after a commit.
      await totalOf(app().client, list);
      remembered.push(new WeakRef(dataVersion.entries));
    }
    await write(random, 'PATCH', '/events/1', { status: 'publish' });
    await totalOf(app().client, '/events');
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    await until(() => {
      collectGarbage();
      return remembered.every((memory) => memory.deref() === undefined);
    });
  });

  test('are not cached for lists that depend on the current time', async () => {
    const statements = recordStatements(app());
    for (let n = 0; n < 4; n += 1) {
      await write(new Random(n), 'PATCH', '/events/1', { status: 'publish' });
      expect((await app().client.get('/events?geoloc=false')).status).toBe(200);
    }
    expect(statements.filter((sent) => isRefresh(sent) || sent.sql.includes('max(id)'))).toEqual([]);
  });
});

function isRefresh({ sql }: SentStatement): boolean {
  return sql.includes('FROM changes WHERE seq > ?');
}
