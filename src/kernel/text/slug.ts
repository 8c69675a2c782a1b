import { replaceLetters } from './case-folding.js';
import { decodeEntities, plainText } from './plain-text.js';

/** Makes a slug of a name or of a sent slug. Returns `''` when nothing remains (contract section 3, "Slugs"; TXT-06). */
export function slugify(text: string): string {
  const hyphenated = withoutDiacritics(decodeEntities(plainText(text).replace(WORD_IN_BRACKETS, ''))).replace(
    SEPARATORS,
    '-',
  );
  const slug = (hyphenated.match(KEPT_CHARACTERS) ?? []).join('').normalize('NFC').replace(/-+/g, '-');
  return cut(slug, MAX_CODE_POINTS).replace(/^-|-$/g, '');
}

/** Returns the n-th slug of the same name. The first is the slug itself (contract TXT-07). */
export function suffixedSlug(slug: string, n: number): string {
  if (n === 1) return slug;
  const suffix = `-${n}`;
  return cut(slug, MAX_CODE_POINTS - suffix.length).replace(/-$/, '') + suffix;
}

/** Returns the n-th slug shown in the trash. Only these slugs may exceed the length limit (contract section 4). */
export function trashedSlug(slug: string, n = 1): string {
  return `${slug}__trashed${n > 1 ? `-${n}` : ''}`;
}

/** Returns the form in which slugs of paths, filters and links are looked up (contract TXT-08). */
export function lookupSlug(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

const MAX_CODE_POINTS = 200;

/** A slug drops `<done>` like any tag (contract TXT-06), although a name keeps it as text. */
const WORD_IN_BRACKETS = /<[A-Za-z][\p{L}\p{M}\p{N}_]*>/gu;

/** Whitespace, slashes, dots and dashes. The minus sign and the hyphen bullet are not in Unicode's class of dashes. */
const SEPARATORS = /[\s/.\\\p{Pd}\u2212\u2043]/gu;

/** A combining mark is kept with its letter or digit. Alone it is the rest of an emoji. */
const KEPT_CHARACTERS = /[\p{L}\p{Nd}\p{Nl}]\p{M}*|[_-]/gu;

/** Variation selectors and the keycap: Unicode counts these parts of emojis as marks. */
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
  // A text never has more code points than code units.
  return slug.length <= length ? slug : Array.from(slug).slice(0, length).join('');
}

/** Returns the n-th slug of the same name, from 1. No two of them are equal. */
type NthSlug = (slug: string, n: number) => string;

/** Returns the given slugs that other records have. */
type FindTaken = (slugs: readonly string[]) => Promise<ReadonlySet<string>>;

/** Yields slugs to check, receives which of them are free, and returns the slugs it found. */
type Search<Found> = Generator<readonly string[], readonly Found[], (slug: string) => boolean>;

/**
 * Returns the first free one of `slug`, `slug-2`, `slug-3` … for each wanted slug, in order, all different.
 * The searches run in step, so that one call of `findTaken` serves all of them.
 */
export async function freeSlugs(
  wanted: readonly string[],
  nthSlug: NthSlug,
  findTaken: FindTaken,
): Promise<readonly string[]> {
  const claimed = new Set<string>();
  const found = new Map<string, string[]>();
  const counts = countEach(wanted);
  let searches = [...counts].map(([slug, count]) => startSearch({ slug, count }, nthSlug));
  while (searches.length > 0) {
    const taken = await findTaken([...new Set(searches.flatMap(({ asked }) => asked))]);
    searches = searches.flatMap((search) => {
      // A slug that is wanted itself is reserved for its own search.
      const isUnreserved = (slug: string) => slug === search.slug || !counts.has(slug);
      const isFree = (slug: string) => !taken.has(slug) && !claimed.has(slug) && isUnreserved(slug);
      const { done, value } = search.steps.next(isFree);
      if (done !== true) return [{ ...search, asked: value }];
      // Another search may have claimed the same slug in the meantime.
      if (value.some((slug) => claimed.has(slug))) return [startSearch(search, nthSlug)];
      value.forEach((slug) => claimed.add(slug));
      found.set(search.slug, [...value]);
      return [];
    });
  }
  return wanted.map((slug) => found.get(slug)?.shift() ?? slug);
}

function countEach(slugs: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const slug of slugs) counts.set(slug, (counts.get(slug) ?? 0) + 1);
  return counts;
}

function startSearch({ slug, count }: { slug: string; count: number }, nthSlug: NthSlug) {
  const steps = search((n) => nthSlug(slug, n), count);
  return { slug, count, steps, asked: steps.next(() => true).value };
}

/** Most names have a free slug among the first 8, and almost all others among the first 64. */
const TRIED_RANGES = [range(1, 8), range(9, 64)];
const TRIED_POWERS = range(7, 30).map((exponent) => 2 ** exponent);

/**
 * Tries numbers in order up to 64, then searches powers of two and bisects. So the thousandth event of the same name
 * (a weekly course, an import) needs few queries. The search may skip gaps beyond 64.
 */
function* search(nth: (n: number) => string, count: number): Search<string> {
  const found: string[] = [];
  for (const numbers of TRIED_RANGES) {
    found.push(...(yield* freeAmong(nth, numbers)).map(nth));
    if (found.length >= count) return found.slice(0, count);
  }
  let [free = 2 ** 31] = yield* freeAmong(nth, TRIED_POWERS);
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
