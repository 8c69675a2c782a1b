/** The n-th slug of the same name, from 1 on; no two of them are equal. */
type NthSlug = (slug: string, n: number) => string;

/** Tells those of the slugs that other records have. */
type FindTaken = (slugs: readonly string[]) => Promise<ReadonlySet<string>>;

/** Asks which of some slugs are free, and ends with what it found. */
type Search<Found> = Generator<readonly string[], readonly Found[], (slug: string) => boolean>;

/**
 * The first free one of `slug`, `slug-2`, `slug-3` … for each of the wanted slugs, in their order, all different.
 * However many they are, what their searches ask at the same time is asked at once.
 */
export async function freeSlugs(
  wanted: readonly string[],
  nthSlug: NthSlug,
  findTaken: FindTaken,
): Promise<readonly string[]> {
  const claimed = new Set<string>();
  const found = new Map<string, string[]>();
  const counts = counted(wanted);
  let searches = [...counts].map(([slug, count]) => begun({ slug, count }, nthSlug));
  while (searches.length > 0) {
    const taken = await findTaken([...new Set(searches.flatMap(({ asked }) => asked))]);
    searches = searches.flatMap((search) => {
      // What is wanted as it is comes before what a search is led to.
      const isLeft = (slug: string) => slug === search.slug || !counts.has(slug);
      const isFree = (slug: string) => !taken.has(slug) && !claimed.has(slug) && isLeft(slug);
      const { done, value } = search.steps.next(isFree);
      if (done !== true) return [{ ...search, asked: value }];
      // Another slug may lead to the same one, and may have got it while this search went on.
      if (value.some((slug) => claimed.has(slug))) return [begun(search, nthSlug)];
      value.forEach((slug) => claimed.add(slug));
      found.set(search.slug, [...value]);
      return [];
    });
  }
  return wanted.map((slug) => found.get(slug)?.shift() ?? slug);
}

function counted(slugs: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const slug of slugs) counts.set(slug, (counts.get(slug) ?? 0) + 1);
  return counts;
}

function begun({ slug, count }: { slug: string; count: number }, nthSlug: NthSlug) {
  const steps = search((n) => nthSlug(slug, n), count);
  return { slug, count, steps, asked: steps.next(() => true).value };
}

/** Most names are free at once, and most that are not are so soon. */
const TRIED_IN_ORDER = [range(1, 8), range(9, 64)];
const TRIED_BY_POWERS = range(7, 30).map((exponent) => 2 ** exponent);

/**
 * Names that repeat by the thousand (a weekly course, an import) must not make each further one slower: behind the 64th
 * a free number is jumped to and the way back is halved, so that a gap among the taken ones may stay.
 */
function* search(nth: (n: number) => string, count: number): Search<string> {
  const found: string[] = [];
  for (const numbers of TRIED_IN_ORDER) {
    found.push(...(yield* freeAmong(nth, numbers)).map(nth));
    if (found.length >= count) return found.slice(0, count);
  }
  let [free = 2 ** 31] = yield* freeAmong(nth, TRIED_BY_POWERS);
  for (let taken = free / 2; free - taken > 1;) {
    const middle = Math.floor((taken + free) / 2);
    if ((yield* freeAmong(nth, [middle])).length === 0) taken = middle;
    else free = middle;
  }
  for (; found.length < count; free += count) {
    found.push(...(yield* freeAmong(nth, range(free, free + count - 1))).map(nth));
  }
  return found.slice(0, count);
}

function* freeAmong(nth: (n: number) => string, numbers: readonly number[]): Search<number> {
  const isFree = yield numbers.map(nth);
  return numbers.filter((n) => isFree(nth(n)));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
