import { addDays, addMonths, addSeconds, weekday } from './calendar-arithmetic.js';
import {
  FIRST_SECOND,
  isWallTimeInRange,
  LAST_SECOND,
  toUtc,
  toWall,
  type UtcTime,
  type WallTime,
} from './calendar-time.js';
import { daysInMonth, fromSeconds, padded } from './epoch-seconds.js';

export interface ParsedDate {
  utc: UtcTime;
  /** Wall time in the given zone. A time in a gap is moved forward. */
  wall: WallTime;
  /** The value is an instant (offset, timestamp, `now`) instead of a wall time. */
  isInstant: boolean;
}

/** In UTF-16 code units, without surrounding spaces. Bounds the time that a hostile value takes. */
const MAX_DATE_LENGTH = 128;

/** Parses a date value in any form of contract section 2.3. Returns undefined if it is invalid. */
export function parseDate(value: string | number, zone: string, nowUtc: UtcTime): ParsedDate | undefined {
  return resolve(read(value, zone, nowUtc), zone);
}

/**
 * Parses the bound of a filter. A bound outside the years 1000 to 9999, in wall time or UTC, becomes the first or the last
 * valid second. So does a bound whose wall time is that second, so that links mean the same when followed. A bound
 * before the year 0 is invalid (contract EV-LIST-44).
 */
export function parseBound(value: string | number, zone: string, nowUtc: UtcTime): ParsedDate | undefined {
  const reading = read(value, zone, nowUtc);
  const date = resolve(reading, zone);
  const isEdge = date === undefined || date.wall === FIRST_SECOND || date.wall === LAST_SECOND;
  return isEdge ? edgeOf(reading) : date;
}

/** Whether a date value is absolute: it does not depend on the present. */
export function isFixedDate(value: string | number): boolean {
  if (typeof value === 'number') return true;
  const plain = plainDate(value);
  return (readCalendarForm(plain) ?? readTimestamp(plain)) !== undefined;
}

function read(value: string | number, zone: string, nowUtc: UtcTime): Reading | undefined {
  if (typeof value === 'number') return readNumber(value);
  const text = value.trim();
  if (text.length > MAX_DATE_LENGTH) return undefined;
  const plain = plainDate(text);
  return readCalendarForm(plain) ?? readTimestamp(plain) ?? readRelativeForm(plain, zone, nowUtc);
}

function plainDate(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

function readNumber(value: number): Reading | undefined {
  // contract DATE-05: fewer digits are a mistake (a year, a compact date) rather than a time in 1970.
  return /^\d{9,11}$/.test(String(value)) ? { utc: fromSeconds(value) } : undefined;
}

function readTimestamp(text: string): Reading | undefined {
  return /^(?:@-?\d{1,12}|\d{9,11})$/.test(text) ? { utc: fromSeconds(Number(text.replace('@', ''))) } : undefined;
}

function resolve(reading: Reading | undefined, zone: string): ParsedDate | undefined {
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

/** A parsed date value: a wall time without its zone, or an instant. */
type Reading = { wall: WallTime } | { utc: UtcTime };

const YEAR = String.raw`(?<year>\d{4})`;
const DAY = String.raw`(?<day>\d{1,2})`;
const NAME = '(?<month>[a-z]{3,9})';
const ISO = String.raw`${YEAR}(?<sign>[-/])(?<month>\d\d)\k<sign>(?<day>\d\d)`;
const TIME = '(?: (?<time>.+))?';
// The space is a plus that the client did not encode in a form or query.
const ZONE = String.raw`(?<zone>z|[+ -]\d\d:?\d\d)`;

const FORMS = [
  String.raw`${ISO}[t ](?<time>\d\d:\d\d(?::\d\d)?)${ZONE}?`,
  String.raw`${ISO}[t ](?<time>\d\d:\d\d:\d\d)\.\d+${ZONE}`,
  `${ISO}${TIME}`,
  String.raw`(?<month>\d{1,2})/${DAY}/${YEAR}${TIME}`,
  String.raw`${DAY}(?<sign>[-.])(?<month>\d{1,2})\k<sign>${YEAR}${TIME}`,
  `${DAY} ${NAME} ${YEAR}${TIME}`,
  `${NAME} ${DAY}(?:, ?| )${YEAR}${TIME}`,
].map((form) => new RegExp(`^${form}$`));

const COMPACT = /^(\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)(\d\d)(z|[+ -]\d\d:?\d\d)?$/;

const MONTH_NUMBERS = new Map(
  'january february march april may june july august september october november december'
    .split(' ')
    .flatMap((name, index) => [name, name.slice(0, 3)].map((key) => [key, index + 1] as const)),
).set('sept', 9);

/** Parses the absolute forms of contract section 2.3 in any year. Expects trimmed lower-case text. */
function readCalendarForm(text: string): Reading | undefined {
  const spread = text.replace(COMPACT, '$1-$2-$3t$4:$5:$6$7');
  for (const form of FORMS) {
    const parts = form.exec(spread)?.groups;
    if (parts) return readParts(parts);
  }
  return undefined;
}

function readParts(parts: Record<string, string | undefined>): Reading | undefined {
  const day = readDay(parts.year ?? '', monthNumber(parts.month ?? ''), Number(parts.day));
  const time = readTime(parts.time ?? 'midnight');
  if (!day || !time) return undefined;
  if (!parts.zone) return { wall: `${day} ${time}` };
  const offset = readOffset(parts.zone);
  return offset === undefined ? undefined : { utc: addSeconds(`${day} ${time}`, -offset) };
}

function readDay(year: string, month: number, day: number): string | undefined {
  const exists = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(Number(year), month);
  return exists ? `${year}-${padded(month)}-${padded(day)}` : undefined;
}

function monthNumber(text: string): number {
  return MONTH_NUMBERS.get(text) ?? Number(text);
}

/** Returns the seconds of `z`, `+01:00`, `+0100` or, with an unencoded plus, ` 01:00`. */
function readOffset(zone: string): number | undefined {
  if (zone === 'z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -60 : 60) * (hours * 60 + minutes);
}

const DAY_WORDS: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 };
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const SECONDS: Record<string, number> = { second: 1, minute: 60, hour: 3600 };
const DAYS: Record<string, number> = { day: 1, week: 7 };
const MONTHS_OF_UNIT: Record<string, number> = { month: 1, year: 12 };

const STEP = /([+-]?\d{1,9}) ?(second|minute|hour|day|week|month|year)s?(?: |$|(?=[+-]))/gy;

/** Parses the words, relative and weekday forms of contract section 2.3. Expects trimmed lower-case text. */
function readRelativeForm(text: string, zone: string, nowUtc: UtcTime): Reading | undefined {
  if (text === 'now') return { utc: nowUtc };
  const now = toWall(nowUtc, zone);
  if (text === 'midnight' || text === 'noon') return onDay(now, text);
  return readDayWord(text, now) ?? readWeekday(text, now) ?? readSteps(asStep(text), zone, nowUtc);
}

function readDayWord(text: string, now: WallTime): Reading | undefined {
  const match = /^(yesterday|today|tomorrow)(?: (.+))?$/.exec(text);
  return match ? onDay(addDays(now, DAY_WORDS[match[1] ?? ''] ?? 0), match[2]) : undefined;
}

function readWeekday(text: string, now: WallTime): Reading | undefined {
  const match = /^(next|last) ([a-z]+day)(?: (.+))?$/.exec(text);
  const target = WEEKDAYS.indexOf(match?.[2] ?? '');
  if (!match || target < 0) return undefined;
  const ahead = (target - weekday(now) + 7) % 7;
  // If today is that weekday, next and last mean a week away.
  return onDay(addDays(now, match[1] === 'next' ? ahead || 7 : ahead - 7), match[3]);
}

/** Returns `next month` as the step `1 month`. */
function asStep(text: string): string {
  const match = /^(next|last) (week|month|year)$/.exec(text);
  return match ? `${match[1] === 'next' ? 1 : -1} ${match[2]}` : text;
}

function readSteps(text: string, zone: string, nowUtc: UtcTime): Reading | undefined {
  const steps = [...text.matchAll(STEP)];
  if (steps.length === 0 || steps.map(([step]) => step).join('') !== text) return undefined;
  const now = toWall(nowUtc, zone);
  let [wall, seconds] = [now, 0];
  for (const [, amount, unit = ''] of steps) {
    seconds += Number(amount) * (SECONDS[unit] ?? 0);
    wall = move(wall, Number(amount), unit);
    if (!isWallTimeInRange(wall)) return { wall };
  }
  // Days and longer units keep the time of day. Hours and shorter units are elapsed time, also over a clock change.
  if (wall !== now && seconds === 0) return { wall };
  return { utc: addSeconds(wall === now ? nowUtc : toUtc(wall, zone), seconds) };
}

function move(wall: WallTime, amount: number, unit: string): WallTime {
  if (unit in DAYS) return addDays(wall, amount * (DAYS[unit] ?? 0));
  return unit in MONTHS_OF_UNIT ? addMonths(wall, amount * (MONTHS_OF_UNIT[unit] ?? 0)) : wall;
}

function onDay(wall: WallTime, time = 'midnight'): Reading | undefined {
  const read = readTime(time);
  return read === undefined ? undefined : { wall: `${wall.slice(0, -9)} ${read}` };
}

const CLOCK = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
const TWELVE_HOURS = /^(0?[1-9]|1[0-2])(?::([0-5]\d))? ?([ap])m$/;

/** Parses TIME of contract section 2.3 in lower case (`17:00`, `9:30 pm`, `noon`) to `HH:MM:SS`, or undefined if invalid. */
function readTime(text: string): string | undefined {
  if (text === 'midnight') return '00:00:00';
  if (text === 'noon') return '12:00:00';
  return readClock(text) ?? readTwelveHours(text);
}

function readClock(text: string): string | undefined {
  const match = CLOCK.exec(text);
  return match ? `${match[1]}:${match[2]}:${match[3] ?? '00'}` : undefined;
}

function readTwelveHours(text: string): string | undefined {
  const match = TWELVE_HOURS.exec(text);
  if (!match) return undefined;
  // 12am is midnight, 12pm noon.
  const hours = (Number(match[1]) % 12) + (match[3] === 'p' ? 12 : 0);
  return `${padded(hours)}:${match[2] ?? '00'}:00`;
}
