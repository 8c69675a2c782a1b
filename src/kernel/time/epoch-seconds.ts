const MARCH = 3;
/** From the last day of February of the year 0 to 1970-01-01. */
const DAYS_UNTIL_EPOCH = 719_469;

/** Returns the seconds since 1970 of a time `YYYY-MM-DD HH:MM:SS` in UTC. Does not check that the time exists. */
export function toSeconds(time: string): number {
  // The first instant after the last day has a year of five digits, which shifts the other parts.
  const shift = time.length - 19;
  const days = daysSinceEpoch(Number(time.slice(0, 4 + shift)), twoDigits(time, 5 + shift), twoDigits(time, 8 + shift));
  const hours = twoDigits(time, 11 + shift);
  return days * 86_400 + hours * 3600 + twoDigits(time, 14 + shift) * 60 + twoDigits(time, 17 + shift);
}

/** The inverse of `toSeconds`: returns `YYYY-MM-DD HH:MM:SS` in UTC. */
export function fromSeconds(seconds: number): string {
  const date = new Date(seconds * 1000);
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  const day = `${year}-${padded(date.getUTCMonth() + 1)}-${padded(date.getUTCDate())}`;
  return `${day} ${padded(date.getUTCHours())}:${padded(date.getUTCMinutes())}:${padded(date.getUTCSeconds())}`;
}

/** Returns the days from 1970-01-01 to a Gregorian date. A month above 12 or a day beyond its month carries over. */
export function daysSinceEpoch(year: number, month: number, day: number): number {
  // Years from March on, so that the leap day is the last one.
  const months = year * 12 + month - MARCH;
  const years = Math.floor(months / 12);
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  // Five months from March or from August on have 153 days.
  const daysOfMonths = Math.floor(((months - years * 12) * 153 + 2) / 5);
  return years * 365 + leapDays + daysOfMonths + day - DAYS_UNTIL_EPOCH;
}

/** Returns the number of days of a month (1 to 12). */
export function daysInMonth(year: number, month: number): number {
  return daysSinceEpoch(year, month + 1, 1) - daysSinceEpoch(year, month, 1);
}

/** Returns a number with at least two digits, `07`. */
export function padded(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}

function twoDigits(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;
}
