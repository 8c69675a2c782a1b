import { daysSinceEpoch } from './epoch-seconds.js';
import { INTERVAL_SECONDS, offsetSeconds } from './utc-offset.js';

/** A change of a zone's offset. */
export interface ZoneChange {
  /** The instant from which the new offset applies, in seconds since 1970. */
  readonly at: number;
  /** The offsets before and after it, in seconds. */
  readonly from: number;
  readonly to: number;
}

/** Before this year no zone changed its offset. */
export const FIRST_CHANGING_YEAR = 1800;
/** After this year changes repeat every year. The last table of the zone database (Morocco) ends in 2087. */
export const LAST_IRREGULAR_YEAR = 2100;

// Cached because finding the changes of a year takes about a millisecond, and a feed needs ten years of each zone.
const MAX_CACHED_YEARS = 20_000;
const years = new Map<string, readonly ZoneChange[]>();

/** Returns the changes of a UTC year, in order. */
export function zoneChanges(zone: string, year: number): readonly ZoneChange[] {
  const key = `${year} ${zone}`;
  const known = years.get(key);
  if (known !== undefined) return known;
  const changes = findChanges(zone, startOfYear(year), startOfYear(year + 1));
  if (years.size >= MAX_CACHED_YEARS) years.clear();
  years.set(key, changes);
  return changes;
}

/** Returns the first second of a UTC year, since 1970. */
export function startOfYear(year: number): number {
  return daysSinceEpoch(year, 1, 1) * 86_400;
}

function findChanges(zone: string, start: number, end: number): ZoneChange[] {
  const changes: ZoneChange[] = [];
  let [low, from] = [start - 1, offsetSeconds(zone, start - 1)];
  // Steps end where the intervals of utc-offset.ts do, each of which has one change at most.
  for (let interval = Math.floor(start / INTERVAL_SECONDS) + 1; low < end; interval += 1) {
    const high = Math.min(interval * INTERVAL_SECONDS, end);
    const to = offsetSeconds(zone, high);
    if (to !== from) changes.push({ at: changeBetween(zone, low, high), from, to });
    [low, from] = [high, to];
  }
  // One in the first second of the next year belongs to that year.
  return changes.filter(({ at }) => at < end);
}

function changeBetween(zone: string, start: number, end: number): number {
  const from = offsetSeconds(zone, start);
  let [low, high] = [start, end];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetSeconds(zone, middle) === from) low = middle;
    else high = middle;
  }
  return high;
}
