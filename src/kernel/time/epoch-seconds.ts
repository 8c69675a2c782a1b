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
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  return new Date(0).setUTCFullYear(year, month - 1, day) / 86_400_000;
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
