import type { EventResponse } from '../../events/event.response.js';
import { textOfHtml } from '../../kernel/text/html.js';
import type { VenueResponse } from '../../venues/venue.response.js';
import { venuesOf } from '../calendar/event-facts.js';
import { machineTime } from '../calendar/when.js';

const ORG = 'https://schema.org';
/** The slug of the category or tag that tells that an event takes place online. */
const ONLINE = 'online';
const CURRENCIES: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', $: 'USD' };

/**
 * Returns the schema.org description of an event, by Google's table of what it needs (pages P7). undefined without a
 * place: an incomplete description counts as an error there. `siteCurrency`: the code of costs without a symbol.
 */
export function eventLinkedData(event: EventResponse, description: string, siteCurrency: string): object | undefined {
  const venues = venuesOf(event);
  const isOnline = venues.length === 0 && isTaggedOnline(event);
  const location = isOnline ? virtualPlace(event) : venues.map(place);
  if (location === undefined || (Array.isArray(location) && location.length === 0)) return undefined;
  return withoutEmpty({
    '@context': ORG,
    '@type': 'Event',
    name: event.title,
    startDate: machineTime(event),
    endDate: machineTime(event, 'end'),
    eventStatus: `${ORG}/EventScheduled`,
    eventAttendanceMode: `${ORG}/${isOnline ? 'Online' : 'Offline'}EventAttendanceMode`,
    location: Array.isArray(location) && location.length === 1 ? location[0] : location,
    description,
    image: event.image === false ? undefined : event.image.url,
    url: event.url,
    organizer: organizers(event),
    offers: offers(event, siteCurrency),
  });
}

/** Returns the schema.org description of a venue. */
export function venueLinkedData(venue: VenueResponse): object {
  return { '@context': ORG, ...place(venue) };
}

function isTaggedOnline({ tags, categories }: EventResponse): boolean {
  return [...tags, ...categories].some(({ slug }) => slug === ONLINE);
}

function virtualPlace({ website }: EventResponse): object | undefined {
  return website === '' ? undefined : { '@type': 'VirtualLocation', url: website };
}

function place(venue: VenueResponse): object {
  const { venue: name, url, phone, website, description, geo_lat: latitude, geo_lng: longitude } = venue;
  return withoutEmpty({
    '@type': 'Place',
    name,
    address: withoutEmpty({
      '@type': 'PostalAddress',
      streetAddress: venue.address,
      addressLocality: venue.city,
      addressRegion: venue.stateprovince,
      postalCode: venue.zip,
      addressCountry: venue.country,
    }),
    url,
    telephone: phone,
    sameAs: website,
    description: textOfHtml(description ?? ''),
    geo: latitude === undefined ? undefined : { '@type': 'GeoCoordinates', latitude, longitude },
  });
}

function organizers({ organizer }: EventResponse): object[] | undefined {
  if (organizer.length === 0) return undefined;
  return organizer.map(({ organizer: name, website, url }) => ({ '@type': 'Organization', name, url: website ?? url }));
}

/** One offer for each amount. */
function offers({ cost_details, date_utc, url, website }: EventResponse, siteCurrency: string): object[] | undefined {
  const prices = cost_details.values.map((value) => (value === 'free' ? '0' : value)).filter(isNumber);
  if (prices.length === 0) return undefined;
  const priceCurrency = cost_details.currency_code || CURRENCIES[cost_details.currency_symbol] || siteCurrency;
  return prices.map((price) => ({
    '@type': 'Offer',
    price,
    priceCurrency,
    url: website === '' ? url : website,
    availability: `${ORG}/InStock`,
    validFrom: `${date_utc.replace(' ', 'T')}Z`,
  }));
}

function isNumber(value: string): boolean {
  return value !== '' && Number.isFinite(Number(value));
}

function withoutEmpty(members: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ''));
}
