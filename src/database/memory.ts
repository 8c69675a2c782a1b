import type { UtcTime } from '../kernel/calendar-time.js';

/** What was read of one state of the database: it holds until the next commit, or until a record becomes public. */
export class Memory {
  private readonly values = new Map<string, unknown>();
  private weight = 0;

  constructor(
    private readonly version: number,
    /** The moment for which it was made; what is public is the same from then until `until`. */
    readonly since: UtcTime,
    private readonly until: UtcTime,
  ) {}

  holds(version: number, nowUtc: UtcTime): boolean {
    return version === this.version && nowUtc >= this.since && nowUtc < this.until;
  }

  get(key: string): unknown {
    return this.values.get(key);
  }

  /** Keeps values up to a sum of weights of `capacity`; a full memory starts over. */
  set(key: string, value: unknown, weight: number, capacity: number): void {
    if (weight > capacity) return;
    if (this.weight + weight > capacity) {
      this.values.clear();
      this.weight = 0;
    }
    this.values.set(key, value);
    this.weight += weight;
  }
}
