import { WORD_END } from './words.js';

/** Limits the time for which a chunk is searched or changed. */
const MAX_CHUNK_LENGTH = 32_768;

/** Distinct words in ascending order, joined to a few long strings: half of the memory of a set, and fast to search. */
export class Dictionary {
  /** Each begins and ends with `WORD_END`, which also stands between its words. */
  private parts: string[] = [];
  /** The first word of each chunk. */
  private firsts: string[] = [];

  /** The chunks as they are now, for a search that lets other work run in between. */
  get chunks(): readonly string[] {
    return [...this.parts];
  }

  /** Adds words, which may be known. */
  add(words: Iterable<string>): void {
    const sorted = [...words].sort(byCodeUnits);
    for (let from = 0, to = 0; from < sorted.length; from = to) {
      const at = this.chunkFor(sorted[from]!);
      const end = this.firsts[at + 1];
      while (to < sorted.length && (end === undefined || sorted[to]! < end)) to += 1;
      this.addTo(at, sorted.slice(from, to));
    }
  }

  has(word: string): boolean {
    const chunk = this.parts[this.chunkFor(word)];
    return chunk?.startsWith(word + WORD_END, offsetFor(chunk, word)) === true;
  }

  /** Returns the number of the chunk in which a word is or would be. */
  private chunkFor(word: string): number {
    let [low, high] = [0, this.firsts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.firsts[middle]! <= word) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** Adds ascending words to a chunk. */
  private addTo(at: number, words: readonly string[]): void {
    const chunk = this.parts[at] ?? WORD_END;
    const pieces: string[] = [];
    // The words of a load come in order.
    const isBehind = lastWordOf(chunk) < words[0]!;
    let [from, last] = [0, ''];
    for (const word of words) {
      const offset = isBehind ? chunk.length : offsetFor(chunk, word);
      if (word === last || chunk.startsWith(word + WORD_END, offset)) continue;
      pieces.push(chunk.slice(from, offset), word, WORD_END);
      [from, last] = [offset, word];
    }
    if (pieces.length === 0) return;
    const chunks = split(pieces.join('') + chunk.slice(from));
    this.parts.splice(at, 1, ...chunks);
    this.firsts.splice(at, 1, ...chunks.map((some) => some.slice(1, some.indexOf(WORD_END, 1))));
  }
}

/** Adds the words of a chunk that contain a needle to `found`, at most until it has more than `max`. */
export function findInChunk(chunk: string, needle: string, max: number, found: string[]): void {
  for (let at = chunk.indexOf(needle); at !== -1 && found.length <= max;) {
    // A needle with a leading WORD_END begins at the end of the word before.
    const start = chunk.lastIndexOf(WORD_END, at) + 1;
    const end = chunk.indexOf(WORD_END, at + 1);
    found.push(chunk.slice(start, end));
    at = chunk.indexOf(needle, end);
  }
}

/** Returns the last word of a chunk, or '' if it has none. */
function lastWordOf(chunk: string): string {
  return chunk.slice(chunk.lastIndexOf(WORD_END, chunk.length - 2) + 1, -1);
}

/** Returns the offset of the first word of a chunk that is not below `word`. */
function offsetFor(chunk: string, word: string): number {
  let [low, high] = [1, chunk.length];
  while (low < high) {
    const start = chunk.lastIndexOf(WORD_END, ((low + high) >> 1) - 1) + 1;
    const end = chunk.indexOf(WORD_END, start);
    if (chunk.slice(start, end) < word) low = end + 1;
    else high = start;
  }
  return low;
}

function split(chunk: string): string[] {
  const chunks: string[] = [];
  let rest = chunk;
  while (rest.length > MAX_CHUNK_LENGTH) {
    const cut = rest.lastIndexOf(WORD_END, MAX_CHUNK_LENGTH / 2);
    chunks.push(rest.slice(0, cut + 1));
    rest = rest.slice(cut);
  }
  return [...chunks, rest];
}

function byCodeUnits(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
