import type { VenueResponse } from '../../venues/venue.response.js';
import { addressOf } from '../calendar/event-facts.js';

/** Returns the address of a map: with a marker if the venue wants it, else by the postal address (pages P4.5). */
export function mapLink(venue: VenueResponse): string | undefined {
  const { geo_lat: lat, geo_lng: lng, show_map_link } = venue;
  if (show_map_link && lat !== undefined && lng !== undefined)
    return `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`;
  const address = addressOf(venue);
  return address === ''
    ? undefined
    : `https://www.openstreetmap.org/search?${new URLSearchParams({ query: address }).toString()}`;
}
