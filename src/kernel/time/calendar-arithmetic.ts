import { dateDetails, startOfDay, startOfDayUtc, toWall, type UtcTime, type WallTime } from './calendar-time.js';
import { daysInMonth, daysSinceEpoch, fromSeconds, toSeconds } from './epoch-seconds.js';

/** Seconds later (or earlier) on a clock that is never changed. */
export function addSeconds(time: UtcTime, seconds: number): string {
  return fromSeconds(toSeconds(time) + seconds);
}

/** The same time of day, days later or earlier. */
export function addDays(wall: WallTime, days: number): WallTime {
  return addSeconds(wall, days * 86_400);
}

/** The same day and time of day, months later or earlier, clamped to the month's last day (contract section 2.3). */
export function addMonths(wall: WallTime, months: number): WallTime {
  const { year, month, day } = dateDetails(wall);
  const count = Number(year) * 12 + Number(month) - 1 + months;
  const [newYear, newMonth] = [Math.floor(count / 12), (((count % 12) + 12) % 12) + 1];
  const newDay = Math.min(Number(day), daysInMonth(newYear, newMonth));
  const timeOfDay = toSeconds(wall) - toSeconds(startOfDay(wall));
  return fromSeconds(daysSinceEpoch(newYear, newMonth, newDay) * 86_400 + timeOfDay);
}

/** When the next day of a zone begins. */
export function nextMidnight(nowUtc: UtcTime, zone: string): UtcTime {
  return startOfDayUtc(addDays(toWall(nowUtc, zone), 1), zone);
}

/** 0 for Sunday … 6 for Saturday. */
export function weekday(wall: WallTime): number {
  const days = Math.floor(toSeconds(wall) / 86_400);
  return (((days + 4) % 7) + 7) % 7;
}
