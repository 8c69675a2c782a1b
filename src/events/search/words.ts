/** A maximal run of letters, marks and digits. Unassigned characters count, because a later Unicode may make letters of them. */
const RUN = /[\p{L}\p{M}\p{N}\p{Cn}]+/gu;

/** The longest word that is stored as a whole, in code points. */
export const MAX_WORD_LENGTH = 64;
/** Longer words are stored in overlapping pieces, one from every so many code points on. */
const PIECE_STEP = MAX_WORD_LENGTH / 2;
/** Any part of a word up to this length lies within one of its pieces. */
const MAX_PART_LENGTH = PIECE_STEP;

/** Stands before and after each word of the dictionary. No word contains it. */
export const WORD_END = '\n';

/** The words that a search term needs. */
export interface Clues {
  /** Each must occur in a word of the text. It may begin and end with `WORD_END`, where the term tells the end of the word. */
  readonly needles: readonly string[];
  /** Whether every text with these words contains the term, so that no text must be compared. */
  readonly areExact: boolean;
}

/** Returns the words of a folded text in their order. Words above `MAX_WORD_LENGTH` are in pieces. */
export function wordsOf(text: string): readonly string[] {
  const runs: readonly string[] = text.match(RUN) ?? [];
  const isLong = (run: string) => run.length > MAX_WORD_LENGTH;
  return runs.some(isLong) ? runs.flatMap((run) => (isLong(run) ? pieces([...run]) : [run])) : runs;
}

/** Returns the clues of a folded search term: a word, a phrase, or a text with punctuation. */
export function cluesOf(term: string): Clues {
  const runs = [...term.matchAll(RUN)];
  const needles = runs.flatMap(({ 0: run, index }) => {
    const parts = partsOf([...run]);
    // A separator in the term is one in the text, too, where the word ends.
    if (index > 0) parts[0] = WORD_END + parts[0]!;
    if (index + run.length < term.length) parts[parts.length - 1] += WORD_END;
    return parts;
  });
  return { needles: [...new Set(needles)], areExact: needles.length === 1 && runs[0]![0] === term };
}

/** The last piece is longer than a part, so that the last part lies within it. */
function pieces(points: readonly string[]): string[] {
  if (points.length <= MAX_WORD_LENGTH) return [points.join('')];
  const count = Math.ceil(points.length / PIECE_STEP) - 1;
  return Array.from({ length: count }, (_, n) =>
    points.slice(n * PIECE_STEP, n * PIECE_STEP + MAX_WORD_LENGTH).join(''),
  );
}

/** Cuts a run into parts that together cover it. */
function partsOf(points: readonly string[]): string[] {
  if (points.length <= MAX_PART_LENGTH) return [points.join('')];
  const count = Math.ceil(points.length / MAX_PART_LENGTH);
  const starts = Array.from({ length: count }, (_, n) =>
    Math.min(n * MAX_PART_LENGTH, points.length - MAX_PART_LENGTH),
  );
  return starts.map((start) => points.slice(start, start + MAX_PART_LENGTH).join(''));
}
