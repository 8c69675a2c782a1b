import { icalLine, icalQuoted, icalText, icalTime } from '../kernel/text/ical-line.js';
import { hasMarkup, readableText } from '../kernel/text/readable-text.js';
import { addDays } from '../kernel/time/calendar-arithmetic.js';
import { isExactWall, type UtcTime, type WallTime } from '../kernel/time/calendar-time.js';
import type { CalendarEvent, EventResponse } from '../events/event.response.js';
import type { OrganizerResponse } from '../organizers/organizer.response.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { VenueResponse } from '../venues/venue.response.js';

/** Returns the VEVENT of an event (ical 2). A blanked event shows no more than a list does. */
export function presentCalendarEvent(event: CalendarEvent, context: RequestContext): string {
  const { shown, uid, revision, changedUtc } = event;
  const changed = utcForm(changedUtc);
  const lines = [
    icalLine('BEGIN', 'VEVENT'),
    icalLine('UID', icalText(uid)),
    icalLine('DTSTAMP', changed),
    icalLine('LAST-MODIFIED', changed),
    icalLine('CREATED', utcForm(shown.date_utc)),
    icalLine('SEQUENCE', String(revision - 1)),
    ...times(shown),
    icalLine('SUMMARY', icalText(shown.title)),
    ...(isBlanked(shown) ? [] : details(shown)),
    icalLine('URL', pageUrl(shown, context)),
    icalLine('STATUS', shown.status === 'publish' ? 'CONFIRMED' : 'TENTATIVE'),
    // A public calendar keeps nobody busy.
    icalLine('TRANSP', 'TRANSPARENT'),
    ...(event.parentUid === undefined || isBlanked(shown) ? [] : [icalLine('RELATED-TO', icalText(event.parentUid))]),
    icalLine('END', 'VEVENT'),
  ];
  return lines.join('');
}

/** Returns the zone whose rules a calendar with the event needs: that of its times, unless they are in UTC. */
export function neededZone({ shown }: CalendarEvent): string | undefined {
  if (shown.all_day === true) return undefined;
  const { timezone, start_date, utc_start_date, end_date, utc_end_date } = shown;
  const isNamed = isExactWall(start_date, utc_start_date, timezone) || isExactWall(end_date, utc_end_date, timezone);
  return isNamed ? timezone : undefined;
}

function isBlanked({ all_day }: EventResponse): boolean {
  return all_day === null;
}

function times(shown: EventResponse): string[] {
  const { all_day, timezone, start_date, utc_start_date, end_date, utc_end_date } = shown;
  if (all_day === true) {
    const end = addDays(end_date, 1);
    // The day after the last valid one has no form. An event without DTEND lasts one day.
    return [dayLine('DTSTART', start_date), ...(end.length > end_date.length ? [] : [dayLine('DTEND', end)])];
  }
  const start = timeLine('DTSTART', start_date, utc_start_date, timezone);
  return utc_start_date === utc_end_date ? [start] : [start, timeLine('DTEND', end_date, utc_end_date, timezone)];
}

function dayLine(name: string, day: WallTime): string {
  return icalLine(`${name};VALUE=DATE`, day.slice(0, 10).replaceAll('-', ''));
}

function timeLine(name: string, wall: WallTime, utc: UtcTime, zone: string): string {
  return isExactWall(wall, utc, zone) ? icalLine(`${name};TZID=${zone}`, icalTime(wall)) : icalLine(name, utcForm(utc));
}

function utcForm(time: UtcTime): string {
  return `${icalTime(time)}Z`;
}

/** Returns the properties that a blanked event does not have. */
function details(shown: EventResponse): string[] {
  const { description, image, organizer } = shown;
  const venues = [shown.venue].flat();
  return [
    ...textLine('DESCRIPTION', readableText(description)),
    ...(hasMarkup(description) ? textLine('X-ALT-DESC;FMTTYPE=text/html', description) : []),
    ...textLine('LOCATION', venues.map(address).join(' / ')),
    ...position(venues.find(({ geo_lat, geo_lng }) => geo_lat !== undefined && geo_lng !== undefined)),
    ...categories(shown),
    ...organizerLine(organizer.find(({ email }) => email !== undefined)),
    ...organizer.flatMap(({ organizer: name, phone, email }) => textLine('CONTACT', joined([name, phone, email]))),
    ...(image === false ? [] : imageLines(image)),
  ];
}

function textLine(name: string, text: string): string[] {
  return text === '' ? [] : [icalLine(name, icalText(text))];
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(', ');
}

function address({ venue, address: street, city, stateprovince, zip, country }: VenueResponse): string {
  return joined([venue, street, city, stateprovince, zip, country]);
}

function position(venue: VenueResponse | undefined): string[] {
  if (venue === undefined) return [];
  const [latitude, longitude] = [degrees(venue.geo_lat!), degrees(venue.geo_lng!)];
  const title = icalQuoted(venue.venue);
  return [
    icalLine('GEO', `${latitude};${longitude}`),
    icalLine(`X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=${title}`, `geo:${latitude},${longitude}`),
  ];
}

/** Returns at most six decimals, a tenth of a metre. */
function degrees(value: number): string {
  return String(Number(value.toFixed(6)));
}

function categories({ categories: ofEvent, tags }: EventResponse): string[] {
  const names = [...ofEvent, ...tags].map(({ name }) => icalText(name));
  return names.length === 0 ? [] : [icalLine('CATEGORIES', names.join(','))];
}

function organizerLine(organizer: OrganizerResponse | undefined): string[] {
  if (organizer === undefined) return [];
  return [icalLine(`ORGANIZER;CN=${icalQuoted(organizer.organizer)}`, `mailto:${mailbox(organizer.email!)}`)];
}

/** Escapes what would end the mailbox in a URL. */
function mailbox(email: string): string {
  return encodeURI(email).replace(/[?#&]/g, encodeURIComponent);
}

function imageLines({ url, sizes }: Exclude<EventResponse['image'], false>): string[] {
  const type = sizes.large['mime-type'];
  const format = type === undefined ? '' : `;FMTTYPE=${type}`;
  return [icalLine(`IMAGE;VALUE=URI;DISPLAY=BADGE${format}`, url), icalLine(`ATTACH${format}`, url)];
}

/** Returns the page of an event. Without SITE_URL the service has no page of it that tells more than its own website. */
function pageUrl({ url, website }: EventResponse, { site }: RequestContext): string {
  return site.hasWebsite || website === '' ? url : website;
}
