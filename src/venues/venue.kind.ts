import { linkedPostKind } from '../linked-posts/linked-post.kind.js';
import { VenueDto } from './venue.dto.js';
import { checkCoordinates, settleVenue } from './venue.rules.js';

export const VENUE = linkedPostKind('venue', VenueDto, {
  searched: ['description', 'address', 'city', 'province', 'state', 'stateprovince', 'zip', 'phone'],
  defaults: { show_map: 1, show_map_link: 1 },
  settle: settleVenue,
  checkTogether: checkCoordinates,
});
