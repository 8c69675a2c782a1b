import { Temporal } from '@js-temporal/polyfill';
import { fromSeconds, padded, toSeconds } from './epoch-seconds.js';
import { offsetSeconds } from './utc-offset.js';

/** An instant, `YYYY-MM-DD HH:MM:SS` in UTC. */
export type UtcTime = string;
/** What a clock on a wall shows, `YYYY-MM-DD HH:MM:SS`; an instant only together with a zone. */
export type WallTime = string;

export interface DateDetails {
  year: string;
  month: string;
  day: string;
  hour: string;
  minutes: string;
  seconds: string;
}

/** The instant of a wall time: in a gap moved forward by the gap, in an overlap the first one (contract DATE-11). */
export function toUtc(wall: WallTime, zone: string): UtcTime {
  const local = toSeconds(wall);
  // A day away either way lies beyond a change of clocks near `local`, Samoa's of 24 hours included.
  const early = local - offsetSeconds(zone, local - 86_400);
  const late = local - offsetSeconds(zone, local + 86_400);
  if (early === late || isShownAt(early, local, zone)) return fromSeconds(early);
  return fromSeconds(isShownAt(late, local, zone) ? late : early);
}

/** The wall time of an instant. */
export function toWall(utc: UtcTime, zone: string): WallTime {
  const seconds = toSeconds(utc);
  const offset = offsetSeconds(zone, seconds);
  return offset === 0 ? utc : fromSeconds(seconds + offset);
}

/** The zone's offset at an instant, `+01:00`; old local mean times are rounded to the minute, as ISO 8601 wants it. */
export function offsetAt(utc: UtcTime, zone: string): string {
  const minutes = Math.round(offsetSeconds(zone, toSeconds(utc)) / 60);
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${padded(Math.floor(size / 60))}:${padded(size % 60)}`;
}

/** An instant as ISO 8601 with the zone's offset, `2026-12-05T20:00:00+01:00` (contract section 8, json_ld). */
export function isoWithOffset(utc: UtcTime, zone: string): string {
  return toWall(utc, zone).replace(' ', 'T') + offsetAt(utc, zone);
}

/** The parts of a time as zero-padded strings, in the order of contract DATE-17. */
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

/** 00:00:00 of the day; where a zone leaves it out, `toUtc` moves it. */
export function startOfDay(wall: WallTime): WallTime {
  return `${wall.slice(0, -9)} 00:00:00`;
}

/** 23:59:59 of the day. */
export function endOfDay(wall: WallTime): WallTime {
  return `${wall.slice(0, -9)} 23:59:59`;
}

/** The instant at which the wall time's day begins: 00:00, or where clocks skip it the first time there is after. */
export function startOfDayUtc(wall: WallTime, zone: string): UtcTime {
  const midnight = startOfDay(wall);
  const utc = toUtc(midnight, zone);
  if (toWall(utc, zone) === midnight) return utc;
  // A gap may begin before midnight (Toronto 1919, 23:30 to 00:30); moving 00:00 by it would lose half an hour.
  const first = Temporal.PlainDate.from(wall.slice(0, 10)).toZonedDateTime(zone);
  return fromSeconds(first.epochMilliseconds / 1000);
}

/** The first and the last second that the contract knows (section 2.3); wall time or UTC. */
export const FIRST_SECOND = '1000-01-01 00:00:00';
export const LAST_SECOND = '9999-12-31 23:59:59';

/** Whether a time lies in the years the contract knows, 1000 to 9999 (section 2.3); wall time or UTC. */
export function isWallTimeInRange(time: WallTime): boolean {
  return /^[1-9]\d{3}-/.test(time);
}

function isShownAt(utcSeconds: number, local: number, zone: string): boolean {
  return utcSeconds + offsetSeconds(zone, utcSeconds) === local;
}
