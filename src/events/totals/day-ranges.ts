import { addDays } from '../../kernel/time/calendar-arithmetic.js';
import { allOf, anyOf, type SqlCondition, condition } from '../../kernel/sql-condition.js';
import { type Bound, withImplied } from '../../kernel/time/date-window.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import type { EventFilter } from '../filter/filter.js';

/** Days on which events start, as `YYYY-MM-DD`, both ends included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

type Window = Pick<EventFilter, 'start' | 'end'>;
type Op = Bound['op'];

/** The day of an instant in UTC: `YYYY-MM-DD`. */
export function dayOf(utc: UtcTime): string {
  return utc.slice(0, 10);
}

/** Whether a window begins and ends between two days. */
export function isOfWholeDays({ start, end }: Window): boolean {
  return [...start, ...end].every(isComplete);
}

/** Days all events of which keep to a window. */
export function wholeDays(window: Window): SqlCondition {
  return allOf(daysOf(window, (bound) => (isComplete(bound) ? bound.op : STRICT[bound.op])));
}

/** Days some events of which may keep to it. */
export function possibleDays({ start, end }: Window): SqlCondition {
  return allOf(
    daysOf({ start: withImplied(start, end), end }, (bound) => (isComplete(bound) ? bound.op : LAX[bound.op])),
  );
}

/** The events of a window that start on days of a range and lie on days that are not whole. */
export function onEdges({ start, end }: Window, { from, to }: DayRange): SqlCondition {
  // Days before and after are left out already: of the bounds of the window those of these days count.
  const lower = start.filter(({ op, utc }) => isLower(op) && dayOf(utc) === from);
  const upper = start.filter(({ op, utc }) => !isLower(op) && dayOf(utc) === to);
  const on = (column: string, { utc }: Bound) =>
    allOf([condition(`${column} >= ?`, firstOf(dayOf(utc))), condition(`${column} <= ?`, lastOf(dayOf(utc)))]);
  return allOf([
    ...limits('e.start_utc', lower.length > 0 ? lower : [{ op: '>=', utc: firstOf(from) }]),
    ...limits('e.start_utc', upper.length > 0 ? upper : [{ op: '<=', utc: lastOf(to) }]),
    ...limits('e.end_utc', end),
    anyOf([
      ...start.filter((bound) => !isComplete(bound)).map((bound) => on('e.start_utc', bound)),
      ...end.filter((bound) => !isComplete(bound)).map((bound) => on('e.end_utc', bound)),
    ]),
  ]);
}

/** Days put together where they follow each other. */
export function rangesOf(days: readonly string[]): DayRange[] {
  const ranges: { from: string; to: string }[] = [];
  for (const day of days.toSorted()) {
    const last = ranges.at(-1);
    if (last !== undefined && dayOf(addDays(firstOf(last.to), 1)) === day) last.to = day;
    else ranges.push({ from: day, to: day });
  }
  return ranges;
}

const STRICT: Record<Op, Op> = { '>=': '>', '>': '>', '<': '<', '<=': '<' };
const LAX: Record<Op, Op> = { '>=': '>=', '>': '>=', '<': '<=', '<=': '<=' };

/** Whether a bound lies between two days. */
function isComplete({ op, utc }: Bound): boolean {
  return (op === '>=' || op === '<') && utc === firstOf(dayOf(utc));
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

function firstOf(day: string): UtcTime {
  return `${day} 00:00:00`;
}

function lastOf(day: string): UtcTime {
  return `${day} 23:59:59`;
}
