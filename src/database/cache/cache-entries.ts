import type { UtcTime } from '../../kernel/time/calendar-time.js';

interface Entry {
  readonly value: unknown;
  readonly weight: number;
}

/** Cache of one database version. Expires at the next commit, or when a scheduled record becomes public. */
export class CacheEntries {
  /** Entries used recently, and entries used before. Each map has half of the capacity. */
  private recent = new Map<string, Entry>();
  private older = new Map<string, Entry>();
  private weight = 0;

  constructor(
    /** The version of the database. undefined: unknown. */
    readonly version: number | undefined,
    /** From this time until `expiresAt` the same records are public. */
    readonly validFrom: UtcTime,
    private readonly expiresAt: UtcTime,
    /** Maximum sum of weights. */
    private readonly capacity: number,
  ) {}

  isValidFor(version: number, nowUtc: UtcTime): boolean {
    return version === this.version && nowUtc >= this.validFrom && nowUtc < this.expiresAt;
  }

  get(key: string): unknown {
    const recent = this.recent.get(key);
    if (recent !== undefined) return recent.value;
    const older = this.older.get(key);
    if (older === undefined) return undefined;
    this.older.delete(key);
    this.put(key, older);
    return older.value;
  }

  /** Caches a value and may evict entries not used recently. Ignores a value of more than half of the capacity. */
  set(key: string, value: unknown, weight: number): void {
    if (weight * 2 <= this.capacity) this.put(key, { value, weight });
  }

  private put(key: string, entry: Entry): void {
    const weight = this.weight + entry.weight - (this.recent.get(key)?.weight ?? 0);
    const isFull = weight * 2 > this.capacity;
    if (isFull) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.weight = isFull ? entry.weight : weight;
    this.recent.set(key, entry);
  }
}
