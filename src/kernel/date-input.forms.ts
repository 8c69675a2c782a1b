import { addSeconds } from './calendar-arithmetic.js';
import type { UtcTime, WallTime } from './calendar-time.js';
import { readTime } from './date-input.time.js';
import { daysInMonth, padded } from './epoch-seconds.js';

/** What a date value says: a wall time of a zone to be applied, or an instant. */
export type Reading = { wall: WallTime } | { utc: UtcTime };

const YEAR = String.raw`(?<year>\d{4})`;
const DAY = String.raw`(?<day>\d{1,2})`;
const NAME = '(?<month>[a-z]{3,9})';
const ISO = String.raw`${YEAR}(?<sign>[-/])(?<month>\d\d)\k<sign>(?<day>\d\d)`;
const TIME = '(?: (?<time>.+))?';
// The blank is a plus that was not encoded in a form or query.
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

const MONTHS = new Map(
  'january february march april may june july august september october november december'
    .split(' ')
    .flatMap((name, index) => [name, name.slice(0, 3)].map((key) => [key, index + 1] as const)),
).set('sept', 9);

/** Reads the forms of contract section 2.3 that name a day by number (ISO to dot), of any year; trimmed lower case text. */
export function readCalendarForm(text: string): Reading | undefined {
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
  return MONTHS.get(text) ?? Number(text);
}

/** Seconds of `z`, `+01:00`, `+0100` or, with the plus lost, ` 01:00`. */
function readOffset(zone: string): number | undefined {
  if (zone === 'z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -60 : 60) * (hours * 60 + minutes);
}
