import { addDays, addMonths, addSeconds } from './calendar-arithmetic.js';
import { isWallTimeInRange, offsetAt, startOfDayUtc, toUtc, toWall } from './calendar-time.js';
import type { UtcTime, WallTime } from './calendar-time.js';
import { toSeconds } from './epoch-seconds.js';
import { offsetSeconds } from './zone-offset.js';

export type DateParam = 'start_date' | 'end_date' | 'starts_before' | 'starts_after' | 'ends_before' | 'ends_after';

/** A comparison of an event's start or end instant with `utc`. */
export interface Bound {
  op: '>=' | '>' | '<' | '<=';
  utc: UtcTime;
}

/** The bounds of the start, and those that follow from the end's: nothing starts after it ends. Indexes know the start. */
export function withImplied(start: readonly Bound[], end: readonly Bound[]): readonly Bound[] {
  return [...start, ...end.filter(({ op }) => op === '<' || op === '<=')];
}

export interface DateWindow {
  start: Bound[];
  end: Bound[];
  /** What rest_url shows, in the order of contract section 9.2. */
  effective: Partial<Record<DateParam, string>>;
}

export interface WindowOptions {
  /** Exact times instead of whole days. */
  strict: boolean;
  /** `include` is given: no date restricts the list. */
  ignoreDates: boolean;
  siteZone: string;
  nowUtc: UtcTime;
}

/** A date parameter as read in the site zone. */
interface SiteDate {
  utc: UtcTime;
  wall: WallTime;
}

type GivenDates = Partial<Record<DateParam, SiteDate>>;

interface Rule {
  side: 'start' | 'end';
  /** Whole days are compared with the begin of the day itself or of the next one. */
  from: 'day' | 'nextDay';
  whole: Bound['op'];
  strict: Bound['op'];
}

/** The table of contract section 10.2, in the order of keys of section 9.2. */
const RULES: Record<DateParam, Rule> = {
  start_date: { side: 'start', from: 'day', whole: '>=', strict: '>=' },
  end_date: { side: 'end', from: 'nextDay', whole: '<', strict: '<=' },
  starts_before: { side: 'start', from: 'nextDay', whole: '<', strict: '<' },
  starts_after: { side: 'start', from: 'nextDay', whole: '>=', strict: '>' },
  ends_before: { side: 'end', from: 'nextDay', whole: '<', strict: '<' },
  ends_after: { side: 'end', from: 'nextDay', whole: '>=', strict: '>' },
};

interface Limit extends Bound {
  /** The instant a link names for it: the first or the last one that counts in, or the one given. */
  shown: UtcTime;
}

const FIRST = '1000-01-01 00:00:00';
const LAST = '9999-12-31 23:59:59';

/** The bounds a list of events keeps to, and the dates its links show (contract sections 9.2 and 10.2). */
export function dateWindow(given: GivenDates, options: WindowOptions): DateWindow {
  const window: DateWindow = { start: [], end: [], effective: {} };
  const defaults = defaultDays(given, options);
  for (const param of Object.keys(RULES) as DateParam[]) {
    const limit = limitOf(RULES[param], given[param], defaults[param], options);
    if (!limit) continue;
    if (!options.ignoreDates) window[RULES[param].side].push(comparable(limit));
    window.effective[param] = siteTime(limit.shown, options.siteZone);
  }
  return window;
}

/** Yesterday and the day 24 months ahead, as far as they apply. */
function defaultDays(given: GivenDates, options: WindowOptions): Partial<Record<DateParam, WallTime>> {
  // contract EV-LIST-12, EV-LIST-31: these dates and `include` drop both defaults.
  const drop = given.starts_before ?? given.starts_after ?? given.ends_before ?? given.ends_after;
  if (drop || options.ignoreDates) return {};
  const now = toWall(options.nowUtc, options.siteZone);
  return { start_date: addDays(now, -1), end_date: addMonths(now, 24) };
}

function limitOf(rule: Rule, date: SiteDate | undefined, byDefault: WallTime | undefined, options: WindowOptions) {
  if (date && options.strict) return { op: rule.strict, utc: date.utc, shown: date.utc };
  // A default is made of whole days even when the given dates are exact.
  const wall = date?.wall ?? byDefault;
  return wall === undefined ? undefined : wholeDays(rule, wall, options.siteZone);
}

function wholeDays(rule: Rule, wall: WallTime, siteZone: string): Limit {
  const utc = startOfDayUtc(rule.from === 'day' ? wall : addDays(wall, 1), siteZone);
  return { op: rule.whole, utc, shown: rule.from === 'day' ? utc : addSeconds(utc, -1) };
}

/** The bound within the years a database compares (1000 to 9999), equal in effect. */
function comparable({ op, utc }: Bound): Bound {
  if (isWallTimeInRange(utc)) return { op, utc };
  if (utc < FIRST) return { op, utc: FIRST };
  return op === '<' ? { op: '<=', utc: LAST } : { op: '>', utc: LAST };
}

/** An instant in site wall time, readable back as the same instant: an hour's second occurrence names its offset. */
function siteTime(instant: UtcTime, siteZone: string): string {
  const { utc } = comparable({ op: '>=', utc: instant });
  const wall = toWall(utc, siteZone);
  if (toUtc(wall, siteZone) === utc) return wall;
  // Offsets of old local mean times have seconds, which no date value can name.
  const isNameable = offsetSeconds(siteZone, toSeconds(utc)) % 60 === 0;
  return isNameable ? wall + offsetAt(utc, siteZone) : `${utc}Z`;
}
