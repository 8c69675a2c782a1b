import type { EventResponse } from '../../events/event.response.js';
import type { VenueResponse } from '../../venues/venue.response.js';
import { firstDayOf, lastDayOf } from './when.js';
import type { Spanned } from './lanes.js';

/** An event with its days. */
export type SpannedEvent = EventResponse & Spanned;

export function withDays(event: EventResponse): SpannedEvent {
  return { ...event, firstDay: firstDayOf(event), lastDay: lastDayOf(event) };
}

/** Returns the path of a record's page: `/event/jazz/`. */
export function pathOf(kind: 'event' | 'venue' | 'organizer' | 'tag' | 'events/category', slug: string): string {
  return `/${kind}/${encodeURIComponent(slug)}/`;
}

export function venuesOf({ venue }: Pick<EventResponse, 'venue'>): readonly VenueResponse[] {
  return Array.isArray(venue) ? venue : [venue];
}

/** Returns the name of the first venue and its city, unless the name holds it. */
export function placeOf(event: EventResponse): string {
  const [venue] = venuesOf(event);
  if (venue === undefined) return '';
  const { venue: name, city } = venue;
  return city === undefined || name.toLowerCase().includes(city.toLowerCase()) ? name : `${name}, ${city}`;
}

/** Returns the address of a venue in one line, without its name. */
export function addressOf({ address, zip, city, stateprovince, country }: VenueResponse): string {
  const town = [zip, city].filter(Boolean).join(' ');
  return [address, town, stateprovince, country].filter((part, at, all) => part && all.indexOf(part) === at).join(', ');
}

/** Returns the price as it is shown: a word for 0. */
export function freeOr({ cost, cost_details: { values } }: EventResponse, free: string): string {
  return values.length > 0 && values.every((value) => Number(value) === 0) ? free : cost;
}

/** Returns the URL as a link may use it: http, https, mailto or tel. undefined: any other scheme. */
export function safeLink(url: string | undefined): string | undefined {
  return url !== undefined && /^(https?:\/\/|mailto:|tel:)/i.test(url) ? url : undefined;
}
