import type { EventFilter } from './event.filter.js';
import { countsByList, walksList } from './event.plan.js';

const filterOf = (filter: Partial<EventFilter>) =>
  ({ params: {}, start: [], end: [], ...filter }) as unknown as EventFilter;
const first = { number: 1, size: 10 };

const PLANS: [name: string, filter: Partial<EventFilter>, total: number, page: typeof first, walks: boolean][] = [
  ['the default list', {}, 5, first, true],
  ['a search', { search: { include: ['x'], exclude: [] } }, 5, first, true],
  ['a search for a rare word', { candidates: Array<number>(200).fill(1) }, 150, first, false],
  ['a search for a common word', { candidates: Array<number>(8000).fill(1) }, 3500, first, true],
  ['its last page', { candidates: Array<number>(8000).fill(1) }, 3500, { number: 350, size: 10 }, false],
  ['many events of a category', { categoryIds: [1] }, 2000, first, true],
  ['few events of a category', { categoryIds: [1] }, 1000, first, false],
  ['a far page of many', { tagIds: [1] }, 20_000, { number: 200, size: 10 }, false],
  ['few events of a venue', { params: { venue: [1] } }, 50, first, false],
  ['another order', { params: { orderby: 'title' } }, 5, first, false],
  ['the order backwards', { params: { order: 'desc' } }, 5, first, false],
  ['hidden and shown events', { params: { hide_from_listings: 'any' } }, 5, first, false],
  ['some ids', { params: { include: [1, 2] } }, 2, first, false],
  ['the children of an event', { params: { post_parent: 1 } }, 2, first, false],
];

test.each(PLANS)('%s: walked along the list or not', (_name, filter, total, page, walks) => {
  expect(walksList(filterOf(filter), total, page)).toBe(walks);
});

test('what links, ids, a parent or the index of words select is not counted by the list', () => {
  expect(countsByList(filterOf({}))).toBe(true);
  expect(countsByList(filterOf({ categoryIds: [1] }))).toBe(false);
  expect(countsByList(filterOf({ candidates: [1] }))).toBe(false);
  expect(countsByList(filterOf({ params: { post_parent: 0 } }))).toBe(false);
  expect(countsByList(filterOf({ params: { hide_from_listings: 'any' } }))).toBe(false);
});
