import type { Day } from './formats.js';

/** How many bars a day of the month shows one below the other. */
const MAX_LANES = 4;

/** An event with the days it covers. */
export interface Spanned {
  readonly id: number;
  readonly firstDay: Day;
  readonly lastDay: Day;
}

/** One event within one week. */
export interface Bar<Event extends Spanned> {
  readonly event: Event;
  /** 0 to 6: the place of its first day in the week. */
  readonly from: number;
  /** In days of this week. */
  readonly length: number;
  /** Whether it began in an earlier week, or goes on in a later one. */
  readonly isContinued: boolean;
  readonly goesOn: boolean;
}

export interface Week<Event extends Spanned> {
  readonly days: readonly Day[];
  /** Bars by day and lane. undefined: an empty lane, or a day within a bar that began earlier in the week. */
  readonly cells: readonly (readonly (Bar<Event> | undefined)[])[];
  /** The events that a bar covers on a day without beginning there, by day. */
  readonly covered: readonly (readonly Event[])[];
  /** How many events a day has beyond its lanes. */
  readonly more: readonly number[];
  /** How many events a day has. */
  readonly counts: readonly number[];
}

/**
 * Puts the events of a week into lanes: events of several days first, then by their order; each in the first lane that is
 * free on all of its days (pages P4.3). `events`: in order of start.
 */
export function weekOf<Event extends Spanned>(days: readonly Day[], events: readonly Event[]): Week<Event> {
  const [first, last] = [days[0]!, days[days.length - 1]!];
  const bars = events
    .filter(({ firstDay, lastDay }) => firstDay <= last && lastDay >= first)
    .map((event) => barOf(event, days));
  const ordered = [...bars.filter(isLong), ...bars.filter((bar) => !isLong(bar))];
  const lanes: (Bar<Event> | undefined)[][] = Array.from({ length: MAX_LANES }, () => days.map(() => undefined));
  const more = days.map(() => 0);
  for (const bar of ordered) {
    const places = placesOf(bar);
    const lane = lanes.find((taken) => places.every((place) => taken[place] === undefined));
    for (const place of places) {
      if (lane === undefined) more[place]! += 1;
      else lane[place] = bar;
    }
  }
  const begins = (bar: Bar<Event> | undefined, place: number) => bar?.from === place;
  return {
    days,
    cells: days.map((_, place) =>
      withoutEnd(lanes.map((lane) => (begins(lane[place], place) ? lane[place] : undefined))),
    ),
    covered: days.map((_, place) =>
      lanes.flatMap((lane) => (lane[place] !== undefined && !begins(lane[place], place) ? [lane[place].event] : [])),
    ),
    more,
    counts: days.map((_, place) => bars.filter((bar) => placesOf(bar).includes(place)).length),
  };
}

function barOf<Event extends Spanned>(event: Event, days: readonly Day[]): Bar<Event> {
  const from = Math.max(0, days.indexOf(event.firstDay));
  const end = days.indexOf(event.lastDay);
  return {
    event,
    from,
    length: (end < 0 ? days.length - 1 : end) - from + 1,
    isContinued: event.firstDay < days[0]!,
    goesOn: event.lastDay > days[days.length - 1]!,
  };
}

function isLong({ event }: Bar<Spanned>): boolean {
  return event.lastDay > event.firstDay;
}

function placesOf({ from, length }: Bar<Spanned>): number[] {
  return Array.from({ length }, (_, index) => from + index);
}

/** Drops empty lanes below the last bar. */
function withoutEnd<Item>(items: readonly (Item | undefined)[]): (Item | undefined)[] {
  return items.slice(0, items.findLastIndex((item) => item !== undefined) + 1);
}
