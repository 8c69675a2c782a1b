interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
  /** Whether it was read since it was last placed at the end. */
  isUsed: boolean;
}

/** A cache of limited weight. Drops the oldest values that were not read for long (second chance). */
export class WeightedCache<Value = unknown> {
  /** In the order in which they may be dropped. */
  private readonly entries = new Map<string, Entry<Value>>();
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
    this.entries.set(key, { value, weight, isUsed: false });
    this.weight += weight;
    if (this.weight > this.capacity) this.dropUnused();
  }

  delete(key: string): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.weight -= entry.weight;
  }

  private dropUnused(): void {
    // Those that go to the end come again, no longer used.
    for (const [key, entry] of this.entries) {
      this.entries.delete(key);
      if (entry.isUsed) {
        entry.isUsed = false;
        this.entries.set(key, entry);
      } else this.weight -= entry.weight;
      if (this.weight <= this.capacity) return;
    }
  }
}

/** Characters that weigh as much as a row, so that long texts cannot exceed the cache's size in memory. */
const CHARACTERS_PER_UNIT = 500;

/** Returns the weight of a value in a cache: of its rows, and of its texts. */
export function weightOf(rows: number, characters: number): number {
  return rows + Math.floor(characters / CHARACTERS_PER_UNIT);
}
