const BITS = 32;

/** A set of ids as a bitmap: an eighth of a byte for each id up to the greatest. */
export class IdSet {
  private words = new Uint32Array(1);
  private count = 0;

  get size(): number {
    return this.count;
  }

  has(id: number): boolean {
    return ((this.words[Math.floor(id / BITS)] ?? 0) & bitOf(id)) !== 0;
  }

  /** Puts an id in or takes it out. */
  put(id: number, isMember: boolean): void {
    if (this.has(id) === isMember) return;
    const at = Math.floor(id / BITS);
    if (at >= this.words.length) this.grow(at + 1);
    this.words[at] = (this.words[at] as number) ^ bitOf(id);
    this.count += isMember ? 1 : -1;
  }

  private grow(words: number): void {
    const grown = new Uint32Array(Math.max(words, this.words.length * 2));
    grown.set(this.words);
    this.words = grown;
  }
}

function bitOf(id: number): number {
  return 1 << (id % BITS);
}
