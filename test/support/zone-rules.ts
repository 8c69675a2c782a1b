import ICAL from 'ical.js';
import { toWall } from '../../src/kernel/time/calendar-time.js';
import { fromSeconds, toSeconds } from '../../src/kernel/time/epoch-seconds.js';
import { startOfYear, zoneChanges } from '../../src/kernel/time/zone-changes.js';

const STEP = 40 * 86_400;

/** Returns the UTC times in two years, inclusive, for which ical.js reads another offset from a VTIMEZONE than ours. */
export function wrongOffsets(component: string, zone: string, firstYear: number, lastYear: number): string[] {
  const read = new ICAL.Timezone(new ICAL.Component(ICAL.parse(component) as unknown[]));
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index);
  const changes = years.flatMap((year) => zoneChanges(zone, year));
  const instants = changes.flatMap(({ at }) => [at - 90_000, at - 1, at, at + 90_000]);
  for (let at = startOfYear(firstYear); at < startOfYear(lastYear + 1); at += STEP) instants.push(at);
  // A wall time that occurs twice means its first occurrence, but ical.js takes the second one.
  const occursTwice = (seconds: number) =>
    changes.some(({ at, from, to }) => seconds >= at - (from - to) && seconds < at + (from - to));
  return instants
    .filter((at) => at >= startOfYear(firstYear) && at < startOfYear(lastYear + 1) && !occursTwice(at))
    .map(fromSeconds)
    .filter((utc) => {
      const wall = toWall(utc, zone);
      const [year, month, day, hour, minute, second] = wall.split(/[-: ]/).map(Number);
      const time = ICAL.Time.fromData({ year, month, day, hour, minute, second });
      return toSeconds(wall) - read.utcOffset(time) !== toSeconds(utc);
    });
}
