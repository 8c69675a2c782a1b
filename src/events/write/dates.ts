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

/** When an event takes place: its instants beside the wall clock of its zone. */
export type Schedule = Pick<EventRow, 'timezone' | 'all_day' | 'start_local' | 'end_local' | 'start_utc' | 'end_utc'>;

type Moment = { readonly wall: WallTime; readonly utc: UtcTime };

/** Reads zone, dates and all_day of a write beside what is stored; undefined where a date is missing or wrong. */
export function readSchedule(
  dto: EventDto,
  stored: EventRow | undefined,
  context: RequestContext,
  problems: Problems,
): Schedule | undefined {
  const timezone =
    dto.timezone === null ? context.site.timeZone : (dto.timezone ?? stored?.timezone ?? context.site.timeZone);
  const keeps = stored !== undefined && timezone === stored.timezone;
  const shown = (at: 'start' | 'end') =>
    stored === undefined
      ? undefined
      : momentOf(stored[`${at}_local`], keeps ? stored[`${at}_utc`] : undefined, timezone);
  const sent = (name: 'start_date' | 'end_date', known: Moment | undefined) => {
    const parsed = readDate(name, dto[name], timezone, context, problems);
    return parsed === undefined ? known : sameOr(parsed, keeps ? known : undefined);
  };
  const start = sent('start_date', shown('start'));
  const end = sent('end_date', shown('end'));
  if (start === undefined || end === undefined) return undefined;
  const allDay = dto.all_day === undefined ? stored?.all_day === 1 : dto.all_day === true;
  const schedule = scheduleOf(allDay ? widened(start, end, timezone) : [start, end], timezone, allDay);
  checkSchedule(schedule, problems);
  return schedule;
}

/** A zone or whole days can move a good date out of the years that are kept (contract 2.3). */
function checkSchedule(schedule: Schedule, problems: Problems): void {
  const isKept = (at: 'start' | 'end') =>
    isWallTimeInRange(schedule[`${at}_local`]) && isWallTimeInRange(schedule[`${at}_utc`]);
  for (const at of ['start', 'end'] as const) {
    if (!isKept(at) && !problems.has(`${at}_date`)) {
      problems.add(`${at}_date`, 'rest_invalid_date', 'is not a date in a supported format.');
    }
  }
  const isKnown = !problems.has('start_date') && !problems.has('end_date');
  if (isKnown && schedule.end_utc < schedule.start_utc) {
    problems.add('end_date', 'rest_invalid_date', 'must not be before start_date.');
  }
}

/**
 * The first look at the dates of an update, whose record is not known yet: refuses what is wrong in whichever zone is
 * stored. The first of a wall time and an instant shows only there.
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

/** The fixed offsets between which all zones lie. */
const FARTHEST_ZONES = ['UTC-12', 'UTC+14'];

/** A wall time in a zone; a stored instant of it counts before the rule for overlaps. */
function momentOf(wall: WallTime, storedUtc: UtcTime | undefined, zone: string): Moment {
  const utc = storedUtc ?? toUtc(wall, zone);
  return { wall: storedUtc === undefined ? toWall(utc, zone) : wall, utc };
}

/** A zone-less value equal to the stored wall time keeps the stored instant (contract 2.3). */
function sameOr(parsed: ParsedDate, known: Moment | undefined): Moment {
  return known !== undefined && !parsed.isInstant && parsed.wall === known.wall ? known : parsed;
}

/** The whole days of both moments (contract 10.4, all_day). */
function widened(start: Moment, end: Moment, zone: string): [Moment, Moment] {
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
