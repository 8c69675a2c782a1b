import type { UtcTime } from '../../kernel/time/calendar-time.js';

interface Entry {
  readonly value: unknown;
  readonly weight: number;
}

/** What was read of one state of the database: it holds until the next commit, or until a record becomes public. */
export class CacheEntries {
  /** What was asked for lately, and what was before: each half of the room. */
  private young = new Map<string, Entry>();
  private old = new Map<string, Entry>();
  private weight = 0;

  constructor(
    /** Which state; undefined: the database does not say. */
    readonly version: number | undefined,
    /** The moment for which it was made; what is public is the same from then until `until`. */
    readonly since: UtcTime,
    private readonly until: UtcTime,
    /** The greatest sum of weights. */
    private readonly capacity: number,
  ) {}

  holds(version: number, nowUtc: UtcTime): boolean {
    return version === this.version && nowUtc >= this.since && nowUtc < this.until;
  }

  get(key: string): unknown {
    const young = this.young.get(key);
    if (young !== undefined) return young.value;
    const old = this.old.get(key);
    if (old === undefined) return undefined;
    this.old.delete(key);
    this.put(key, old);
    return old.value;
  }

  /** Keeps a value; what was not asked for lately makes room. What needs half of the room alone is not kept. */
  set(key: string, value: unknown, weight: number): void {
    if (weight * 2 <= this.capacity) this.put(key, { value, weight });
  }

  private put(key: string, entry: Entry): void {
    const weight = this.weight + entry.weight - (this.young.get(key)?.weight ?? 0);
    const isFull = weight * 2 > this.capacity;
    if (isFull) {
      this.old = this.young;
      this.young = new Map();
    }
    this.weight = isFull ? entry.weight : weight;
    this.young.set(key, entry);
  }
}
