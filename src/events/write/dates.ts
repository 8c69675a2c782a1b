import {
  endOfDay,
  isWallTimeInRange,
  startOfDay,
  toUtc,
  toWall,
  type UtcTime,
  type WallTime,
} from '../../kernel/time/calendar-time.js';
import type { ParsedDate } from '../../kernel/time/date-input.js';
import { Problems } from '../../errors/problems.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { readDate } from '../../posts/post.publication.js';
import type { EventDto } from '../event.dto.js';
import type { EventRow } from '../event.entity.js';

/** The dates of an event: instants in UTC, and wall times in its zone. */
export type Schedule = Pick<EventRow, 'timezone' | 'all_day' | 'start_local' | 'end_local' | 'start_utc' | 'end_utc'>;

type Moment = { readonly wall: WallTime; readonly utc: UtcTime };

/** Reads zone, dates and all_day of a write, with stored values as defaults. undefined: a date is missing or invalid. */
export function readSchedule(
  dto: EventDto,
  stored: EventRow | undefined,
  context: RequestContext,
  problems: Problems,
): Schedule | undefined {
  const timezone =
    dto.timezone === null ? context.site.timeZone : (dto.timezone ?? stored?.timezone ?? context.site.timeZone);
  const isSameZone = stored !== undefined && timezone === stored.timezone;
  const storedMoment = (at: 'start' | 'end') =>
    stored === undefined
      ? undefined
      : momentOf(stored[`${at}_local`], isSameZone ? stored[`${at}_utc`] : undefined, timezone);
  const read = (name: 'start_date' | 'end_date', known: Moment | undefined) => {
    const parsed = readDate(name, dto[name], timezone, context, problems);
    return parsed === undefined ? known : keepInstant(parsed, isSameZone ? known : undefined);
  };
  const start = read('start_date', storedMoment('start'));
  const end = read('end_date', storedMoment('end'));
  if (start === undefined || end === undefined) return undefined;
  const allDay = dto.all_day === undefined ? stored?.all_day === 1 : dto.all_day === true;
  const schedule = scheduleOf(allDay ? widenToDays(start, end, timezone) : [start, end], timezone, allDay);
  checkSchedule(schedule, problems);
  return schedule;
}

/** Reports dates that the zone or all_day moved out of the supported years, and an end before the start (contract 2.3). */
function checkSchedule(schedule: Schedule, problems: Problems): void {
  const isSupported = (at: 'start' | 'end') =>
    isWallTimeInRange(schedule[`${at}_local`]) && isWallTimeInRange(schedule[`${at}_utc`]);
  for (const at of ['start', 'end'] as const) {
    if (!isSupported(at) && !problems.has(`${at}_date`)) {
      problems.add(`${at}_date`, 'rest_invalid_date', 'is not a date in a supported format.');
    }
  }
  const areValid = !problems.has('start_date') && !problems.has('end_date');
  if (areValid && schedule.end_utc < schedule.start_utc) {
    problems.add('end_date', 'rest_invalid_date', 'must not be before start_date.');
  }
}

/**
 * Checks the dates of an update before its record is read. Reports only dates that are invalid in every zone, because the
 * stored zone is still unknown. The order of a wall time and an instant depends on that zone.
 */
export function checkSentDates(dto: EventDto, context: RequestContext, problems: Problems): void {
  const zones = dto.timezone === undefined ? FARTHEST_ZONES : [dto.timezone ?? context.site.timeZone];
  const read = (timezone: string, found: Problems) => {
    readSchedule({ ...dto, timezone }, undefined, context, found);
    return found;
  };
  const isWrong = zones.every((zone) => !read(zone, new Problems([])).isEmpty);
  if (isWrong) read(zones[0] as string, problems);
}

/** The lowest and the highest offset of all zones. */
const FARTHEST_ZONES = ['UTC-12', 'UTC+14'];

/** Returns a wall time with its instant. A stored instant overrides the rule for wall times that occur twice. */
function momentOf(wall: WallTime, storedUtc: UtcTime | undefined, zone: string): Moment {
  const utc = storedUtc ?? toUtc(wall, zone);
  return { wall: storedUtc === undefined ? toWall(utc, zone) : wall, utc };
}

/** A sent wall time without an offset keeps the stored instant if it equals the stored wall time (contract 2.3). */
function keepInstant(parsed: ParsedDate, known: Moment | undefined): Moment {
  return known !== undefined && !parsed.isInstant && parsed.wall === known.wall ? known : parsed;
}

/** Returns the start of the first day and the end of the last (contract 10.4, all_day). */
function widenToDays(start: Moment, end: Moment, zone: string): [Moment, Moment] {
  const whole = (moment: Moment, wall: WallTime) => (moment.wall === wall ? moment : momentOf(wall, undefined, zone));
  return [whole(start, startOfDay(start.wall)), whole(end, endOfDay(end.wall))];
}

function scheduleOf([start, end]: [Moment, Moment], timezone: string, allDay: boolean): Schedule {
  return {
    timezone,
    all_day: allDay ? 1 : 0,
    start_local: start.wall,
    end_local: end.wall,
    start_utc: start.utc,
    end_utc: end.utc,
  };
}
