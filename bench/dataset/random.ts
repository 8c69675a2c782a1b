/** Pseudo-random numbers, the same for the same seed on every machine (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** Returns a number from 0 (included) to 1 (excluded). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** Returns an integer from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.next() * items.length)] as Item;
  }

  /** Returns an integer from 1 to `count`. Low numbers are more frequent, because few venues have most events. */
  popular(count: number): number {
    return 1 + Math.floor(count * this.next() ** 2);
  }

  /** Returns distinct results of `draw`: fewer than `count` if it repeats itself. */
  distinct(count: number, draw: () => number): number[] {
    return [...new Set(Array.from({ length: count }, draw))];
  }
}
