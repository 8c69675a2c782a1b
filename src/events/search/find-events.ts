import type { Sql } from '../../database/sql/dialect.js';
import type { SearchQuery } from '../../kernel/text/search-query.js';
import type { Dictionary } from './dictionary.js';
import { findWords } from './dictionary-scan.js';
import { EventSet } from './event-set.js';
import { readEvents, readStale } from './indexed-events.js';
import { type Clues, cluesOf } from './words.js';

/** A search reads the events of at most so many words. One letter is in half of all words, and would read half of the index. */
const MAX_WORDS = 4_000;
/** Further clues of a phrase would hardly exclude more events. */
const MAX_CLUES_PER_TERM = 8;
/** The texts of so few events are compared faster than the events of many words are read. */
const FEW_EVENTS = 100;
const MANY_WORDS = 50;

/** The events that the index finds. */
export interface Found {
  /** These match. */
  readonly certain: EventSet;
  /** These match if their texts do. */
  readonly uncertain: EventSet;
}

/** A clue of a search term, with the words that contain it. */
interface Clue {
  readonly words: readonly string[];
  readonly isExcluded: boolean;
}

/** A search as clues. */
export interface Sought {
  readonly include: readonly Clues[];
  readonly exclude: readonly Clues[];
}

/** Returns the clues of a search. undefined: it has none, for example because it consists of emoji. */
export function soughtBy({ include, exclude }: SearchQuery): Sought | undefined {
  const clues = include.map(cluesOf);
  return clues.some(({ needles }) => needles.length > 0)
    ? { include: clues, exclude: exclude.map(cluesOf) }
    : undefined;
}

/**
 * Returns the events of a search, as the index knows them, and stale ones. Returns undefined if the words are too common.
 * `unindexed`: the events whose present texts the index does not know.
 */
export async function findEvents(
  sql: Sql,
  dictionary: Dictionary,
  sought: Sought,
  unindexed: EventSet,
): Promise<Found | undefined> {
  // Reads stale events before words. An event whose former words are removed in between is then compared, not found.
  const stale = await readStale(sql);
  const { clues, areAll } = await cluesIn(dictionary, sought);
  let found: EventSet | undefined;
  let [isExact, left] = [areAll, MAX_WORDS];
  for (const { words, isExcluded } of clues) {
    if (isExcluded && found === undefined) return undefined;
    const isSlow = words.length > MANY_WORDS && found !== undefined && found.size <= FEW_EVENTS;
    if (words.length > left || isSlow) {
      isExact = false;
      continue;
    }
    left -= words.length;
    const events = await readEvents(sql, words);
    if (!isExcluded) found = found?.and(events) ?? events;
    // Stale events may no longer have the word.
    else found = found?.without(events.without(stale));
  }
  if (found === undefined) return undefined;
  const known = found.without(unindexed);
  const uncertain = isExact ? known.and(stale) : known;
  return { certain: known.without(uncertain), uncertain: uncertain.or(unindexed) };
}

/** Returns the clues to read, those with few words first, and whether no text must be compared if all are read. */
async function cluesIn(
  dictionary: Dictionary,
  { include, exclude }: Sought,
): Promise<{ clues: Clue[]; areAll: boolean }> {
  const exact = exclude.filter(({ areExact }) => areExact);
  const included = [...new Set(include.flatMap(({ needles }) => longest(needles)))];
  const excluded = exact.flatMap(({ needles }) => needles);
  const words = await findWords(dictionary, [...included, ...excluded], MAX_WORDS);
  const clues = words
    .map((some, at) => ({ words: some, isExcluded: at >= included.length }))
    .filter((clue): clue is Clue => clue.words !== undefined);
  const areAll =
    clues.length === words.length && exact.length === exclude.length && include.every(({ areExact }) => areExact);
  return { clues: clues.sort((a, b) => rank(a) - rank(b)), areAll };
}

/** Excluded words come last, when there is something to exclude them from. */
function rank({ words, isExcluded }: Clue): number {
  return words.length + (isExcluded ? MAX_WORDS + 1 : 0);
}

function longest(needles: readonly string[]): readonly string[] {
  return needles.toSorted((a, b) => b.length - a.length).slice(0, MAX_CLUES_PER_TERM);
}
