import { icalLine, icalTime } from './text/ical-line.js';
import { weekday } from './time/calendar-arithmetic.js';
import { dateDetails, type UtcTime, type WallTime } from './time/calendar-time.js';
import { daysInMonth, fromSeconds, padded, toSeconds } from './time/epoch-seconds.js';
import { timeZoneAbbreviation } from './time/time-zone.js';
import { offsetSeconds } from './time/utc-offset.js';
import {
  FIRST_CHANGING_YEAR,
  LAST_IRREGULAR_YEAR,
  startOfYear,
  type ZoneChange,
  zoneChanges,
} from './time/zone-changes.js';

/** The instants for which a calendar needs the rules of a zone. */
export interface ZoneUse {
  readonly firstUtc: UtcTime;
  readonly lastUtc: UtcTime;
}

/** How many years after the last event must repeat each other for a yearly rule. */
const COMPARED_YEARS = 6;

/** Returns the years whose changes `vtimezone` reads, so that a caller can have them found one by one. */
export function yearsRead(use: ZoneUse): readonly number[] {
  const { firstYear, lastYear } = yearsOf(use);
  return range(Math.max(firstYear - 1, FIRST_CHANGING_YEAR), lastYear + COMPARED_YEARS);
}

/** Returns the VTIMEZONE of a zone with rules (ical 2). Programs read the right instants from it, without rules of their own. */
export function vtimezone(zone: string, use: ZoneUse): string {
  const { firstYear, lastYear } = yearsOf(use);
  const years = range(Math.max(firstYear - 1, FIRST_CHANGING_YEAR), lastYear + 1);
  const changes = years.flatMap((year) => zoneChanges(zone, year));
  const rules = yearlyRules(zone, lastYear);
  const repeated = rules === undefined ? 0 : countRepeated(zone, rules, years);
  const single = changes.slice(0, changes.length - repeated);
  const pair = changes.slice(changes.length - repeated).slice(0, 2);
  const [first] = changes;
  const isEarly = first === undefined || first.at > toSeconds(use.firstUtc);
  return [
    icalLine('BEGIN', 'VTIMEZONE'),
    icalLine('TZID', zone),
    ...(isEarly ? [initialObservance(zone, firstYear - 1)] : []),
    ...single.map((change) => observance(zone, change)),
    // Last and with the greatest DTSTART, because Outlook reads only that STANDARD, and this form of rule.
    ...pair.map((change) =>
      observance(
        zone,
        change,
        rules?.find((rule) => fits(change, rule)),
      ),
    ),
    icalLine('END', 'VTIMEZONE'),
  ].join('');
}

/** Returns the years of the first and the last event. Of years after the last irregular one, the first tells all. */
function yearsOf({ firstUtc, lastUtc }: ZoneUse): { firstYear: number; lastYear: number } {
  const [firstYear, lastYear] = [Number(firstUtc.slice(0, 4)), Number(lastUtc.slice(0, 4))];
  return { firstYear, lastYear: Math.min(lastYear, Math.max(firstYear, LAST_IRREGULAR_YEAR)) };
}

/** A change that comes every year: on the `nth` weekday of a month, or the last one (-1). */
interface YearlyRule {
  readonly month: number;
  readonly weekday: number;
  readonly nth: number;
  /** The local time before the change, `02:00:00`. */
  readonly time: string;
  readonly from: number;
  readonly to: number;
}

/** Returns the rules of the years after the last event, or undefined if they do not repeat each other. */
function yearlyRules(zone: string, lastYear: number): readonly YearlyRule[] | undefined {
  const years = range(lastYear + 1, lastYear + COMPARED_YEARS).map((year) => zoneChanges(zone, year));
  if (years.some((changes) => changes.length !== 2)) return undefined;
  const rules = [0, 1].map((index) => ruleOf(years.map((changes) => changes[index]!)));
  return rules.every((rule) => rule !== undefined) ? rules : undefined;
}

function ruleOf(changes: readonly ZoneChange[]): YearlyRule | undefined {
  const [first] = changes as [ZoneChange];
  const { month, weekday: day, week, time } = placeOf(first);
  const { from, to } = first;
  return [week, LAST_WEEK]
    .map((nth): YearlyRule => ({ month, weekday: day, nth, time, from, to }))
    .find((rule) => changes.every((change) => fits(change, rule)));
}

const LAST_WEEK = -1;

function fits(change: ZoneChange, rule: YearlyRule): boolean {
  const { month, weekday: day, week, isLast, time } = placeOf(change);
  const isDay = month === rule.month && day === rule.weekday && (rule.nth === LAST_WEEK ? isLast : week === rule.nth);
  return isDay && time === rule.time && change.from === rule.from && change.to === rule.to;
}

/** Returns the place of a change in the local calendar before it. */
function placeOf(change: ZoneChange) {
  const wall = wallBefore(change);
  const { year, month, day } = dateDetails(wall);
  return {
    month: Number(month),
    weekday: weekday(wall),
    week: Math.ceil(Number(day) / 7),
    isLast: Number(day) > daysInMonth(Number(year), Number(month)) - 7,
    time: wall.slice(11),
  };
}

function wallBefore({ at, from }: ZoneChange): WallTime {
  return fromSeconds(at + from);
}

/** Counts the last changes that the rules repeat without a gap. */
function countRepeated(zone: string, rules: readonly YearlyRule[], years: readonly number[]): number {
  let count = 0;
  for (const year of years.toReversed()) {
    const changes = zoneChanges(zone, year);
    const [first, second] = rules as [YearlyRule, YearlyRule];
    const [last, before] = [changes.at(-1), changes.at(-2)];
    if (last === undefined || !fits(last, second)) break;
    count += 1;
    if (before === undefined || !fits(before, first)) break;
    count += 1;
    if (changes.length > 2) break;
  }
  return count;
}

/** Returns the offset before the first change. The year 1970 is usual. */
function initialObservance(zone: string, year: number): string {
  const start = Math.min(startOfYear(year), 0);
  const offset = offsetSeconds(zone, startOfYear(year));
  return component('STANDARD', {
    start: fromSeconds(start),
    from: offset,
    to: offset,
    name: timeZoneAbbreviation(zone, fromSeconds(startOfYear(year))),
  });
}

function observance(zone: string, change: ZoneChange, rule?: YearlyRule): string {
  const { at, from, to } = change;
  const name = timeZoneAbbreviation(zone, fromSeconds(at));
  return component(to > from ? 'DAYLIGHT' : 'STANDARD', { start: wallBefore(change), from, to, name, rule });
}

interface Observance {
  /** The local time before the change. */
  readonly start: WallTime;
  readonly from: number;
  readonly to: number;
  readonly name: string;
  readonly rule?: YearlyRule;
}

function component(kind: 'STANDARD' | 'DAYLIGHT', { start, from, to, name, rule }: Observance): string {
  return [
    icalLine('BEGIN', kind),
    icalLine('DTSTART', icalTime(start)),
    icalLine('TZOFFSETFROM', icalOffset(from)),
    icalLine('TZOFFSETTO', icalOffset(to)),
    icalLine('TZNAME', name),
    ...(rule === undefined ? [] : [icalLine('RRULE', recurrence(rule))]),
    icalLine('END', kind),
  ].join('');
}

const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

function recurrence({ month, weekday: day, nth }: YearlyRule): string {
  return `FREQ=YEARLY;BYMONTH=${month};BYDAY=${nth}${DAYS[day]}`;
}

/** Returns an offset as `+0100`, with seconds where local mean time has them. */
function icalOffset(seconds: number): string {
  const size = Math.abs(seconds);
  const rest = size % 60 === 0 ? '' : padded(size % 60);
  return `${seconds < 0 ? '-' : '+'}${padded(Math.floor(size / 3600))}${padded(Math.floor(size / 60) % 60)}${rest}`;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
