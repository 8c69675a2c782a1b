import { isWallTimeInRange, toUtc, toWall, type UtcTime, type WallTime } from './calendar-time.js';
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
  if (typeof value === 'number') return settle(readNumber(value), zone);
  const text = value.trim();
  if (text.length > LONGEST) return undefined;
  const plain = plainDate(text);
  return settle(readCalendarForm(plain) ?? readTimestamp(plain) ?? readSpokenForm(plain, zone, nowUtc), zone);
}

/** Whether a date value means the same whenever it is read: it is not counted from now. */
export function isFixedDate(value: string | number): boolean {
  if (typeof value === 'number') return true;
  const plain = plainDate(value);
  return (readCalendarForm(plain) ?? readTimestamp(plain)) !== undefined;
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
