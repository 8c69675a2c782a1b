import type { Driver } from './database.js';
import type { Sizes } from './dataset/bodies.js';
import { COMMON_WORD, RARE_WORD } from './dataset/vocabulary.js';
import { Random } from './dataset/random.js';

/** Requests of one kind. Each contender gets the same, in the same order. */
export interface Workload {
  readonly name: string;
  readonly about: string;
  /** Below the mount; a run goes through them again and again. */
  readonly paths: readonly string[];
  /** The client has the answer already and asks whether it still holds. */
  readonly conditional?: boolean;
}

const PATHS = 400;

/** The reading workloads, over what anonymous callers may read. */
export async function readWorkloads(driver: Driver, sizes: Sizes): Promise<Workload[]> {
  const random = new Random(1);
  const known = await driver.rows<{ id: number; slug: string }>(
    "SELECT id, slug FROM events WHERE id > ? AND status = 'publish' ORDER BY id LIMIT ?",
    [random.whole(0, Math.max(0, sizes.events - PATHS * 2)), PATHS],
  );
  const day = new Date().toISOString().slice(0, 7);
  const month = `start_date=${day}-01&end_date=${day}-28`;
  const some = (count: number, path: () => string) => [...new Set(Array.from({ length: count }, path))];
  const list = (name: string, about: string, paths: string[]) => ({ name, about, paths });
  return [
    list('list10', 'the default list of 10', ['/events']),
    list('list100', 'a list of 100', ['/events?per_page=100']),
    list(
      'category',
      'by category and a month',
      some(30, () => `/events?categories=${random.popular(sizes.categories)}&${month}`),
    ),
    list(
      'venue',
      'by venue',
      some(100, () => `/events?venue=${random.popular(sizes.venues)}`),
    ),
    list('common', 'search for a common word', [`/events?search=${COMMON_WORD}`]),
    list('rare', 'search for a rare word', [`/events?search=${RARE_WORD}`]),
    list('deep', 'page 1,000, four a page', ['/events?per_page=4&page=1000']),
    list(
      'id',
      'one event by id',
      known.map(({ id }) => `/events/${id}`),
    ),
    list(
      'slug',
      'one event by slug',
      known.map(({ slug }) => `/events/by-slug/${encodeURIComponent(slug)}`),
    ),
    list('venues', 'the list of venues', ['/venues']),
    list('categories', 'the list of categories', ['/categories']),
    {
      name: '304',
      about: 'one event by id, unchanged',
      paths: known.slice(0, 50).map(({ id }) => `/events/${id}`),
      conditional: true,
    },
  ];
}
