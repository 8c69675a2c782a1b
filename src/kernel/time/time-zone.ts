import moment from 'moment-timezone';
import { offsetAt, type UtcTime } from './calendar-time.js';
import { toSeconds } from './epoch-seconds.js';
import { fixedOffset, offsetSeconds } from './utc-offset.js';

// moment-timezone supplies names and abbreviations only. Its offset rules end in 2499, Temporal's do not.
const NAMES = new Map(moment.tz.names().map((name) => [name.toLowerCase(), name]));
const OFFSET = /^utc([+-])(\d{1,2})(?::(\d\d))?$/;
const BARE_OFFSET = /^[+-]\d\d:\d\d$/;

/** Returns the zone to store, or undefined if it is invalid: an IANA name, `UTC`, `GMT` or `UTC±H[:MM]` (contract 2.4). */
export function parseTimeZone(text: string): string | undefined {
  const lower = text.toLowerCase();
  return NAMES.get(lower) ?? parseOffset(BARE_OFFSET.test(lower) ? `utc${lower}` : lower);
}

/** Returns `timezone_abbr` at an instant, as the zone database names it: `CEST`, `-03`, `UTC+2` (contract 2.4). */
export function timeZoneAbbreviation(zone: string, atUtc: UtcTime): string {
  const names = fixedOffset(zone) === undefined ? moment.tz.zone(zone) : null;
  if (!names) return zone;
  const seconds = toSeconds(atUtc);
  const offset = offsetSeconds(zone, seconds);
  const agrees = (minutesWest: number) => Math.round(minutesWest * -60) === offset;
  if (agrees(names.utcOffset(seconds * 1000))) return names.abbr(seconds * 1000);
  return names.abbrs[names.offsets.findLastIndex(agrees)] ?? numericAbbreviation(atUtc, zone);
}

function parseOffset(text: string): string | undefined {
  const match = OFFSET.exec(text);
  if (!match) return undefined;
  const [, sign, hours, minutes = '00'] = match;
  const size = Number(hours) * 60 + Number(minutes);
  if (Number(minutes) > 59 || size > (sign === '-' ? 12 : 14) * 60) return undefined;
  if (size === 0) return 'UTC';
  return `UTC${sign}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`;
}

/** Returns the form that the zone database uses for times without a name: `+0530`, `-03`. */
function numericAbbreviation(atUtc: UtcTime, zone: string): string {
  return offsetAt(atUtc, zone).replace(':', '').replace(/00$/, '');
}
