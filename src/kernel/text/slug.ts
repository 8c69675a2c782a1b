import { replaceLetters } from './case-folding.js';
import { decodeEntities, plainText } from './plain-text.js';

/** The slug made of a name or of a sent slug; `''` when nothing remains (contract section 3, "Slugs"; TXT-06). */
export function slugify(text: string): string {
  const hyphenated = withoutDiacritics(decodeEntities(plainText(text).replace(WORD_IN_BRACKETS, ''))).replace(
    SEPARATORS,
    '-',
  );
  const slug = (hyphenated.match(KEPT) ?? []).join('').normalize('NFC').replace(/-+/g, '-');
  return cut(slug, MAX_LENGTH).replace(/^-|-$/g, '');
}

/** The n-th slug of the same name; the first is the slug itself (contract TXT-07). */
export function suffixedSlug(slug: string, n: number): string {
  if (n === 1) return slug;
  const suffix = `-${n}`;
  return cut(slug, MAX_LENGTH - suffix.length).replace(/-$/, '') + suffix;
}

/** The slug shown in the trash, the n-th of its kind; it alone may exceed the limit (contract section 4). */
export function trashedSlug(slug: string, n = 1): string {
  return `${slug}__trashed${n > 1 ? `-${n}` : ''}`;
}

/** The form in which slugs of paths, filters and links are looked up (contract TXT-08). */
export function lookupSlug(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

const MAX_LENGTH = 200;

/** In a slug `<done>` is as little as any other tag (contract TXT-06), though it is text in a name. */
const WORD_IN_BRACKETS = /<[A-Za-z][\p{L}\p{M}\p{N}_]*>/gu;

/** Blanks, slashes, dots and dashes, among them the minus sign and the hyphen bullet, which Unicode counts elsewhere. */
const SEPARATORS = /[\s/.\\\p{Pd}\u2212\u2043]/gu;

/** A mark counts with the letter or digit that it stands on; alone it is what remains of an emoji. */
const KEPT = /[\p{L}\p{Nd}\p{Nl}]\p{M}*|[_-]/gu;

/** Presentation selectors and the keycap: marks to Unicode, part of an emoji to readers. */
const EMOJI_MARKS = /[\ufe0e\ufe0f\u20e3]/g;

function withoutDiacritics(text: string): string {
  const bare = text
    .toLowerCase()
    .replace(EMOJI_MARKS, '')
    .normalize('NFD')
    .replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, '$1');
  return replaceLetters(bare).normalize('NFC');
}

function cut(slug: string, length: number): string {
  // Of few code units there are no more code points.
  return slug.length <= length ? slug : Array.from(slug).slice(0, length).join('');
}

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
