import { isoWithOffset } from '../../kernel/time/calendar-time.js';
import { offerOf } from '../../kernel/cost.js';
import { textOfHtml } from '../../kernel/text/html.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { EVENT } from '../event.kind.js';
import type { OrganizerLinkedData } from '../../organizers/organizer.response.js';
import type { VenueLinkedData } from '../../venues/venue.response.js';
import type { EventLinkedData, OfferLinkedData } from '../event.response.js';
import type { EventReadRow } from '../event.query.js';
import { storedCost } from '../event.values.js';

/** Returns the schema.org description of an event (contract section 8, json_ld). */
export function eventJsonLd(
  row: EventReadRow,
  linked: { readonly location?: VenueLinkedData; readonly organizer?: OrganizerLinkedData },
  { site, urls }: RequestContext,
): EventLinkedData {
  const url = urls.page(EVENT.noun, row.slug);
  const offer = offerOf(storedCost(row), site.currency.code);
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
    ...(linked.location === undefined ? {} : { location: linked.location }),
    ...(linked.organizer === undefined ? {} : { organizer: linked.organizer }),
    ...(offer === undefined ? {} : { offers: offerJsonLd(offer, url, row) }),
    performer: 'Organization',
  };
}

function offerJsonLd(
  offer: { price: string; priceCurrency: string },
  url: string,
  { date_utc }: EventReadRow,
): OfferLinkedData {
  const validFrom = isoWithOffset(date_utc, 'UTC');
  return { '@type': 'Offer', ...offer, url, category: 'primary', availability: 'inStock', validFrom };
}
