interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
  /** Whether it was read since the hand was there. */
  isUsed: boolean;
}

/** Of the values that were read, so many are spared each time, which limits how long that takes. */
const MAX_SPARED = 1_000;

/** A cache of limited weight. Drops values that were not read since it last came to them (the clock algorithm). */
export class WeightedCache<Value = unknown> {
  private readonly entries = new Map<string, Entry<Value>>();
  /** Goes through the entries. What it spares, and what is new, comes to their end. */
  private hand = this.entries.entries();
  private weight = 0;

  constructor(
    /** Maximum sum of weights. */
    readonly capacity: number,
  ) {}

  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    entry.isUsed = true;
    return entry.value;
  }

  /** Caches a value in place of the one before, and may drop others. Does not cache a value of more than half of the capacity. */
  set(key: string, value: Value, weight: number): void {
    this.delete(key);
    if (weight * 2 > this.capacity) return;
    this.makeRoom(weight);
    this.entries.set(key, { value, weight, isUsed: false });
    this.weight += weight;
  }

  delete(key: string): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.weight -= entry.weight;
  }

  private makeRoom(weight: number): void {
    for (let spared = 0; this.weight + weight > this.capacity;) {
      const { value: next } = this.hand.next();
      if (next === undefined) {
        this.hand = this.entries.entries();
        continue;
      }
      const [key, entry] = next;
      this.entries.delete(key);
      if (entry.isUsed && spared < MAX_SPARED) {
        spared += 1;
        entry.isUsed = false;
        this.entries.set(key, entry);
      } else this.weight -= entry.weight;
    }
  }
}

/** Characters that weigh as much as a row, so that long texts cannot exceed the cache's size in memory. */
const CHARACTERS_PER_UNIT = 500;

/** Returns the weight of a value in a cache: of its rows, and of its texts. */
export function weightOf(rows: number, characters: number): number {
  return rows + Math.floor(characters / CHARACTERS_PER_UNIT);
}
