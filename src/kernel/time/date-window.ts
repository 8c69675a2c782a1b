import { addDays, addMonths, addSeconds } from './calendar-arithmetic.js';
import {
  FIRST_SECOND,
  isWallTimeInRange,
  LAST_SECOND,
  offsetAt,
  startOfDay,
  startOfDayUtc,
  toUtc,
  toWall,
  type UtcTime,
  type WallTime,
} from './calendar-time.js';
import { toSeconds } from './epoch-seconds.js';
import { offsetSeconds } from './utc-offset.js';

export type DateParam = 'start_date' | 'end_date' | 'starts_before' | 'starts_after' | 'ends_before' | 'ends_after';

/** A comparison of an event's start or end instant with `utc`. */
export interface Bound {
  op: '>=' | '>' | '<' | '<=';
  utc: UtcTime;
}

/** Adds bounds of the start that follow from those of the end, because no event starts after its end. Indexes need them. */
export function withImplied(start: readonly Bound[], end: readonly Bound[]): readonly Bound[] {
  return [...start, ...end.filter(({ op }) => op === '<' || op === '<=')];
}

export interface DateWindow {
  start: Bound[];
  end: Bound[];
  /** The dates of rest_url, in the order of contract section 9.2. */
  effective: Partial<Record<DateParam, string>>;
}

export interface WindowOptions {
  /** Compare exact times instead of whole days. */
  strict: boolean;
  /** `include` is given, so no date restricts the list. */
  ignoreDates: boolean;
  siteZone: string;
  nowUtc: UtcTime;
  /** How many days before today the default window begins. */
  pastDays: number;
}

/** A date parameter, parsed in the site zone. */
interface SiteDate {
  utc: UtcTime;
  wall: WallTime;
}

type GivenDates = Partial<Record<DateParam, SiteDate>>;

interface Rule {
  side: 'start' | 'end';
  /** Whole days are compared with the start of the day itself or of the next day. */
  from: 'day' | 'nextDay';
  whole: Bound['op'];
  strict: Bound['op'];
}

/** The table of contract section 10.2, in the order of section 9.2. */
const RULES: Record<DateParam, Rule> = {
  start_date: { side: 'start', from: 'day', whole: '>=', strict: '>=' },
  end_date: { side: 'end', from: 'nextDay', whole: '<', strict: '<=' },
  starts_before: { side: 'start', from: 'nextDay', whole: '<', strict: '<' },
  starts_after: { side: 'start', from: 'nextDay', whole: '>=', strict: '>' },
  ends_before: { side: 'end', from: 'nextDay', whole: '<', strict: '<' },
  ends_after: { side: 'end', from: 'nextDay', whole: '>=', strict: '>' },
};

interface Limit extends Bound {
  /** The instant that a link shows: the first or last one within the bound, or the given one. */
  shown: UtcTime;
}

/** Returns the date bounds of an event list, and the dates of its links (contract sections 9.2 and 10.2). */
export function dateWindow(given: GivenDates, options: WindowOptions): DateWindow {
  const window: DateWindow = { start: [], end: [], effective: {} };
  const defaults = defaultDays(given, options);
  for (const param of Object.keys(RULES) as DateParam[]) {
    const limit = limitOf(RULES[param], given[param], defaults[param], options);
    if (!limit) continue;
    if (!options.ignoreDates) window[RULES[param].side].push(clampToYears(limit));
    window.effective[param] = siteTime(limit.shown, options.siteZone);
  }
  return window;
}

/** Returns the default days that apply: some days before today and the day 24 months ahead. */
function defaultDays(given: GivenDates, options: WindowOptions): Partial<Record<DateParam, WallTime>> {
  // contract EV-LIST-12, EV-LIST-31: these dates and `include` drop both defaults.
  const drop = given.starts_before ?? given.starts_after ?? given.ends_before ?? given.ends_after;
  if (drop || options.ignoreDates) return {};
  const now = toWall(options.nowUtc, options.siteZone);
  return { start_date: addDays(now, -options.pastDays), end_date: addMonths(now, 24) };
}

function limitOf(rule: Rule, date: SiteDate | undefined, byDefault: WallTime | undefined, options: WindowOptions) {
  if (date && options.strict) return { op: rule.strict, utc: date.utc, shown: date.utc };
  // The defaults are whole days, even with `strict`.
  const wall = date?.wall ?? byDefault;
  if (wall === undefined) return undefined;
  const limit = wholeDays(rule, wall, options.siteZone);
  // contract 2.3: the first and the last second are shown as they are, not as whole days.
  return wall === FIRST_SECOND || wall === LAST_SECOND ? { ...limit, shown: wall } : limit;
}

function wholeDays(rule: Rule, wall: WallTime, siteZone: string): Limit {
  const utc = dayStart(rule.from === 'day' ? wall : addDays(wall, 1), siteZone);
  return { op: rule.whole, utc, shown: rule.from === 'day' ? utc : addSeconds(utc, -1) };
}

/** Returns the start of a day. The first and the last day end at the valid years in every zone (contract EV-LIST-44). */
function dayStart(wall: WallTime, siteZone: string): UtcTime {
  const midnight = startOfDay(wall);
  return midnight === FIRST_SECOND || !isWallTimeInRange(midnight) ? midnight : startOfDayUtc(wall, siteZone);
}

/** Returns an equivalent bound within the years that databases compare (1000 to 9999). */
function clampToYears({ op, utc }: Bound): Bound {
  if (isWallTimeInRange(utc)) return { op, utc };
  if (utc < FIRST_SECOND) return { op, utc: FIRST_SECOND };
  return op === '<' ? { op: '<=', utc: LAST_SECOND } : { op: '>', utc: LAST_SECOND };
}

/** Returns an instant in site wall time, with its offset where the wall time occurs twice, so that it parses back. */
function siteTime(instant: UtcTime, siteZone: string): string {
  if (instant <= FIRST_SECOND) return FIRST_SECOND;
  if (instant >= LAST_SECOND) return LAST_SECOND;
  const wall = toWall(instant, siteZone);
  if (toUtc(wall, siteZone) === instant) return wall;
  // Old offsets with seconds cannot be written in a date value.
  const isNameable = offsetSeconds(siteZone, toSeconds(instant)) % 60 === 0;
  return isNameable ? wall + offsetAt(instant, siteZone) : `${instant}Z`;
}
