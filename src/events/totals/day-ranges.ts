import { addDays } from '../../kernel/time/calendar-arithmetic.js';
import { allOf, anyOf, type SqlCondition, condition } from '../../kernel/sql-condition.js';
import { type Bound, withImplied } from '../../kernel/time/date-window.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import type { EventFilter } from '../filter/filter.js';

/** Consecutive start days of events, as `YYYY-MM-DD`. Both ends are included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

type Window = Pick<EventFilter, 'start' | 'end'>;
type Op = Bound['op'];

/** Returns the day of an instant as `YYYY-MM-DD` in UTC. */
export function dayOf(utc: UtcTime): string {
  return utc.slice(0, 10);
}

/** Whether a window starts and ends at midnight UTC. */
export function isAlignedToDays({ start, end }: Window): boolean {
  return [...start, ...end].every(isAtMidnight);
}

/** Returns the condition for days of which all events are in the window. */
export function wholeDays(window: Window): SqlCondition {
  return allOf(daysOf(window, (bound) => (isAtMidnight(bound) ? bound.op : STRICT[bound.op])));
}

/** Returns the condition for days of which some events may be in the window. */
export function possibleDays({ start, end }: Window): SqlCondition {
  return allOf(
    daysOf({ start: withImplied(start, end), end }, (bound) => (isAtMidnight(bound) ? bound.op : LAX[bound.op])),
  );
}

/** Returns the condition for events of a window that start in a range of days and that `wholeDays` excludes. */
export function onEdges({ start, end }: Window, { from, to }: DayRange): SqlCondition {
  // The range is within `possibleDays`, so that only bounds on its first and last day restrict it further.
  const lower = start.filter(({ op, utc }) => isLower(op) && dayOf(utc) === from);
  const upper = start.filter(({ op, utc }) => !isLower(op) && dayOf(utc) === to);
  const on = (column: string, { utc }: Bound) =>
    allOf([condition(`${column} >= ?`, firstSecond(dayOf(utc))), condition(`${column} <= ?`, lastSecond(dayOf(utc)))]);
  return allOf([
    ...limits('e.start_utc', lower.length > 0 ? lower : [{ op: '>=', utc: firstSecond(from) }]),
    ...limits('e.start_utc', upper.length > 0 ? upper : [{ op: '<=', utc: lastSecond(to) }]),
    ...limits('e.end_utc', end),
    anyOf([
      ...start.filter((bound) => !isAtMidnight(bound)).map((bound) => on('e.start_utc', bound)),
      ...end.filter((bound) => !isAtMidnight(bound)).map((bound) => on('e.end_utc', bound)),
    ]),
  ]);
}

/** Joins consecutive days to ranges. */
export function rangesOf(days: readonly string[]): DayRange[] {
  const ranges: { from: string; to: string }[] = [];
  for (const day of days.toSorted()) {
    const last = ranges.at(-1);
    if (last !== undefined && dayOf(addDays(firstSecond(last.to), 1)) === day) last.to = day;
    else ranges.push({ from: day, to: day });
  }
  return ranges;
}

/** Excludes the day of the bound. */
const STRICT: Record<Op, Op> = { '>=': '>', '>': '>', '<': '<', '<=': '<' };
/** Includes the day of the bound. */
const LAX: Record<Op, Op> = { '>=': '>=', '>': '>=', '<': '<=', '<=': '<=' };

/** Whether a bound separates two days, so that it includes all of a day or nothing. */
function isAtMidnight({ op, utc }: Bound): boolean {
  return (op === '>=' || op === '<') && utc === firstSecond(dayOf(utc));
}

function daysOf({ start, end }: Window, opOf: (bound: Bound) => Op): SqlCondition[] {
  const compare = (column: string) => (bound: Bound) => condition(`${column} ${opOf(bound)} ?`, dayOf(bound.utc));
  return [...start.map(compare('d.start_day')), ...end.map(compare('d.end_day'))];
}

function limits(column: string, bounds: readonly Bound[]): SqlCondition[] {
  return bounds.map(({ op, utc }) => condition(`${column} ${op} ?`, utc));
}

function isLower(op: Op): boolean {
  return op === '>=' || op === '>';
}

function firstSecond(day: string): UtcTime {
  return `${day} 00:00:00`;
}

function lastSecond(day: string): UtcTime {
  return `${day} 23:59:59`;
}
