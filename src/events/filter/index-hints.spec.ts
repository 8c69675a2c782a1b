import { MYSQL } from '../../database/sql/dialect.mysql.js';
import { SQLITE } from '../../database/sql/dialect.sqlite.js';
import { INDEXES } from '../../database/sql/tables.js';
import type { EventFilter } from './filter.js';
import { countingIndex, orderedScanIndex } from './index-hints.js';

const filterOf = (filter: Partial<EventFilter>) =>
  ({ params: {}, start: [], end: [], termIds: {}, further: [], ...filter }) as unknown as EventFilter;
const eventsOf = (size: number) => ({ size, has: () => true, ids: () => [] });
const FURTHER = { name: 'room', hiddenBehindPassword: false, usesClock: false, toSql: undefined };
const first = { number: 1, size: 10 };

const PLANS: [name: string, filter: Partial<EventFilter>, total: number, page: typeof first, scans: boolean][] = [
  ['the default list', {}, 5, first, true],
  ['a search', { search: { include: ['x'], exclude: [] } }, 5, first, true],
  ['a search for a rare word', { found: eventsOf(200) }, 150, first, false],
  ['a search for a common word', { found: eventsOf(8000) }, 3500, first, true],
  ['the last page of that search', { found: eventsOf(8000) }, 3500, { number: 350, size: 10 }, false],
  ['many events of a category', { termIds: { categories: [1] } }, 2000, first, true],
  ['few events of a category', { termIds: { categories: [1] } }, 1000, first, false],
  ['a deep page of many events', { termIds: { tags: [1] } }, 20_000, { number: 200, size: 10 }, false],
  ['many events of a filter of a module', { further: [FURTHER] }, 2000, first, true],
  ['few events of a filter of a module', { further: [FURTHER] }, 1000, first, false],
  ['few events of a venue', { params: { venue: [1] } }, 50, first, false],
  ['few events by date', { params: { orderby: 'date' } }, 500, first, false],
  ['many events by date', { params: { orderby: 'date' } }, 600, first, true],
  ['the last of 3,000 pages', { params: { orderby: 'modified' } }, 30_000, { number: 3_000, size: 10 }, false],
  ['the last of 4,000 pages', { params: { orderby: 'modified' } }, 40_000, { number: 4_000, size: 10 }, true],
  ['by end, which has no index', { params: { orderby: 'end_date' } }, 50_000, first, false],
  [
    'many events of a category by date',
    { params: { orderby: 'date' }, termIds: { categories: [1] } },
    2000,
    first,
    true,
  ],
  ['hidden and shown events', { params: { hide_from_listings: 'any' } }, 5, first, false],
  ['some ids', { params: { include: [1, 2] } }, 2, first, false],
  ['the children of an event', { params: { post_parent: 1 } }, 2, first, false],
];

test.each(PLANS)('%s: decides whether to scan an index in order', (_name, filter, total, page, scans) => {
  for (const dialect of [SQLITE, MYSQL]) {
    expect(orderedScanIndex(dialect, filterOf(filter), total, page) !== undefined).toBe(scans);
  }
});

test.each(['start_date', 'date', 'modified'] as const)(
  'by %s descending: scans an index in order only if the engine sorts ties by id during the scan',
  (orderby) => {
    const descending = filterOf({ params: { orderby, order: 'desc' } });
    expect(orderedScanIndex(SQLITE, descending, 1_000, first)).toMatch(/^ix_events_/);
    expect(orderedScanIndex(MYSQL, descending, 1_000, first)).toBeUndefined();
  },
);

test('a list of hidden and shown events scans only indexes that do not begin with hide_from_listings', () => {
  const all = (orderby: 'start_date' | 'date') => filterOf({ params: { orderby, hide_from_listings: 'any' } });
  expect(orderedScanIndex(SQLITE, all('start_date'), 1_000, first)).toBeUndefined();
  expect(orderedScanIndex(SQLITE, all('date'), 1_000, first)).toBe(INDEXES.eventDate);
});

test('filters by links, parent, found events or hide_from_listings=any do not count along the list index', () => {
  expect(countingIndex(filterOf({}))).toBe(INDEXES.eventList);
  const others = [
    { termIds: { categories: [1] } },
    { found: eventsOf(1) },
    { params: { post_parent: 0 } },
    { further: [FURTHER] },
  ];
  for (const filter of [...others, { params: { hide_from_listings: 'any' as const } }]) {
    expect(countingIndex(filterOf(filter))).toBeUndefined();
  }
});
