import type { Problems } from '../errors/problems.js';
import { type Columns, linkedPostKind } from '../linked-posts/linked-post.kind.js';
import { VenueDto } from './venue.dto.js';

export const VENUE = linkedPostKind('venue', VenueDto, {
  searched: ['description', 'address', 'city', 'province', 'state', 'stateprovince', 'zip', 'phone'],
  defaults: { show_map: 1, show_map_link: 1 },
  adjust: adjustVenue,
  checkTogether: checkCoordinates,
});

const UNITED_STATES = ['', 'US', 'United States'];

/** The state or province as it is shown: as sent, else derived (contract VO-21). */
export function stateProvince({ stateprovince, ...parts }: Readonly<Columns>): string {
  return text(stateprovince) || derivedStateProvince(parts);
}

/** A sent value that is derived anyway is not kept, so that it follows the parts it is derived from. */
function adjustVenue(after: Columns, before: Columns | undefined): Columns {
  const isDerived = before === undefined || before.stateprovince === '';
  if (!isDerived) return after;
  const shown = [before ?? after, after].map(derivedStateProvince);
  return shown.includes(text(after.stateprovince)) ? { ...after, stateprovince: '' } : after;
}

/** Coordinates are both set or both empty (contract VO-22); the missing one is named. */
function checkCoordinates({ geo_lat, geo_lng }: Columns, problems: Problems): void {
  if (geo_lat === undefined || geo_lng === undefined) return;
  if ((geo_lat === null) === (geo_lng === null)) return;
  problems.add(geo_lat === null ? 'geo_lat' : 'geo_lng', 'rest_conflict', 'needs a value as well.');
}

function derivedStateProvince({ state, province, country }: Columns): string {
  return text(state) !== '' && UNITED_STATES.includes(text(country)) ? text(state) : text(province);
}

function text(column: Columns[string] | undefined): string {
  return String(column ?? '');
}
