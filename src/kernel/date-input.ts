import {
  FIRST_SECOND,
  isWallTimeInRange,
  LAST_SECOND,
  toUtc,
  toWall,
  type UtcTime,
  type WallTime,
} from './calendar-time.js';
import { readCalendarForm, type Reading } from './date-input.forms.js';
import { readSpokenForm } from './date-input.spoken.js';
import { fromSeconds } from './epoch-seconds.js';

export interface ParsedDate {
  utc: UtcTime;
  /** Wall time in the zone asked for; where clocks skip the time sent, the one after. */
  wall: WallTime;
  /** The value named its instant itself (offset, timestamp, `now`) instead of a wall time. */
  isInstant: boolean;
}

const LONGEST = 128;

/** Reads a date value in any form of contract section 2.3 as of the zone and the present; undefined = refused. */
export function parseDate(value: string | number, zone: string, nowUtc: UtcTime): ParsedDate | undefined {
  return settle(read(value, zone, nowUtc), zone);
}

/**
 * Reads the bound of a filter like a date. One before or behind the years of the contract, in wall time or in UTC, is the
 * first or the last second there is; so is whatever shows as that second, so that links read back as they were meant
 * (contract EV-LIST-44). Before the year 0 it is refused.
 */
export function parseBound(value: string | number, zone: string, nowUtc: UtcTime): ParsedDate | undefined {
  const reading = read(value, zone, nowUtc);
  const date = settle(reading, zone);
  const isEdge = date === undefined || date.wall === FIRST_SECOND || date.wall === LAST_SECOND;
  return isEdge ? edgeOf(reading) : date;
}

/** Whether a date value means the same whenever it is read: it is not counted from now. */
export function isFixedDate(value: string | number): boolean {
  if (typeof value === 'number') return true;
  const plain = plainDate(value);
  return (readCalendarForm(plain) ?? readTimestamp(plain)) !== undefined;
}

function read(value: string | number, zone: string, nowUtc: UtcTime): Reading | undefined {
  if (typeof value === 'number') return readNumber(value);
  const text = value.trim();
  if (text.length > LONGEST) return undefined;
  const plain = plainDate(text);
  return readCalendarForm(plain) ?? readTimestamp(plain) ?? readSpokenForm(plain, zone, nowUtc);
}

function plainDate(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

function readNumber(value: number): Reading | undefined {
  // contract DATE-05: fewer digits are taken for a mistake (a year, a compact date), not for a time in 1970.
  return /^\d{9,11}$/.test(String(value)) ? { utc: fromSeconds(value) } : undefined;
}

function readTimestamp(text: string): Reading | undefined {
  return /^(?:@-?\d{1,12}|\d{9,11})$/.test(text) ? { utc: fromSeconds(Number(text.replace('@', ''))) } : undefined;
}

function settle(reading: Reading | undefined, zone: string): ParsedDate | undefined {
  if (!reading) return undefined;
  const isInstant = 'utc' in reading;
  if (!isWallTimeInRange(isInstant ? reading.utc : reading.wall)) return undefined;
  const utc = isInstant ? reading.utc : toUtc(reading.wall, zone);
  const wall = toWall(utc, zone);
  return isWallTimeInRange(utc) && isWallTimeInRange(wall) ? { utc, wall, isInstant } : undefined;
}

const MIDDLE_YEAR = 5000;

function edgeOf(reading: Reading | undefined): ParsedDate | undefined {
  const time = reading === undefined ? '' : 'utc' in reading ? reading.utc : reading.wall;
  const [, year] = /^(\d{4,})-/.exec(time) ?? [];
  if (year === undefined) return undefined;
  const edge = Number(year) < MIDDLE_YEAR ? FIRST_SECOND : LAST_SECOND;
  return { utc: edge, wall: edge, isInstant: true };
}
