/**
 * Five days. No zone ever kept an offset for less than seven days less an hour (Brazil, October 2000), so an interval
 * contains at most one change. The spec checks this for every zone.
 */
export const INTERVAL_SECONDS = 5 * 86_400;

/** Returns the seconds that a zone is ahead of UTC. `seconds`: an instant, in seconds since 1970. */
export function offsetSeconds(zone: string, seconds: number): number {
  const fixed = fixedOffset(zone);
  if (fixed !== undefined) return fixed;
  const interval = intervalAt(zone, Math.floor(seconds / INTERVAL_SECONDS));
  return seconds < interval.change ? interval.before : interval.after;
}

/** Returns the seconds of `UTC`, `GMT` and `UTC±H[:MM]` (contract section 2.4), or undefined for zones with rules. */
export function fixedOffset(zone: string): number | undefined {
  if (zone === 'UTC' || zone === 'GMT') return 0;
  if (!zone.startsWith('UTC')) return undefined;
  const [hours, minutes = 0] = zone.slice(4).split(':').map(Number);
  return (zone[3] === '-' ? -60 : 60) * ((hours ?? 0) * 60 + minutes);
}

interface Interval {
  before: number;
  after: number;
  /** The instant from which `after` applies, in seconds since 1970. */
  change: number;
}

// Cached because an offset takes a microsecond: a list needs several per event, an import millions.
const MAX_CACHED_INTERVALS = 100_000;
const intervals = new Map<string, Map<number, Interval>>();
let cachedCount = 0;

function intervalAt(zone: string, index: number): Interval {
  const known = intervals.get(zone)?.get(index);
  if (known) return known;
  const interval = findInterval(zone, index * INTERVAL_SECONDS);
  cacheInterval(zone, index, interval);
  return interval;
}

function findInterval(zone: string, start: number): Interval {
  let [low, high] = [start, start + INTERVAL_SECONDS];
  const [before, after] = [exactOffset(zone, low), exactOffset(zone, high)];
  if (before === after) return { before, after, change: high };
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (exactOffset(zone, middle) === before) low = middle;
    else high = middle;
  }
  return { before, after, change: high };
}

/** Asks Intl, on which Temporal rests, because it is forty times as fast. The spec compares the two for every zone. */
function exactOffset(zone: string, seconds: number): number {
  const [, sign, hours, minutes, rest = 0] = OFFSET.exec(formatOf(zone).format(seconds * 1000)) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(rest));
}

/** `GMT`, `GMT+01:00` or, before standard time, `GMT+00:09:21`. */
const OFFSET = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined)
    formats.set(zone, (format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })));
  return format;
}

function cacheInterval(zone: string, index: number, interval: Interval): void {
  // Clearing the cache bounds its size when clients ask for more and more years.
  if (cachedCount >= MAX_CACHED_INTERVALS) {
    intervals.clear();
    cachedCount = 0;
  }
  const ofZone = intervals.get(zone) ?? new Map<number, Interval>();
  intervals.set(zone, ofZone.set(index, interval));
  cachedCount += 1;
}
