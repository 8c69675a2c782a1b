import { padded } from './epoch-seconds.js';

const CLOCK = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
const TWELVE_HOURS = /^(0?[1-9]|1[0-2])(?::([0-5]\d))? ?([ap])m$/;

/** TIME of contract section 2.3, lower case (`17:00`, `9:30 pm`, `noon`), as `HH:MM:SS`; undefined = refused. */
export function readTime(text: string): string | undefined {
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
