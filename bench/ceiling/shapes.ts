import { isoWithOffset } from '../../src/kernel/time/calendar-time.js';
import { type Cost, offerOf, presentCost } from '../../src/kernel/cost.js';
import { fileExtension, imageType } from '../../src/platform/images/image.presenter.js';
import { textOfHtml } from '../../src/kernel/text/html.js';
import { timeZoneAbbreviation } from '../../src/kernel/time/time-zone.js';
import type { RequestData } from './http.js';

/** A row of the driver. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- this raw program has no types for rows
export type Row = any;

/**
 * Builds the records of responses by hand. Uses pure functions of the application for single values (a zone's
 * abbreviation, a price), because rewriting these would not change the measurement.
 */
const CURRENCY = { symbol: '$', position: 'prefix' } as const;

export function venue(row: Row, { origin, instance }: RequestData, withJsonLd: boolean): object {
  const shown: Row = { id: row.id, ...head(row, `${origin}/venue/`), venue: row.title };
  if (row.description !== '') shown.description = row.description;
  shown.slug = row.slug;
  if (row.image_url !== null) shown.image = image(row);
  for (const name of ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website']) {
    if (row[name] !== '') shown[name] = row[name];
  }
  const region = stateProvince(row);
  if (region !== '') shown.stateprovince = region;
  if (row.geo_lat !== null) {
    shown.geo_lat = row.geo_lat;
    shown.geo_lng = row.geo_lng;
  }
  if (withJsonLd) shown.json_ld = venueJsonLd(row, origin);
  shown.show_map = row.show_map === 1;
  shown.show_map_link = row.show_map_link === 1;
  return withGlobalId(shown, 'venue', instance);
}

function organizer(row: Row, { origin, instance }: RequestData, withJsonLd: boolean): object {
  const shown: Row = { id: row.id, ...head(row, `${origin}/organizer/`), organizer: row.title };
  if (row.description !== '') shown.description = row.description;
  shown.slug = row.slug;
  if (row.image_url !== null) shown.image = image(row);
  for (const name of ['phone', 'website', 'email']) if (row[name] !== '') shown[name] = row[name];
  if (withJsonLd) shown.json_ld = organizerJsonLd(row);
  return withGlobalId(shown, 'organizer', instance);
}

export function term(row: Row, { origin, baseUrl }: RequestData): object {
  const isCategory = row.taxonomy !== 'post_tag';
  const collection = `${baseUrl}/${isCategory ? 'categories' : 'tags'}`;
  const urls: Row = { self: `${collection}/${row.id}`, collection };
  if (row.parent !== 0) urls.up = `${collection}/${row.parent}`;
  return {
    id: row.id,
    count: Number(row.event_count),
    description: row.description,
    name: row.name,
    slug: row.slug,
    taxonomy: row.taxonomy,
    parent: row.parent,
    meta: [],
    url: `${origin}/${isCategory ? 'events/category' : 'tag'}/${encodeURIComponent(row.slug)}/`,
    urls,
    term_group: 0,
    term_taxonomy_id: row.id,
    filter: 'raw',
  };
}

/** The linked records of an event: venues and organizers in their order, categories and tags by name. */
export interface Linked {
  readonly venues: Row[];
  readonly organizers: Row[];
  readonly categories: Row[];
  readonly tags: Row[];
}

export function event(row: Row, linked: Linked, asked: RequestData, single: boolean): object {
  const { origin, baseUrl, instance } = asked;
  const cost: Cost | undefined = row.cost === '' ? undefined : JSON.parse(row.cost);
  const venues = linked.venues.map((found) => venue(found, asked, single));
  const shown: Row = {
    id: row.id,
    global_id: `${instance}.kalends?id=${row.id}`,
    global_id_lineage: [`${instance}.kalends?id=${row.id}`],
    ...head(row, `${origin}/event/`),
    rest_url: `${baseUrl}/events/${row.id}`,
    title: row.title,
    description: row.description,
    excerpt: row.excerpt,
    slug: row.slug,
    image: row.image_url === null ? false : image(row),
    all_day: row.all_day === 1,
    start_date: row.start_local,
    start_date_details: details(row.start_local),
    end_date: row.end_local,
    end_date_details: details(row.end_local),
    utc_start_date: row.start_utc,
    utc_start_date_details: details(row.start_utc),
    utc_end_date: row.end_utc,
    utc_end_date_details: details(row.end_utc),
    timezone: row.timezone,
    timezone_abbr: timeZoneAbbreviation(row.timezone, row.start_utc),
    ...presentCost(cost, CURRENCY),
    website: row.website,
    show_map: row.show_map === 1,
    show_map_link: row.show_map_link === 1,
    hide_from_listings: row.hide_from_listings === 1,
    sticky: row.sticky === 1,
    featured: row.featured === 1,
    categories: linked.categories.map((found) => term(found, asked)),
    tags: linked.tags.map((found) => term(found, asked)),
    venue: venues.length === 1 ? venues[0] : venues,
    organizer: linked.organizers.map((found) => organizer(found, asked, single)),
    custom_fields: [],
  };
  if (single) shown.json_ld = eventJsonLd(row, linked, cost, origin);
  shown.ticketed = row.ticketed === 1;
  shown.post_parent = row.post_parent;
  return shown;
}

function head(row: Row, page: string) {
  return {
    author: String(row.author_id),
    status: row.status === 'future' ? 'publish' : row.status,
    date: row.date_utc,
    date_utc: row.date_utc,
    modified: row.modified_utc,
    modified_utc: row.modified_utc,
    url: `${page}${encodeURIComponent(row.slug)}/`,
  };
}

function withGlobalId(shown: Row, kind: 'venue' | 'organizer', instance: string): object {
  shown.global_id = `${instance}.kalends/${kind}?id=${shown.id}`;
  shown.global_id_lineage = [shown.global_id];
  return shown;
}

function image(row: Row): object {
  const { image_url: url, image_id: id } = row;
  const extension = fileExtension(url);
  const type = imageType(extension);
  const size = type === undefined ? { url } : { 'mime-type': type, url };
  return { url, id, extension, sizes: { thumbnail: size, medium: size, medium_large: size, large: size } };
}

function details(time: string) {
  return {
    year: time.slice(0, 4),
    month: time.slice(5, 7),
    day: time.slice(8, 10),
    hour: time.slice(11, 13),
    minutes: time.slice(14, 16),
    seconds: time.slice(17, 19),
  };
}

function stateProvince(row: Row): string {
  const isAmerican = ['', 'US', 'United States'].includes(row.country);
  return row.stateprovince || (row.state !== '' && isAmerican ? row.state : row.province);
}

function venueJsonLd(row: Row, origin: string): object {
  const address: Row = { '@type': 'PostalAddress' };
  if (row.address !== '') address.streetAddress = row.address;
  if (row.city !== '') address.addressLocality = row.city;
  if (stateProvince(row) !== '') address.addressRegion = stateProvince(row);
  if (row.zip !== '') address.postalCode = row.zip;
  if (row.country !== '') address.addressCountry = row.country;
  return {
    '@type': 'Place',
    name: row.title,
    description: textOfHtml(row.description),
    ...(row.image_url === null ? {} : { image: row.image_url }),
    url: `${origin}/venue/${encodeURIComponent(row.slug)}/`,
    address,
    ...(row.geo_lat === null
      ? {}
      : { geo: { '@type': 'GeoCoordinates', latitude: row.geo_lat, longitude: row.geo_lng } }),
    telephone: row.phone,
    sameAs: row.website,
  };
}

function organizerJsonLd(row: Row): object {
  return {
    '@type': 'Person',
    name: row.title,
    description: textOfHtml(row.description),
    ...(row.image_url === null ? {} : { image: row.image_url }),
    url: row.website,
    telephone: row.phone,
    email: row.email,
    sameAs: row.website,
  };
}

function eventJsonLd(row: Row, { venues, organizers }: Linked, cost: Cost | undefined, origin: string): object {
  const url = `${origin}/event/${encodeURIComponent(row.slug)}/`;
  const offer = offerOf(cost, 'USD');
  const validFrom = isoWithOffset(row.date_utc, 'UTC');
  return {
    '@context': 'http://schema.org',
    '@type': 'Event',
    name: row.title,
    description: textOfHtml(row.excerpt),
    ...(row.image_url === null ? {} : { image: row.image_url }),
    url,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: 'https://schema.org/EventScheduled',
    startDate: isoWithOffset(row.start_utc, row.timezone),
    endDate: isoWithOffset(row.end_utc, row.timezone),
    ...(venues.length === 0 ? {} : { location: venueJsonLd(venues[0], origin) }),
    ...(organizers.length === 0 ? {} : { organizer: organizerJsonLd(organizers[0]) }),
    ...(offer === undefined
      ? {}
      : { offers: { '@type': 'Offer', ...offer, url, category: 'primary', availability: 'inStock', validFrom } }),
    performer: 'Organization',
  };
}
