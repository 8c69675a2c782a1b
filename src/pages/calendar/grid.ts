import { type Day, dayAfter, daysBetween, weekdayOf } from './formats.js';

/** The weeks of a month, whole, with days of its neighbours. */
export interface MonthGrid {
  /** `YYYY-MM` */
  readonly month: string;
  readonly weeks: readonly (readonly Day[])[];
  readonly firstDay: Day;
  readonly lastDay: Day;
}

/** `firstWeekday`: 0 for Sunday … 6 for Saturday. Days are those of the proleptic Gregorian calendar. */
export function monthGrid(month: string, firstWeekday: number): MonthGrid {
  const first = `${month}-01`;
  const before = (weekdayOf(first) - firstWeekday + 7) % 7;
  const start = dayAfter(first, -before);
  const count = Math.ceil((before + daysIn(month)) / 7);
  const weeks = Array.from({ length: count }, (_, week) =>
    Array.from({ length: 7 }, (_day, place) => dayAt(start, week * 7 + place)),
  );
  const days = weeks.flat().filter((day) => !isBeyond(day));
  return { month, weeks, firstDay: start, lastDay: days[days.length - 1]! };
}

/** Whether a cell of the grid comes after the last day of the year 9999. */
export function isBeyond(day: Day): boolean {
  return day.startsWith(BEYOND);
}

/** Sorts after every day. */
const BEYOND = '~';
const LAST_DAY = '9999-12-31';

function dayAt(start: Day, count: number): Day {
  const left = daysBetween(start, LAST_DAY);
  return count > left ? `${BEYOND}${count - left}` : dayAfter(start, count);
}

/** Returns a month some months later, `YYYY-MM`. Call `isMonth` on the result: there are none before 1000 and after 9999. */
export function monthAfter(month: string, count = 1): string {
  const months = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + count;
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((((months % 12) + 12) % 12) + 1).padStart(2, '0')}`;
}

/** Whether a text is a month of the years 1000 to 9999. */
export function isMonth(text: string): boolean {
  return /^[1-9]\d{3}-(0[1-9]|1[0-2])$/.test(text);
}

/** Whether a text is a day of the years 1000 to 9999 that exists. */
export function isDay(text: string): boolean {
  if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return false;
  return isMonth(text.slice(0, 7)) && Number(text.slice(8)) >= 1 && Number(text.slice(8)) <= daysIn(text.slice(0, 7));
}

function daysIn(month: string): number {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5, 7))];
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}
