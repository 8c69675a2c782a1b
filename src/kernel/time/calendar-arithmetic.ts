import { dateDetails, startOfDay, startOfDayUtc, toWall, type UtcTime, type WallTime } from './calendar-time.js';
import { daysInMonth, daysSinceEpoch, fromSeconds, toSeconds } from './epoch-seconds.js';

/** Adds seconds, negative ones too. UTC has no gaps or overlaps. */
export function addSeconds(time: UtcTime, seconds: number): string {
  return fromSeconds(toSeconds(time) + seconds);
}

/** Adds days, negative ones too, and keeps the time of day. */
export function addDays(wall: WallTime, days: number): WallTime {
  return addSeconds(wall, days * 86_400);
}

/** Adds months, negative ones too, and keeps the time of day. The day is at most the month's last (contract section 2.3). */
export function addMonths(wall: WallTime, months: number): WallTime {
  const { year, month, day } = dateDetails(wall);
  const count = Number(year) * 12 + Number(month) - 1 + months;
  const [newYear, newMonth] = [Math.floor(count / 12), (((count % 12) + 12) % 12) + 1];
  const newDay = Math.min(Number(day), daysInMonth(newYear, newMonth));
  const timeOfDay = toSeconds(wall) - toSeconds(startOfDay(wall));
  return fromSeconds(daysSinceEpoch(newYear, newMonth, newDay) * 86_400 + timeOfDay);
}

/** Returns the instant at which the next day of a zone begins. */
export function nextMidnight(nowUtc: UtcTime, zone: string): UtcTime {
  return startOfDayUtc(addDays(toWall(nowUtc, zone), 1), zone);
}

/** Returns 0 for Sunday … 6 for Saturday. */
export function weekday(wall: WallTime): number {
  const days = Math.floor(toSeconds(wall) / 86_400);
  return (((days + 4) % 7) + 7) % 7;
}
