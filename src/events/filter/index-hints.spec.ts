import { MYSQL } from '../../database/sql/dialect.mysql.js';
import { SQLITE } from '../../database/sql/dialect.sqlite.js';
import { INDEXES } from '../../database/sql/tables.js';
import type { EventFilter } from './filter.js';
import { countedIndex, walkedIndex } from './index-hints.js';

const filterOf = (filter: Partial<EventFilter>) =>
  ({ params: {}, start: [], end: [], termIds: {}, ...filter }) as unknown as EventFilter;
const first = { number: 1, size: 10 };

const PLANS: [name: string, filter: Partial<EventFilter>, total: number, page: typeof first, walks: boolean][] = [
  ['the default list', {}, 5, first, true],
  ['a search', { search: { include: ['x'], exclude: [] } }, 5, first, true],
  ['a search for a rare word', { candidates: Array<number>(200).fill(1) }, 150, first, false],
  ['a search for a common word', { candidates: Array<number>(8000).fill(1) }, 3500, first, true],
  ['its last page', { candidates: Array<number>(8000).fill(1) }, 3500, { number: 350, size: 10 }, false],
  ['many events of a category', { termIds: { categories: [1] } }, 2000, first, true],
  ['few events of a category', { termIds: { categories: [1] } }, 1000, first, false],
  ['a far page of many', { termIds: { tags: [1] } }, 20_000, { number: 200, size: 10 }, false],
  ['few events of a venue', { params: { venue: [1] } }, 50, first, false],
  ['another order of few', { params: { orderby: 'date' } }, 500, first, false],
  ['another order of many', { params: { orderby: 'date' } }, 600, first, true],
  ['its last page', { params: { orderby: 'modified' } }, 30_000, { number: 3_000, size: 10 }, false],
  ['the last page of more', { params: { orderby: 'modified' } }, 40_000, { number: 4_000, size: 10 }, true],
  ['by end', { params: { orderby: 'end_date' } }, 50_000, first, false],
  [
    'many events of a category in another order',
    { params: { orderby: 'date' }, termIds: { categories: [1] } },
    2000,
    first,
    true,
  ],
  ['hidden and shown events', { params: { hide_from_listings: 'any' } }, 5, first, false],
  ['some ids', { params: { include: [1, 2] } }, 2, first, false],
  ['the children of an event', { params: { post_parent: 1 } }, 2, first, false],
];

test.each(PLANS)('%s: walked along an index or not', (_name, filter, total, page, walks) => {
  for (const dialect of [SQLITE, MYSQL]) {
    expect(walkedIndex(dialect, filterOf(filter), total, page) !== undefined).toBe(walks);
  }
});

test.each(['start_date', 'date', 'modified'] as const)(
  'by %s backwards: walked where equal ones can be put in the order of their ids on the way',
  (orderby) => {
    const backwards = filterOf({ params: { orderby, order: 'desc' } });
    expect(walkedIndex(SQLITE, backwards, 1_000, first)).toMatch(/^ix_events_/);
    expect(walkedIndex(MYSQL, backwards, 1_000, first)).toBeUndefined();
  },
);

test('hidden and shown events are walked in the orders whose index does not begin with the difference', () => {
  const all = (orderby: 'start_date' | 'date') => filterOf({ params: { orderby, hide_from_listings: 'any' } });
  expect(walkedIndex(SQLITE, all('start_date'), 1_000, first)).toBeUndefined();
  expect(walkedIndex(SQLITE, all('date'), 1_000, first)).toBe(INDEXES.eventDate);
});

test('what links, ids, a parent or the index of words select is not counted by the list', () => {
  expect(countedIndex(filterOf({}))).toBe(INDEXES.eventList);
  const others = [{ termIds: { categories: [1] } }, { candidates: [1] }, { params: { post_parent: 0 } }];
  for (const filter of [...others, { params: { hide_from_listings: 'any' as const } }]) {
    expect(countedIndex(filterOf(filter))).toBeUndefined();
  }
});
