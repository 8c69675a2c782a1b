import { startOwnApp, type TestApp } from '../support/app.js';
import { addressesOf, textOf, titlesOf, visit } from '../support/site.js';
import { insertEvents } from '../support/rows.js';

let service: TestApp;
beforeAll(async () => {
  // The cap of the API is none of the pages.
  service = await startOwnApp({ MAX_PER_PAGE: '5' });
});
afterAll(() => service.close());
const see = (path: string) => visit(service.client, path);
const allTitles = async (paths: readonly string[]) => (await Promise.all(paths.map(see))).flatMap(titlesOf);
/** Stores events that begin and end at these times of UTC, the zone of the site. */
const insert = (events: readonly (readonly [title: string, start: string, end: string])[]) =>
  insertEvents(
    service,
    events.map(([title, start, end]) => {
      const [start_utc, end_utc] = [`${start}:00`, `${end}:00`];
      return { title, start_utc, end_utc, start_local: start_utc, end_local: end_utc };
    }),
  );

test('PAGE-09: 45 events are three pages by start, whatever else the address says', async () => {
  const events = Array.from({ length: 45 }, (_, index) => {
    // Not in the order of the ids, five at the same time.
    const day = `2027-02-${String(1 + ((index * 4) % 9)).padStart(2, '0')}`;
    return [`Event ${index}`, `${day} 10:00`, `${day} 11:00`] as const;
  });
  await insert(events);
  const byStart = events.toSorted(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([title]) => title);
  const pages = await Promise.all(['/', '/?page=2', '/?page=3'].map(see));
  expect(pages.map((page) => titlesOf(page).length)).toEqual([20, 20, 5]);
  expect(pages.flatMap(titlesOf)).toEqual(byStart);
  const ignored = '&per_page=5&order=desc&orderby=title&search=x&start_date=2030-01-01&status=draft&_fields=id';
  expect((await see(`/?page=2${ignored}`)).text).toBe(pages[1]!.text);
  expect(textOf(pages[1]!)).toContain('Page 2 of 3');
  expect(addressesOf(pages[1]!)).toEqual(expect.arrayContaining(['/?page=3', '/']));
  expect(addressesOf(pages[2]!)).not.toContain('/?page=4');
  const beyond = await see('/?page=4');
  expect(beyond.status).toBe(404);
  expect(textOf(beyond)).toContain('To the first page');
  for (const page of ['0', '-1', 'x', '1.5', '10001', '']) {
    const wrong = await see(`/?page=${page}`);
    expect([page, wrong.status, wrong.text]).toEqual([page, 400, expect.stringContaining('the page number')]);
  }
  expect((await see('/?page=10000')).status).toBe(404);
});

test('PAGE-11: past events come latest first, with their years, and no event is in both lists', async () => {
  await insert([
    ['Ended yesterday', '2026-11-18 10:00', '2026-11-19 23:59'],
    ['Ended at midnight', '2026-11-18 10:00', '2026-11-20 00:00'],
    ['Ended today', '2026-11-20 01:00', '2026-11-20 02:00'],
    ...Array.from({ length: 43 }, (_, index) => {
      const day = `${2025 - (index % 3)}-06-${String(1 + (index % 28)).padStart(2, '0')}`;
      return [`Old ${index}`, `${day} 10:00`, `${day} 11:00`] as const;
    }),
  ]);
  const paths = ['/events/past/', '/events/past/?page=2', '/events/past/?page=3'];
  const [first, second, third] = await Promise.all(paths.map(see));
  expect([first, second, third].map((page) => titlesOf(page!).length)).toEqual([20, 20, 4]);
  const dates = (await Promise.all(paths.map(see))).flatMap(({ text }) =>
    [...text.matchAll(/<time datetime="([^"]*)"/gi)].map(([, time]) => time!),
  );
  expect(dates).toHaveLength(44);
  expect(dates).toEqual(dates.toSorted().reverse());
  expect(textOf(first!)).toMatch(/Page 1 of 3/);
  expect(textOf(third!)).toContain('June 2023');
  expect(textOf(second!)).toMatch(/← Later .*Page 2 of 3 .*Earlier →/);
  expect(textOf(first!)).toMatch(/June 2025 Saturday,? 28 June 2025/);
  const isHidden = ({ text }: { text: string }) => text.includes('<meta name="robots" content="noindex, follow"');
  expect([first, second, third].map((page) => isHidden(page!))).toEqual([false, true, true]);
  const past = await allTitles(paths);
  const upcoming = await allTitles(['/', '/?page=2', '/?page=3']);
  expect(past.filter((title) => upcoming.includes(title))).toEqual([]);
  expect(past[0]).toBe('Ended yesterday');
  expect(upcoming.slice(0, 2)).toEqual(['Ended at midnight', 'Ended today']);
  expect((await see('/events/past/?page=4')).status).toBe(404);
});
