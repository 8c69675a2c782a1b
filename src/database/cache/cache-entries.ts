import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { WeightedCache } from '../../kernel/weighted-cache.js';
import type { DatabaseState } from './read-at-version.js';

/** Stands for the state of a database that no cache needs. */
export const NOT_READ: DatabaseState = { version: 0, epoch: '' };

/** Whether two states have the same commits. */
function isSameState(one: DatabaseState | undefined, other: DatabaseState): boolean {
  return one !== undefined && one.version === other.version && one.epoch === other.epoch;
}

/** Cache of one state of the database. Expires at the next commit, or when a scheduled record becomes public. */
export class CacheEntries extends WeightedCache {
  /** Stands for this cache in what outlives it, so that its values need not stay in memory. */
  readonly token: object = {};

  constructor(
    /** The state of the database. undefined: unknown. */
    readonly state: DatabaseState | undefined,
    /** From this time until `expiresAt` the same records are public. */
    readonly validFrom: UtcTime,
    private readonly expiresAt: UtcTime,
    capacity: number,
  ) {
    super(capacity);
  }

  isValidFor(state: DatabaseState, nowUtc: UtcTime): boolean {
    return isSameState(this.state, state) && nowUtc >= this.validFrom && nowUtc < this.expiresAt;
  }
}
