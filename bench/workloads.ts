import type { Driver } from './database.js';
import type { Sizes } from './dataset/bodies.js';
import { COMMON_WORD, RARE_WORD, SENTENCES } from './dataset/vocabulary.js';
import { Random } from './dataset/random.js';

/** Requests of one kind. Each contender gets the same requests in the same order. */
export interface Workload {
  readonly name: string;
  readonly about: string;
  /** The paths below the mount. A run repeats them. */
  readonly paths: readonly string[];
  /** '' for paths outside of it. Unset: that of the API. */
  readonly mount?: '';
  /** Whether requests have If-None-Match and expect a 304. */
  readonly conditional?: boolean;
  /** The writes: one in `oneIn` requests. */
  readonly writes?: { readonly oneIn: number; readonly request: () => Written };
}

/** A write of the administrator. */
export interface Written {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const PATHS = 400;

/** Returns all workloads: anonymous reads, and writes. */
export async function allWorkloads(driver: Driver, sizes: Sizes): Promise<Workload[]> {
  const reading = await readWorkloads(driver, sizes);
  const pathsOf = (name: string) => reading.find((one) => one.name === name)?.paths ?? [];
  const create = createRequests(sizes);
  const update = updateRequests(pathsOf('id'));
  const mixed = [...pathsOf('id').slice(0, 100), ...pathsOf('list10'), ...pathsOf('category').slice(0, 10)];
  return [
    ...reading,
    { name: 'create', about: 'create with links', paths: [], writes: { oneIn: 1, request: create } },
    { name: 'update', about: 'update of title and text', paths: [], writes: { oneIn: 1, request: update } },
    { name: 'mixed', about: '95 reads, 5 creates', paths: mixed, writes: { oneIn: 20, request: create } },
  ];
}

const ORIGIN = Date.now();

/** Returns creates with links to existing records and unique titles. */
export function createRequests({ venues, organizers, categories, tags }: Sizes): () => Written {
  const random = new Random(2);
  let n = 0;
  return () => {
    n += 1;
    const day = `2027-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`;
    const body = {
      title: `Written ${ORIGIN} ${n}`,
      description: `<p>${SENTENCES.slice(0, 8).join(' ')}</p>`,
      start_date: `${day} 18:00:00`,
      end_date: `${day} 20:00:00`,
      timezone: 'UTC',
      venue: [random.whole(1, venues)],
      organizer: random.distinct(2, () => random.whole(1, organizers)),
      categories: random.distinct(2, () => random.whole(1, categories)),
      tags: random.distinct(3, () => categories + random.whole(1, tags)),
    };
    return { method: 'POST', path: '/events', body };
  };
}

function updateRequests(paths: readonly string[]): () => Written {
  let n = 0;
  return () => {
    n += 1;
    const body = { title: `Updated ${n}`, description: `<p>${n} ${SENTENCES.slice(0, 6).join(' ')}</p>` };
    return { method: 'PUT', path: paths[n % paths.length] ?? '', body };
  };
}

/** Returns the workloads of anonymous reads. */
async function readWorkloads(driver: Driver, sizes: Sizes): Promise<Workload[]> {
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
      'branch',
      'by category',
      some(30, () => `/events?categories=${random.popular(sizes.categories)}`),
    ),
    list('featured', 'featured events', ['/events?featured=true']),
    list(
      'both',
      'by category and tag',
      some(
        30,
        () =>
          `/events?categories=${random.popular(sizes.categories)}&tags=${sizes.categories + random.popular(sizes.tags)}`,
      ),
    ),
    list('far', 'page 40,000 of a million', [`/events?page=${Math.max(2, Math.floor(sizes.events / 25))}`]),
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
