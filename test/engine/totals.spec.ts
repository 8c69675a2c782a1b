import { addDays, addSeconds } from '../../src/kernel/time/calendar-arithmetic.js';
import type { UtcTime } from '../../src/kernel/time/calendar-time.js';
import { useApp } from '../support/events.js';
import { Random } from '../support/random.js';
import { insertEvent, insertEvents } from '../support/rows.js';

const FIRST = '2026-10-01 00:00:00';
const DAY = 86_400;

/** Returns a random time. Most are midnight or one second from it, where windows begin and end. */
function randomTime(random: Random): UtcTime {
  const seconds = [0, 0, 1, DAY - 1, random.between(0, DAY - 1), random.between(0, DAY - 1)];
  return addSeconds(FIRST, random.between(0, 90) * DAY + random.pick(seconds));
}

const LENGTHS = [0, 1, 3600, 7200, DAY - 1, DAY, DAY, 3 * DAY + 5, 40 * DAY, 400 * DAY];

const PARAMS = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'];

function randomWindow(random: Random): string {
  const chosen = PARAMS.filter(() => random.chance(0.35));
  const given = chosen.map((name) => `${name}=${encodeURIComponent(randomTime(random))}`);
  return [
    ...given,
    ...(random.chance(0.5) ? ['strict_dates=true'] : []),
    ...(random.chance(0.2) ? ['hide_from_listings=true'] : []),
  ].join('&');
}

// Days of the site that equal UTC days, that begin at another hour, and that begin at a quarter of an hour.
describe.each(['UTC', 'America/New_York', 'Asia/Kathmandu'])(
  'totals of lists filtered by date, site in %s',
  (SITE_TIMEZONE) => {
    const app = useApp({ SITE_TIMEZONE, CACHE_ENTRIES: '0' });

    beforeAll(async () => {
      const random = new Random(7);
      for (let n = 0; n < 160; n += 1) {
        const start_utc = randomTime(random);
        await insertEvent(app(), {
          start_utc,
          end_utc: addSeconds(start_utc, random.pick(LENGTHS)),
          date_utc: random.pick([
            '2026-01-01 00:00:00',
            '2026-01-01 00:00:00',
            '2026-12-24 00:00:00',
            addDays(FIRST, 50),
          ]),
          status: random.pick(['publish', 'publish', 'publish', 'draft', 'trash', 'private']),
          hide_from_listings: random.chance(0.2) ? 1 : 0,
        });
      }
    });

    test.each(['2026-11-20T08:39:00Z', '2026-12-24T00:00:00Z'])(
      'equal the totals counted event by event, at %s',
      async (now) => {
        app().setNow(now);
        const { client, tokens } = app();
        const random = new Random(11);
        let found = 0;
        for (const window of ['', ...Array.from({ length: 60 }, () => randomWindow(random))]) {
          const total = async (query: string) => {
            const { status, body } = await client.get(`/events?status=publish&${query}`, tokens.adm);
            expect([query, status]).toEqual([query, 200]);
            return body.total as number;
          };
          const byChunks = await total(window);
          // No event is featured. No count of a chunk tells these, so that the service counts event by event.
          const counted = await total(`${window}&featured=false`);
          expect([window, byChunks]).toEqual([window, counted]);
          found += byChunks;
        }
        expect(found).toBeGreaterThan(500);
      },
    );
  },
);

/** Events begin and end on three days: at the first and last seconds and at noon. Windows do so on the middle day. */
describe('totals of lists filtered by date, at the edges of days', () => {
  const app = useApp({ CACHE_ENTRIES: '0' });
  const SECONDS = [0, 1, DAY / 2, DAY - 2, DAY - 1];
  const TIMES = [10, 11, 12].flatMap((day) => SECONDS.map((second) => addSeconds(FIRST, day * DAY + second)));
  const BOUNDS = TIMES.slice(SECONDS.length, 2 * SECONDS.length);
  /** The first second of the day, noon, and the last second. */
  const FEWER = BOUNDS.filter((_, index) => index % 2 === 0);

  beforeAll(async () => {
    const pairs = TIMES.flatMap((start_utc, index) => TIMES.slice(index).map((end_utc) => ({ start_utc, end_utc })));
    await insertEvents(app(), pairs);
  });

  const windows = PARAMS.flatMap((name, index) => [
    ...BOUNDS.map((time) => [[name, time]] as const),
    ...PARAMS.slice(index + 1).flatMap((other) =>
      FEWER.flatMap((time) => FEWER.map((later) => [[name, time] as const, [other, later] as const] as const)),
    ),
  ]);

  test.each(PARAMS)(
    'equal the totals counted event by event: %s, alone and with a second parameter',
    async (first) => {
      for (const window of windows.filter(([[name]]) => name === first)) {
        const query = window.map(([name, time]) => `${name}=${encodeURIComponent(time)}`).join('&');
        const total = async (further: string) => {
          const { status, body } = await app().client.get(`/events?strict_dates=true&_fields=id&per_page=1&${further}`);
          return [query, status, body.total as number];
        };
        expect(await total(query)).toEqual(await total(`${query}&featured=false`));
      }
    },
    60_000,
  );
});
