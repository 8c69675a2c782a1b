import { setTimeout as sleep } from 'node:timers/promises';
import { useApp } from '../support/events.js';
import { fillCalendar } from '../support/full-calendar.js';

/** In a calendar of 50,000 mostly upcoming events, no anonymous request blocks other requests. */
const app = useApp({ CACHE_ENTRIES: '0' });
/** In milliseconds. Generous for busy machines; `npm run bench:large` measures. Without the thread of scans it was seconds. */
const LONGEST = 500;

beforeAll(() => fillCalendar(app(), { events: 50_000, linked: 400 }), 300_000);

const ALL = 'starts_after=2000-01-01';

/** Returns the longest time of a health probe during `work`, in milliseconds. */
async function longestProbe(work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  let longest = 0;
  const probing = (async () => {
    while (!isDone) {
      const began = performance.now();
      expect((await app().client.raw('/health/live')).status).toBe(200);
      longest = Math.max(longest, performance.now() - began);
      await sleep(10);
    }
  })();
  await work();
  isDone = true;
  await probing;
  return longest;
}

test.each([
  '/organizers?only_with_upcoming=true&per_page=1',
  '/venues?only_with_upcoming=true&per_page=1',
  '/venues?only_with_upcoming=true&has_events=true&search=record+1',
  '/organizers?has_events=false',
  `/events?${ALL}&geoloc=false&orderby=title&per_page=40&page=900`,
  `/events?${ALL}&search=e&orderby=title&page=900`,
  ...['date', 'modified', 'title', 'end_date', 'start_date', 'id'].map(
    (orderby) => `/events?${ALL}&orderby=${orderby}&order=desc&page=1000`,
  ),
])(
  'GET %s, three times at once, delays no health probe',
  async (path) => {
    const ask = async () => expect((await app().client.get(path)).status).toBe(200);
    expect(await longestProbe(() => Promise.all([ask(), ask(), ask()]))).toBeLessThan(LONGEST);
  },
  60_000,
);
