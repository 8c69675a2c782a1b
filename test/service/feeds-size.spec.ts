import { toUtc } from '../../src/kernel/time/calendar-time.js';
import { readCalendar } from '../support/calendar.js';
import { useApp } from '../support/events.js';
import { venue } from '../support/factories.js';
import { costOf, MAX_TURN_MS } from '../support/longest-turn.js';
import { insertEvents, linkEvent } from '../support/rows.js';
import { VENUE } from '../../src/venues/venue.kind.js';
import { recordStatements } from '../support/statements.js';

const COUNT = 5_000;
const MAX_GROWTH_BYTES = 60 * 1024 * 1024;
/** The collector of garbage and the compiler may distort a single measurement. */
const ATTEMPTS = 5;

const ZONES = ['Europe/Paris', 'America/New_York', 'Asia/Tokyo', 'Africa/Casablanca', 'UTC', 'Australia/Lord_Howe'];

async function fill(app: ReturnType<ReturnType<typeof useApp>>): Promise<void> {
  const { id } = await venue(app.client, app.tokens.adm, { venue: 'Hall', city: 'Lyon', geo_lat: 45, geo_lng: 5 });
  const rows = Array.from({ length: COUNT }, (_, index) => {
    const timezone = ZONES[index % ZONES.length]!;
    const start_local = `2027-${String(1 + (index % 12)).padStart(2, '0')}-${String(1 + (index % 28)).padStart(2, '0')} 10:00:00`;
    const end_local = start_local.replace(' 10', ' 12');
    const utc = { start_utc: toUtc(start_local, timezone), end_utc: toUtc(end_local, timezone) };
    const description = `<p>Doors at <b>nine</b>.</p><p>${'A sentence of the description, which has some length. '.repeat(6)}</p>`;
    return { title: `Event ${index}`, description, timezone, start_local, end_local, ...utc };
  });
  const ids = await insertEvents(app, rows);
  for (const event of ids.slice(0, 50)) await linkEvent(app, event, VENUE, [id as number]);
}

describe('GET /events.ics with 5,000 events, without a cache', () => {
  const app = useApp({ CACHE_ENTRIES: '0' });

  test('ICS-31: keeps the event loop for less than 50 ms at a time, and needs little memory', async () => {
    await fill(app());
    const { client } = app();
    const read = await client.get('/events.ics');
    expect(readCalendar(read)).toHaveLength(COUNT);
    let best = { turnMs: Infinity, grownBytes: Infinity };
    const isGood = () => best.turnMs <= MAX_TURN_MS && best.grownBytes < MAX_GROWTH_BYTES;
    for (let attempt = 0; attempt < ATTEMPTS && !isGood(); attempt += 1) {
      const { turnMs, grownBytes } = await costOf(() => client.send('/events.ics', { method: 'HEAD' }));
      best = { turnMs: Math.min(best.turnMs, turnMs), grownBytes: Math.min(best.grownBytes, grownBytes) };
    }
    expect(best.turnMs).toBeLessThanOrEqual(MAX_TURN_MS);
    expect(best.grownBytes).toBeLessThan(MAX_GROWTH_BYTES);
  });
});

describe('GET /events.ics with a cache', () => {
  const app = useApp({ CACHE_ENTRIES: '10000' });

  test('ICS-07: of a feed larger than a tenth of the cache only the ETag is cached, so that 304 needs no rendering', async () => {
    await fill(app());
    const { client } = app();
    const statements = recordStatements(app());
    const count = async (path: string, tag?: string) => {
      statements.length = 0;
      const reply = await client.send(path, { headers: tag === undefined ? {} : { 'if-none-match': tag } });
      return { status: reply.status, statements: statements.length, tag: reply.headers.etag };
    };
    const first = await count('/events.ics');
    expect(await count('/events.ics', first.tag)).toEqual({ ...first, status: 304, statements: 1 });
    expect((await count('/events.ics', '"other"')).statements).toBeGreaterThan(50);
    // The list of a month is small, and is cached whole.
    const month = '/events.ics?start_date=2027-03-01&end_date=2027-03-07';
    await count(month);
    expect((await count(month)).statements).toBe(1);
  });
});
