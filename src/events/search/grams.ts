/** The number of grams: each trigram of UTF-16 code units is hashed to 12 bits. */
const GRAM_COUNT = 4096;
/** A search reads a slice for each gram. More than this number would exclude hardly any more events. */
const MAX_GRAMS_PER_SEARCH = 10;
/** The code unit where Thai begins. It and most later scripts have no spaces: Khmer, kana, Chinese characters, Hangul. */
const FIRST_WITHOUT_SPACES = 0x0e00;

/**
 * Returns the grams of a text. If a text contains another, it has all grams of the other, in any script. The reverse may
 * be wrong, because grams have no position and different trigrams may have the same hash.
 */
export function gramsOf(text: string): number[] {
  const isFound = new Uint8Array(GRAM_COUNT);
  const grams: number[] = [];
  const add = (gram: number) => {
    if (isFound[gram] === 0) grams.push(gram);
    isFound[gram] = 1;
  };
  for (let index = 1; index < text.length; index += 1) {
    const last = text.charCodeAt(index - 1);
    const unit = text.charCodeAt(index);
    if (index >= 2) add(gramOf(text.charCodeAt(index - 2), last, unit));
    // Without spaces, and in the surrogate pairs of emoji, words are short. There bigrams are indexed, too.
    if (last >= FIRST_WITHOUT_SPACES && unit >= FIRST_WITHOUT_SPACES) add(gramOf(0, last, unit));
  }
  return grams;
}

/** Returns a sample of the grams of all words, which every text with these words has. []: the words are too short. */
export function gramsToLookUp(words: readonly string[]): number[] {
  const grams = [...new Set(words.flatMap(gramsOf))];
  const step = Math.max(1, grams.length / MAX_GRAMS_PER_SEARCH);
  return Array.from(
    { length: Math.min(grams.length, MAX_GRAMS_PER_SEARCH) },
    (_, n) => grams[Math.floor(n * step)] as number,
  );
}

/** Returns a 12-bit hash: the upper bits of a product, which depend on all bits of its factors. */
function gramOf(first: number, second: number, third: number): number {
  const mixed = Math.imul(Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b) ^ third, 0xc2b2ae35);
  return Math.imul(mixed ^ (mixed >>> 15), 0x27d4eb2f) >>> 20;
}

/** The number of consecutive ids in a block. A slice has one bit for each. */
const BLOCK_SIZE = 4096;
export const SLICE_BYTES = BLOCK_SIZE / 8;

/** A bitmap: the ids of a block that have a gram. */
export type Slice = Uint8Array;

export function emptySlice(): Slice {
  return new Uint8Array(SLICE_BYTES);
}

export function blockOf(id: number): number {
  return Math.floor(id / BLOCK_SIZE);
}

/** Returns the ids of a block: `from` is included, `to` is not. */
export function idRange(block: number): [from: number, to: number] {
  return [block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE];
}

/** Marks an id in a slice of its block. Returns whether it was not marked before. */
export function mark(slice: Slice, id: number): boolean {
  const offset = id % BLOCK_SIZE;
  const bit = 1 << (offset & 7);
  const bits = slice[offset >> 3] ?? 0;
  slice[offset >> 3] = bits | bit;
  return (bits & bit) === 0;
}

/** Returns the ids, ascending, that are marked in all these slices of a block. */
export function idsInAll(block: number, slices: readonly Slice[]): number[] {
  const ids: number[] = [];
  for (let byte = 0; byte < SLICE_BYTES; byte += 1) {
    const bits = slices.reduce((common, slice) => common & (slice[byte] ?? 0), 0xff);
    for (let bit = 0; bits >> bit !== 0; bit += 1) {
      if ((bits >> bit) & 1) ids.push(block * BLOCK_SIZE + byte * 8 + bit);
    }
  }
  return ids;
}
