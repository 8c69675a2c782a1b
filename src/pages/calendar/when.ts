import { addSeconds } from '../../kernel/time/calendar-arithmetic.js';
import { isoWithOffset, offsetAt, toWall } from '../../kernel/time/calendar-time.js';
import { timeZoneAbbreviation } from '../../kernel/time/time-zone.js';
import { fixedOffset } from '../../kernel/time/utc-offset.js';
import { type Day, dayAfter, dayOf, daysBetween, type Formats } from './formats.js';

/** The times of an event, as responses have them. `all_day` is null if a password hides it. */
export interface EventTimes {
  readonly start_date: string;
  readonly end_date: string;
  readonly utc_start_date: string;
  readonly utc_end_date: string;
  readonly timezone: string;
  readonly all_day: boolean | null;
}

/** The words that times need. */
export interface TimeWords {
  readonly allDay: string;
  readonly nextDay: string;
  until(date: string): string;
  since(date: string): string;
  dayOfDays(day: number, days: number): string;
}

/** A time to show, with its machine form. */
export interface ShownTime {
  readonly text: string;
  readonly datetime: string;
  /** The abbreviation of the zone, where it differs from the site's, and its full name. */
  readonly zone?: { readonly abbreviation: string; readonly name: string };
}

/** Events that end before it belong to the evening of the day before (pages P3.2). */
const NIGHT_ENDS = '05:00:00';

export function firstDayOf({ start_date }: EventTimes): Day {
  return dayOf(start_date);
}

/** Returns the last day of an event by its wall times. A night counts as its evening (pages P3.2). */
export function lastDayOf({ start_date, end_date, all_day }: EventTimes): Day {
  const [first, last, time] = [dayOf(start_date), dayOf(end_date), end_date.slice(11)];
  if (all_day === true || last <= first) return last < first ? first : last;
  const isNight = time === '00:00:00' || (last === dayAfter(first) && time < NIGHT_ENDS);
  return isNight ? dayAfter(last, -1) : last;
}

/** `2026-12-11` of an all-day event, else `2026-12-11T19:30:00+01:00`. */
export function machineTime(event: EventTimes, which: 'start' | 'end' = 'start'): string {
  const [wall, utc] =
    which === 'start' ? [event.start_date, event.utc_start_date] : [event.end_date, event.utc_end_date];
  return event.all_day === true ? dayOf(wall) : isoWithOffset(utc, event.timezone);
}

/** Returns the time of an event below the heading of its first day, or as one that began before. */
export function listTime(
  event: EventTimes,
  formats: Formats,
  words: TimeWords,
  at: { readonly siteZone: string; readonly isRunning?: boolean; readonly onDay?: Day; readonly withYears?: boolean },
): ShownTime {
  const text = listText(event, formats, words, at);
  return { text, datetime: machineTime(event), zone: foreignZone(event, at.siteZone) };
}

function listText(
  event: EventTimes,
  formats: Formats,
  words: TimeWords,
  { isRunning, onDay, withYears }: Parameters<typeof listTime>[3],
): string {
  const [first, last] = [firstDayOf(event), lastDayOf(event)];
  const shown = (day: Day) =>
    formats.date(day, withYears === true || day.slice(0, 4) !== first.slice(0, 4) ? 'dated' : 'short');
  if (onDay !== undefined && last > first)
    return words.dayOfDays(daysBetween(first, onDay) + 1, daysBetween(first, last) + 1);
  // A night is one day, also in the list of the day on which it ends (pages P3.2).
  if (isRunning === true && last === first)
    return [formats.date(first, 'brief'), ...(event.all_day === true ? [] : [timeSpan(event, formats)])].join(', ');
  if (isRunning === true)
    return [words.since(formats.date(first, 'brief')), words.until(formats.date(last, 'brief'))].join(', ');
  if (event.all_day === true) return last > first ? words.until(shown(last)) : words.allDay;
  if (last > first) return `${startTime(event, formats)}, ${words.until(`${shown(last)}, ${endTime(event, formats)}`)}`;
  return timeSpan(event, formats);
}

/** 19:30–01:00. One time if the event has no duration. */
function timeSpan(event: EventTimes, formats: Formats): string {
  const [start, end] = [startTime(event, formats), endTime(event, formats)];
  return event.utc_start_date === event.utc_end_date ? start : `${start}–${end}`;
}

function startTime(event: EventTimes, formats: Formats): string {
  return `${formats.time(event.start_date)}${marked(event, event.utc_start_date)}`;
}

function endTime(event: EventTimes, formats: Formats): string {
  return `${formats.time(event.end_date)}${marked(event, event.utc_end_date)}`;
}

/** Returns the abbreviation if both ends need it: the offset changes between them, or an hour comes twice (pages P3.4). */
function marked(event: EventTimes, utc: string): string {
  const { timezone: zone, utc_start_date: start, utc_end_date: end } = event;
  const isClear = offsetAt(start, zone) === offsetAt(end, zone) && !isTwice(start, zone) && !isTwice(end, zone);
  return isClear ? '' : ` ${timeZoneAbbreviation(zone, utc)}`;
}

/** Whether the wall time of an instant is that of another instant, too. */
function isTwice(utc: string, zone: string): boolean {
  const [before, after] = [-7200, 7200].map((seconds) => offsetAt(addSeconds(utc, seconds), zone));
  if (before === after) return false;
  const wall = toWall(utc, zone);
  return [-7200, -3600, -1800, 1800, 3600, 7200].some((seconds) => toWall(addSeconds(utc, seconds), zone) === wall);
}

/** Names the zone only where its offset differs from that of the site at the start (pages P3.1). */
function foreignZone(event: EventTimes, siteZone: string): ShownTime['zone'] {
  const { timezone: zone, utc_start_date: utc } = event;
  if (event.all_day === true || offsetAt(utc, zone) === offsetAt(utc, siteZone)) return undefined;
  return { abbreviation: timeZoneAbbreviation(zone, utc), name: zone };
}

/** The times of an event on its own page. */
export interface FullTimes {
  /** Friday 11 December 2026, or the range of days. */
  readonly days: string;
  /** 19:30–01:00; undefined for an all-day event. */
  readonly hours?: string;
  /** Whether the hours end on the next day. */
  readonly endsNextDay: boolean;
  /** The second line of an event over several days with times. */
  readonly until?: string;
  /** Central European Time (CET); undefined for an all-day event. */
  readonly zone?: string;
}

export function fullTimes(event: EventTimes, formats: Formats): FullTimes {
  const [first, last] = [firstDayOf(event), lastDayOf(event)];
  if (event.all_day === true) {
    return { days: last > first ? formats.range(first, last) : formats.date(first, 'full'), endsNextDay: false };
  }
  const zone = fullZone(event, formats);
  if (last > first) {
    const until = `${formats.date(dayOf(event.end_date), 'full')}, ${endTime(event, formats)}`;
    return { days: `${formats.date(first, 'full')}, ${startTime(event, formats)}`, until, endsNextDay: false, zone };
  }
  const endsNextDay = dayOf(event.end_date) > first;
  return { days: formats.date(first, 'full'), hours: timeSpan(event, formats), endsNextDay, zone };
}

function fullZone({ timezone: zone, utc_start_date: utc }: EventTimes, formats: Formats): string {
  const abbreviation = timeZoneAbbreviation(zone, utc);
  if (fixedOffset(zone) !== undefined) return zone;
  const name = formats.zoneName(zone, utc);
  return name === abbreviation ? name : `${name} (${abbreviation})`;
}
