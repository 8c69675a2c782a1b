/** Three neighbouring UTF-16 units of a text are one of so many grams. */
const GRAMS = 4096;
/** A slice is read for each gram that is asked for; more of them would hardly find less. */
const MOST_ASKED = 10;
/** Thai, and most scripts behind it: Khmer, kana, Chinese characters, Hangul. */
const FIRST_WITHOUT_BLANKS = 0x0e00;

/**
 * The grams of a text. A text that contains another one has all of its grams, whatever the script or the signs. The
 * reverse need not hold: the place in the text is lost, and different neighbours may share a gram.
 */
export function gramsOf(text: string): number[] {
  const isFound = new Uint8Array(GRAMS);
  const grams: number[] = [];
  const add = (gram: number) => {
    if (isFound[gram] === 0) grams.push(gram);
    isFound[gram] = 1;
  };
  for (let index = 1; index < text.length; index += 1) {
    const last = text.charCodeAt(index - 1);
    const unit = text.charCodeAt(index);
    if (index >= 2) add(gramOf(text.charCodeAt(index - 2), last, unit));
    // Where words are not set apart, and of the halves of an emoji, two neighbours tell as much as three letters.
    if (last >= FIRST_WITHOUT_BLANKS && unit >= FIRST_WITHOUT_BLANKS) add(gramOf(0, last, unit));
  }
  return grams;
}

/** Some that every text with all these words has, from all over the words. None: the words are too short. */
export function gramsToAsk(words: readonly string[]): number[] {
  const grams = [...new Set(words.flatMap(gramsOf))];
  const step = Math.max(1, grams.length / MOST_ASKED);
  return Array.from({ length: Math.min(grams.length, MOST_ASKED) }, (_, n) => grams[Math.floor(n * step)] as number);
}

/** A hash: the upper 12 bits of a product depend on all bits of its factors. */
function gramOf(first: number, second: number, third: number): number {
  const mixed = Math.imul(Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b) ^ third, 0xc2b2ae35);
  return Math.imul(mixed ^ (mixed >>> 15), 0x27d4eb2f) >>> 20;
}

/** So many ids, one after the other, are a block: a slice has a bit for each. */
const BLOCK = 4096;
export const SLICE_BYTES = BLOCK / 8;

/** Which ids of a block have something in common. */
export type Slice = Uint8Array;

export function newSlice(): Slice {
  return new Uint8Array(SLICE_BYTES);
}

export function blockOf(id: number): number {
  return Math.floor(id / BLOCK);
}

/** The ids of a block: from the first up to, but not including, the second. */
export function idsOf(block: number): [from: number, to: number] {
  return [block * BLOCK, (block + 1) * BLOCK];
}

/** Marks an id in a slice of its block; answers whether that is new. */
export function mark(slice: Slice, id: number): boolean {
  const place = id % BLOCK;
  const bit = 1 << (place & 7);
  const bits = slice[place >> 3] ?? 0;
  slice[place >> 3] = bits | bit;
  return (bits & bit) === 0;
}

/** The ids, in order, that all of these slices of a block have marked. */
export function markedInAll(block: number, slices: readonly Slice[]): number[] {
  const ids: number[] = [];
  for (let byte = 0; byte < SLICE_BYTES; byte += 1) {
    const bits = slices.reduce((common, slice) => common & (slice[byte] ?? 0), 0xff);
    for (let bit = 0; bits >> bit !== 0; bit += 1) {
      if ((bits >> bit) & 1) ids.push(block * BLOCK + byte * 8 + bit);
    }
  }
  return ids;
}
