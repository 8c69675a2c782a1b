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

/** Returns the sent state or province, else the derived one (contract VO-21). */
export function stateProvince({ stateprovince, ...parts }: Readonly<Columns>): string {
  return text(stateprovince) || derivedStateProvince(parts);
}

/** Stores no value that equals the derived one, so that the response follows later changes of state and province. */
function adjustVenue(after: Columns, before: Columns | undefined): Columns {
  const isDerived = before === undefined || before.stateprovince === '';
  if (!isDerived) return after;
  const derived = [before ?? after, after].map(derivedStateProvince);
  return derived.includes(text(after.stateprovince)) ? { ...after, stateprovince: '' } : after;
}

/** Reports the missing coordinate if only one is set (contract VO-22). */
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
