import type { UtcTime } from '../../kernel/time/calendar-time.js';
import type { DatabaseState } from './read-at-version.js';

/** Stands for the state of a database that no cache needs. */
export const NOT_READ: DatabaseState = { version: 0, epoch: '' };

/** Whether two states have the same commits. */
function isSameState(one: DatabaseState | undefined, other: DatabaseState): boolean {
  return one !== undefined && one.version === other.version && one.epoch === other.epoch;
}

/** Characters that weigh as much as a row, so that long texts cannot exceed the cache's size in memory. */
const CHARACTERS_PER_UNIT = 500;

/** Returns the weight of a value in a cache: of its rows, and of its texts. */
export function weightOf(rows: number, characters: number): number {
  return rows + Math.floor(characters / CHARACTERS_PER_UNIT);
}

interface Entry {
  readonly value: unknown;
  readonly weight: number;
}

/** Cache of one state of the database. Expires at the next commit, or when a scheduled record becomes public. */
export class CacheEntries {
  /** Entries used recently, and entries used before. Each map has half of the capacity. */
  private recent = new Map<string, Entry>();
  private older = new Map<string, Entry>();
  private weight = 0;

  constructor(
    /** The state of the database. undefined: unknown. */
    readonly state: DatabaseState | undefined,
    /** From this time until `expiresAt` the same records are public. */
    readonly validFrom: UtcTime,
    private readonly expiresAt: UtcTime,
    /** Maximum sum of weights. */
    readonly capacity: number,
  ) {}

  isValidFor(state: DatabaseState, nowUtc: UtcTime): boolean {
    return isSameState(this.state, state) && nowUtc >= this.validFrom && nowUtc < this.expiresAt;
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

  /** Forgets a value. Its weight counts until the map that had it is replaced. */
  delete(key: string): void {
    this.recent.delete(key);
    this.older.delete(key);
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
