import { addDays, addMonths, addSeconds, weekday } from './calendar-arithmetic.js';
import { isWallTimeInRange, toUtc, toWall, type UtcTime, type WallTime } from './calendar-time.js';
import type { Reading } from './date-input.forms.js';
import { readTime } from './date-input.time.js';

const DAY_WORDS: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 };
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const SECONDS: Record<string, number> = { second: 1, minute: 60, hour: 3600 };
const DAYS: Record<string, number> = { day: 1, week: 7 };
const MONTHS: Record<string, number> = { month: 1, year: 12 };

const STEP = /([+-]?\d{1,9}) ?(second|minute|hour|day|week|month|year)s?(?: |$|(?=[+-]))/gy;

/** Reads the words, relative and weekday forms of contract section 2.3 as of now in the zone; trimmed lower case text. */
export function readSpokenForm(text: string, zone: string, nowUtc: UtcTime): Reading | undefined {
  if (text === 'now') return { utc: nowUtc };
  const now = toWall(nowUtc, zone);
  if (text === 'midnight' || text === 'noon') return onDay(now, text);
  return readDayWord(text, now) ?? readWeekday(text, now) ?? readRelative(asSteps(text), zone, nowUtc);
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
  // Strictly after or before today: a week away when today is that weekday.
  return onDay(addDays(now, match[1] === 'next' ? ahead || 7 : ahead - 7), match[3]);
}

/** `next month` as the relative form it stands for, `1 month`. */
function asSteps(text: string): string {
  const match = /^(next|last) (week|month|year)$/.exec(text);
  return match ? `${match[1] === 'next' ? 1 : -1} ${match[2]}` : text;
}

function readRelative(text: string, zone: string, nowUtc: UtcTime): Reading | undefined {
  const steps = [...text.matchAll(STEP)];
  if (steps.length === 0 || steps.map(([step]) => step).join('') !== text) return undefined;
  const now = toWall(nowUtc, zone);
  let [wall, seconds] = [now, 0];
  for (const [, amount, unit = ''] of steps) {
    seconds += Number(amount) * (SECONDS[unit] ?? 0);
    wall = moved(wall, Number(amount), unit);
    if (!isWallTimeInRange(wall)) return { wall };
  }
  // Days and longer keep the time of day; hours and shorter pass as on a stop watch, through any change of clocks.
  if (wall !== now && seconds === 0) return { wall };
  return { utc: addSeconds(wall === now ? nowUtc : toUtc(wall, zone), seconds) };
}

function moved(wall: WallTime, amount: number, unit: string): WallTime {
  if (unit in DAYS) return addDays(wall, amount * (DAYS[unit] ?? 0));
  return unit in MONTHS ? addMonths(wall, amount * (MONTHS[unit] ?? 0)) : wall;
}

function onDay(wall: WallTime, time = 'midnight'): Reading | undefined {
  const read = readTime(time);
  return read === undefined ? undefined : { wall: `${wall.slice(0, -9)} ${read}` };
}
