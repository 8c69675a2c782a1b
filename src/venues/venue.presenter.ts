import { textOfHtml } from '../kernel/text/html.js';
import { filled, presentGlobalId, presentPost } from '../posts/post.presenter.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { presentImage } from '../platform/images/image.presenter.js';
import type { Shown } from '../posts/post.columns.js';
import type { VenueRow } from './venue.entity.js';
import { stateProvince, VENUE } from './venue.kind.js';
import type { VenueLinkedData, VenueResponse } from './venue.response.js';

/** Returns a venue with its members in the order of contract 11.2. */
export function presentVenue(
  row: Shown<VenueRow>,
  context: RequestContext,
  { jsonLd }: { readonly jsonLd: boolean },
): VenueResponse {
  return {
    id: row.id,
    ...presentPost(row, VENUE, context),
    venue: row.title,
    ...filled({ description: row.description }),
    slug: row.slug,
    ...filled({
      image: presentImage(row),
      address: row.address,
      city: row.city,
      country: row.country,
      province: row.province,
      state: row.state,
      zip: row.zip,
      phone: row.phone,
      website: row.website,
      stateprovince: stateProvince({ ...row }),
      geo_lat: row.geo_lat,
      geo_lng: row.geo_lng,
      json_ld: jsonLd ? venueJsonLd(row, context) : undefined,
    }),
    show_map: row.show_map === 1,
    show_map_link: row.show_map_link === 1,
    ...presentGlobalId(row.id, VENUE, context),
  };
}

/** Returns the schema.org description (contract section 8). */
export function venueJsonLd(row: Shown<VenueRow>, { urls }: RequestContext): VenueLinkedData {
  const { geo_lat: latitude, geo_lng: longitude } = row;
  return {
    '@type': 'Place',
    name: row.title,
    description: textOfHtml(row.description),
    ...filled({ image: row.image_url }),
    url: urls.page('venue', row.slug),
    address: {
      '@type': 'PostalAddress',
      ...filled({
        streetAddress: row.address,
        addressLocality: row.city,
        addressRegion: stateProvince({ ...row }),
        postalCode: row.zip,
        addressCountry: row.country,
      }),
    },
    ...(latitude === null || longitude === null ? {} : { geo: { '@type': 'GeoCoordinates', latitude, longitude } }),
    telephone: row.phone,
    sameAs: row.website,
  };
}
