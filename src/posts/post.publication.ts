import { toWall, type UtcTime } from '../kernel/time/calendar-time.js';
import { can } from '../kernel/caller.js';
import { type ParsedDate, parseDate } from '../kernel/time/date-input.js';
import { publicFrom, storedStatus } from '../kernel/post-status.js';
import type { Problems } from '../errors/problems.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { PostDto } from './post.dto.js';
import type { PostRow } from './post.entity.js';

/** The publication dates of a request: `date` in the site zone, `date_utc` in UTC. */
export interface SentPublication {
  readonly date?: ParsedDate;
  readonly dateUtc?: ParsedDate;
}

export function readPublication(dto: PostDto, context: RequestContext, problems: Problems): SentPublication {
  return {
    date: readDate('date', dto.date, context.site.timeZone, context, problems),
    dateUtc: readDate('date_utc', dto.date_utc, 'UTC', context, problems),
  };
}

/** Parses a date in its zone and reports an invalid one (contract 2.3). */
export function readDate(
  name: string,
  value: string | number | undefined | null,
  zone: string,
  { nowUtc }: Pick<RequestContext, 'nowUtc'>,
  problems: Problems,
): ParsedDate | undefined {
  if (value === undefined || value === null || problems.has(name)) return undefined;
  return checkDate(name, parseDate(value, zone, nowUtc), problems);
}

/** Returns a parsed date and reports an invalid one. */
export function checkDate(name: string, parsed: ParsedDate | undefined, problems: Problems): ParsedDate | undefined {
  if (parsed === undefined) problems.add(name, 'rest_invalid_date', 'is not a date in a supported format.');
  return parsed;
}

type Publication = Pick<PostRow, 'status' | 'date_utc' | 'public_from'>;

/** Returns status and dates of a new record (contract section 4). */
export function newPublication(dto: PostDto, sent: SentPublication, { caller, nowUtc }: RequestContext): Publication {
  const mayPublish = can(caller, 'publish_posts');
  const date_utc = sent.date?.utc ?? sent.dateUtc?.utc ?? nowUtc;
  const wanted = dto.status === undefined || dto.status === 'trash' ? (mayPublish ? 'publish' : 'draft') : dto.status;
  const status = storedStatus(wanted, date_utc, nowUtc, mayPublish);
  return { status, date_utc, public_from: publicFrom(status, date_utc) };
}

/** Returns the status and the dates that an update changes, or {} if it changes neither. */
export function changedPublication(
  dto: PostDto,
  sent: SentPublication,
  stored: PostRow,
  { caller, nowUtc, site }: RequestContext,
): Partial<Publication> {
  const date_utc = changedDate(sent, stored.date_utc, site.timeZone);
  // post.trash.ts moves records to the trash.
  const status = dto.status === 'trash' ? undefined : dto.status;
  if (status === undefined && date_utc === stored.date_utc) return {};
  const before = status ?? stored.status;
  const wanted = before === 'trash' ? before : storedStatus(before, date_utc, nowUtc, can(caller, 'publish_posts'));
  return { status: wanted, date_utc, public_from: publicFrom(wanted, date_utc) };
}

/** When both dates are sent, `date` counts unless it is the stored one (contract 10.4). */
function changedDate({ date, dateUtc }: SentPublication, stored: UtcTime, zone: string): UtcTime {
  // The wall time that responses show keeps its instant, also in the second hour of an overlap (contract 2.3).
  const isStored = date !== undefined && !date.isInstant && date.wall === toWall(stored, zone);
  if (date !== undefined && !isStored && date.utc !== stored) return date.utc;
  return dateUtc?.utc ?? stored;
}
