import { dayAfter } from './formats.js';
import { monthGrid } from './grid.js';
import { type Spanned, weekOf } from './lanes.js';

const WEEK = Array.from({ length: 7 }, (_, place) => dayAfter('2026-12-07', place));
const event = (id: number, firstDay: string, lastDay = firstDay): Spanned => ({ id, firstDay, lastDay });

/** Returns the week as lanes: the id of an event from its first to its last day, dots where a lane is free. */
function drawn(events: readonly Spanned[], days = WEEK): string[] {
  const { cells } = weekOf(days, events);
  const lanes = Array.from({ length: 4 }, () => days.map(() => '.'));
  for (const [place, bars] of cells.entries()) {
    for (const [lane, bar] of bars.entries()) {
      if (bar === undefined) continue;
      for (let at = place; at < place + bar.length; at += 1) {
        // No bar covers another one.
        expect(lanes[lane]![at]).toBe('.');
        lanes[lane]![at] = String(bar.event.id);
      }
    }
  }
  return lanes.map((lane) => lane.join('')).filter((lane) => /\d/.test(lane));
}

describe('weekOf: an event in the first lane that is free on all of its days (pages P4.3)', () => {
  test('events of several days come first and keep their lane over the week', () => {
    const events = [
      event(1, '2026-12-07'),
      event(2, '2026-12-07', '2026-12-09'),
      event(3, '2026-12-09', '2026-12-10'),
      event(4, '2026-12-10'),
    ];
    expect(drawn(events)).toEqual(['2224...', '1.33...']);
  });

  test('an event of three weeks is one bar a week, with marks where it is cut', () => {
    const long = event(1, '2026-12-03', '2026-12-16');
    const bars = monthGrid('2026-12', 1).weeks.flatMap((days) => weekOf(days, [long]).cells.flat());
    expect(bars.map((bar) => [bar!.from, bar!.length, bar!.isContinued, bar!.goesOn])).toEqual([
      [3, 4, false, true],
      [0, 7, true, true],
      [0, 3, true, false],
    ]);
  });

  test('a day shows four events; the rest is counted, on each of their days', () => {
    const seven = [1, 2, 3, 4, 5, 6].map((id) => event(id, '2026-12-08'));
    const { more, counts, covered } = weekOf(WEEK, [event(7, '2026-12-07', '2026-12-13'), ...seven]);
    expect(more).toEqual([0, 3, 0, 0, 0, 0, 0]);
    expect(counts).toEqual([1, 7, 1, 1, 1, 1, 1]);
    expect(covered.map((events) => events.map(({ id }) => id))).toEqual([[], [7], [7], [7], [7], [7], [7]]);
  });

  test('an event of several days without a lane is counted on each of them', () => {
    const long = [1, 2, 3, 4, 5].map((id) => event(id, '2026-12-08', '2026-12-09'));
    expect(weekOf(WEEK, long).more).toEqual([0, 1, 1, 0, 0, 0, 0]);
  });

  test('of a thousand random weeks no bar covers another, and each day has all of its events', () => {
    let state = 20261123;
    const random = (below: number) => (state = (state * 1103515245 + 12345) % 2 ** 31) % below;
    for (let round = 0; round < 1000; round += 1) {
      const events = Array.from({ length: random(15) }, (_, id) => {
        const first = dayAfter('2026-12-04', random(12));
        return event(id, first, dayAfter(first, random(3) === 0 ? random(9) : 0));
      }).toSorted((a, b) => (a.firstDay < b.firstDay ? -1 : a.firstDay > b.firstDay ? 1 : a.id - b.id));
      drawn(events);
      const week = weekOf(WEEK, events);
      for (const [place, day] of WEEK.entries()) {
        const here = events.filter(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay);
        const begins = week.cells[place]!.filter((bar) => bar !== undefined).length;
        expect(begins + week.covered[place]!.length + week.more[place]!).toBe(here.length);
        expect(week.counts[place]).toBe(here.length);
      }
    }
  });
});
