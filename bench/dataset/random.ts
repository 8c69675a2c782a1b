/** Numbers that are the same for the same seed, on every machine (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.next() * items.length)] as Item;
  }

  /** Between 1 and `count`, low numbers far more often than high ones: some venues hold most events. */
  popular(count: number): number {
    return 1 + Math.floor(count * this.next() ** 2);
  }

  /** Distinct numbers made by `draw`; fewer where it repeats itself. */
  distinct(count: number, draw: () => number): number[] {
    return [...new Set(Array.from({ length: count }, draw))];
  }
}
