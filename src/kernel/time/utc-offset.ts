import { Temporal } from '@js-temporal/polyfill';

/**
 * Five days: shorter than the shortest time a zone ever kept one offset (Brazil, October 2000: seven days less an
 * hour), so that a stretch holds one change at most. The spec checks this for every zone.
 */
export const STRETCH_SECONDS = 5 * 86_400;

/** Seconds a zone's clocks are ahead of UTC at an instant given in seconds since 1970. */
export function offsetSeconds(zone: string, seconds: number): number {
  const fixed = fixedOffset(zone);
  if (fixed !== undefined) return fixed;
  const stretch = stretchOf(zone, Math.floor(seconds / STRETCH_SECONDS));
  return seconds < stretch.change ? stretch.before : stretch.after;
}

/** Seconds of `UTC`, `GMT` and `UTC±H[:MM]` (contract section 2.4); undefined for zones with rules. */
export function fixedOffset(zone: string): number | undefined {
  if (zone === 'UTC' || zone === 'GMT') return 0;
  if (!zone.startsWith('UTC')) return undefined;
  const [hours, minutes = 0] = zone.slice(4).split(':').map(Number);
  return (zone[3] === '-' ? -60 : 60) * ((hours ?? 0) * 60 + minutes);
}

interface Stretch {
  before: number;
  after: number;
  /** Instant from which `after` holds. */
  change: number;
}

// Temporal needs some 15 µs for one offset, a list needs several per event, an import millions.
const CAPACITY = 100_000;
const stretches = new Map<string, Map<number, Stretch>>();
let held = 0;

function stretchOf(zone: string, index: number): Stretch {
  const known = stretches.get(zone)?.get(index);
  if (known) return known;
  const stretch = measure(zone, index * STRETCH_SECONDS);
  remember(zone, index, stretch);
  return stretch;
}

function measure(zone: string, start: number): Stretch {
  let [low, high] = [start, start + STRETCH_SECONDS];
  const [before, after] = [exactOffset(zone, low), exactOffset(zone, high)];
  if (before === after) return { before, after, change: high };
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (exactOffset(zone, middle) === before) low = middle;
    else high = middle;
  }
  return { before, after, change: high };
}

function exactOffset(zone: string, seconds: number): number {
  const instant = Temporal.Instant.fromEpochMilliseconds(seconds * 1000);
  return instant.toZonedDateTimeISO(zone).offsetNanoseconds / 1e9;
}

function remember(zone: string, index: number, stretch: Stretch): void {
  // Starting over keeps the memory bounded when someone asks for ever new years.
  if (held >= CAPACITY) {
    stretches.clear();
    held = 0;
  }
  const ofZone = stretches.get(zone) ?? new Map<number, Stretch>();
  stretches.set(zone, ofZone.set(index, stretch));
  held += 1;
}
