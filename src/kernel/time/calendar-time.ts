import { Temporal } from '@js-temporal/polyfill';
import { fromSeconds, padded, toSeconds } from './epoch-seconds.js';
import { fixedOffset, offsetSeconds } from './utc-offset.js';

/** An instant, `YYYY-MM-DD HH:MM:SS` in UTC. */
export type UtcTime = string;

/** Sorts after every stored time. */
export const END_OF_TIME: UtcTime = '~';
/** A local time without its zone, `YYYY-MM-DD HH:MM:SS`. */
export type WallTime = string;

export interface DateDetails {
  year: string;
  month: string;
  day: string;
  hour: string;
  minutes: string;
  seconds: string;
}

/** Returns the instant of a wall time: in a gap moved forward by the gap, in an overlap the first one (contract DATE-11). */
export function toUtc(wall: WallTime, zone: string): UtcTime {
  const local = toSeconds(wall);
  // The offsets a day before and a day after are those of both sides of a clock change, even of Samoa's by 24 hours.
  const early = local - offsetSeconds(zone, local - 86_400);
  const late = local - offsetSeconds(zone, local + 86_400);
  if (early === late || isShownAt(early, local, zone)) return fromSeconds(early);
  return fromSeconds(isShownAt(late, local, zone) ? late : early);
}

/** Returns the wall time of an instant. */
export function toWall(utc: UtcTime, zone: string): WallTime {
  const seconds = toSeconds(utc);
  const offset = offsetSeconds(zone, seconds);
  return offset === 0 ? utc : fromSeconds(seconds + offset);
}

/**
 * Whether a wall time with the name of its zone means the instant to other programs. It does not in the second hour of an
 * overlap (ical ICS-10), and the names of fixed offsets are ours.
 */
export function isExactWall(wall: WallTime, utc: UtcTime, zone: string): boolean {
  return fixedOffset(zone) === undefined && toUtc(wall, zone) === utc;
}

/** Returns the zone's offset at an instant, `+01:00`. Old offsets with seconds are rounded to minutes, as in ISO 8601. */
export function offsetAt(utc: UtcTime, zone: string): string {
  const minutes = Math.round(offsetSeconds(zone, toSeconds(utc)) / 60);
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${padded(Math.floor(size / 60))}:${padded(size % 60)}`;
}

/** Returns an instant in ISO 8601 with the zone's offset, `2026-12-05T20:00:00+01:00` (contract section 8, json_ld). */
export function isoWithOffset(utc: UtcTime, zone: string): string {
  return toWall(utc, zone).replace(' ', 'T') + offsetAt(utc, zone);
}

/** Returns the parts of a time as zero-padded strings, in the order of contract DATE-17. */
export function dateDetails(time: UtcTime): DateDetails {
  return {
    year: time.slice(0, 4),
    month: time.slice(5, 7),
    day: time.slice(8, 10),
    hour: time.slice(11, 13),
    minutes: time.slice(14, 16),
    seconds: time.slice(17, 19),
  };
}

/** Returns 00:00:00 of the day. If the zone skips that time, `toUtc` moves it. */
export function startOfDay(wall: WallTime): WallTime {
  return `${wall.slice(0, -9)} 00:00:00`;
}

/** Returns 23:59:59 of the day. */
export function endOfDay(wall: WallTime): WallTime {
  return `${wall.slice(0, -9)} 23:59:59`;
}

/** Returns the instant at which the wall time's day begins: 00:00, or the first time after it if clocks skip 00:00. */
export function startOfDayUtc(wall: WallTime, zone: string): UtcTime {
  const midnight = startOfDay(wall);
  const utc = toUtc(midnight, zone);
  if (toWall(utc, zone) === midnight) return utc;
  // A gap may begin before midnight (Toronto 1919: 23:30 to 00:30). Moving 00:00 by the gap would give 01:00, not 00:30.
  const first = Temporal.PlainDate.from(wall.slice(0, 10)).toZonedDateTime(zone);
  return fromSeconds(first.epochMilliseconds / 1000);
}

/** The first and the last valid second, in wall time or UTC (contract section 2.3). */
export const FIRST_SECOND = '1000-01-01 00:00:00';
export const LAST_SECOND = '9999-12-31 23:59:59';

/** Whether a time, wall time or UTC, is in the years 1000 to 9999 (contract section 2.3). */
export function isWallTimeInRange(time: WallTime): boolean {
  return /^[1-9]\d{3}-/.test(time);
}

function isShownAt(utcSeconds: number, local: number, zone: string): boolean {
  return utcSeconds + offsetSeconds(zone, utcSeconds) === local;
}
