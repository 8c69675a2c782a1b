import type { EventResponse } from '../../events/event.response.js';
import { firstWords } from '../../kernel/text/first-words.js';
import { isExactWall, isoWithOffset, type UtcTime, type WallTime } from '../../kernel/time/calendar-time.js';
import { fixedOffset } from '../../kernel/time/utc-offset.js';
import type { Urls } from '../../platform/http/base-url.js';
import { addressOf, venuesOf } from '../calendar/event-facts.js';
import { dayAfter, dayOf } from '../calendar/formats.js';
import type { SubscribeLinks } from '../views/list/aside.js';

/** Calendars of others reject longer addresses. */
const MAX_ADDRESS = 1900;

/** Returns the addresses by which calendar programs subscribe to a feed (pages P4.9). `feed`: its https URL. */
export function subscribeLinks(feed: string, name: string): SubscribeLinks {
  const webcal = feed.replace(/^https?:/, 'webcal:');
  const outlook = new URLSearchParams({ url: feed, name });
  return {
    https: feed,
    webcal,
    google: `https://calendar.google.com/calendar/r?${new URLSearchParams({ cid: webcal }).toString()}`,
    outlook: `https://outlook.live.com/calendar/0/addfromweb?${outlook.toString()}`,
  };
}

/** Returns the addresses that add one event to a calendar (pages P4.9). `text`: that of its description. */
export function addToCalendar(event: EventResponse, text: string, { apiRoot }: Urls) {
  return {
    file: `${apiRoot}/events/by-slug/${encodeURIComponent(event.slug)}.ics`,
    google: withDetails(`${google(event)}&details=`, text, event),
    outlook: withDetails(`${outlook(event)}&body=`, text, event),
  };
}

function google(event: EventResponse): string {
  const { title: text, timezone, all_day } = event;
  const zone: Record<string, string> = all_day === true || fixedOffset(timezone) !== undefined ? {} : { ctz: timezone };
  const values = { action: 'TEMPLATE', text, dates: googleDates(event), ...zone, location: locationOf(event) };
  return `https://calendar.google.com/calendar/render?${new URLSearchParams(values).toString()}`;
}

/** Wall times with the zone beside them, or UTC where they do not mean the instant; days for an all-day event. */
function googleDates({ all_day, timezone, ...event }: EventResponse): string {
  const compact = (time: string) => time.replace(/[-:]/g, '').replace(' ', 'T');
  if (all_day === true) return `${compact(dayOf(event.start_date))}/${compact(dayAfter(dayOf(event.end_date)))}`;
  const timeOf = (wall: WallTime, utc: UtcTime) =>
    isExactWall(wall, utc, timezone) ? compact(wall) : `${compact(utc)}Z`;
  return `${timeOf(event.start_date, event.utc_start_date)}/${timeOf(event.end_date, event.utc_end_date)}`;
}

function outlook(event: EventResponse): string {
  const { title: subject, timezone: zone, all_day } = event;
  const times =
    all_day === true
      ? { startdt: dayOf(event.start_date), enddt: dayAfter(dayOf(event.end_date)), allday: 'true' }
      : {
          startdt: isoWithOffset(event.utc_start_date, zone),
          enddt: isoWithOffset(event.utc_end_date, zone),
          allday: 'false',
        };
  const path = '/calendar/action/compose';
  const values = { path, rru: 'addevent', subject, ...times, location: locationOf(event) };
  return `https://outlook.live.com/calendar/0/deeplink/compose?${new URLSearchParams(values).toString()}`;
}

function locationOf(event: EventResponse): string {
  const [venue] = venuesOf(event);
  return venue === undefined ? '' : [venue.venue, addressOf(venue)].filter(Boolean).join(', ');
}

/** Adds the text of the description, cut so that the address is accepted, and the URL of the event. */
function withDetails(address: string, text: string, { url }: EventResponse): string {
  const end = encoded(`\n\n${url}`);
  const room = MAX_ADDRESS - address.length - end.length;
  for (let length = Math.min(text.length, room); length > 0; length = Math.floor(length * 0.8)) {
    const details = encoded(firstWords(text, length));
    if (details.length <= room) return address + details + end;
  }
  return address + encoded(url);
}

function encoded(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}
