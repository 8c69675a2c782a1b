import { TABLES } from '../database/tables.js';
import type { LinkedPostKind } from '../linked-posts/linked-post.kind.js';
import { VenueDto } from './venue.dto.js';
import { checkCoordinates, settleVenue } from './venue.rules.js';

export const VENUE: LinkedPostKind = {
  noun: 'venue',
  nameField: 'venue',
  table: TABLES.venues,
  collection: 'venues',
  linkTable: TABLES.eventVenues,
  linkColumn: 'venue_id',
  errors: {
    notFound: 'rest-venue-not-found',
    notAccessible: 'venue-not-accessible',
    trashed: 'venue-not-accessible',
    alreadyTrashed: 'venue-is-in-trash',
    pageNotFound: 'venue-archive-page-not-found',
  },
  dto: VenueDto,
  columns: {
    description: '',
    show_map: 1,
    show_map_link: 1,
    address: '',
    city: '',
    country: '',
    province: '',
    state: '',
    zip: '',
    phone: '',
    stateprovince: '',
    website: '',
    geo_lat: null,
    geo_lng: null,
  },
  searched: ['description', 'address', 'city', 'province', 'state', 'stateprovince', 'zip', 'phone'],
  settle: settleVenue,
  checkTogether: checkCoordinates,
};
