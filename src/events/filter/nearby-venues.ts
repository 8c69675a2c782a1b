import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { allOf, anyOf, type SqlCondition, condition } from '../../kernel/sql-condition.js';
import { boundingBox, distanceKm } from '../../kernel/distance.js';
import { readable } from '../../kernel/visibility.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import type { EventParams } from '../event.params.js';

const DEFAULT_RADIUS_KM = 25;

/** Returns the condition for venues that the caller sees with an event: readable and not in the trash (contract 7.3). */
export function visibleVenue(alias: string, { caller, nowUtc }: RequestContext): SqlCondition {
  return allOf([condition(`${alias}.status <> ?`, 'trash'), readable(alias, caller, nowUtc)]);
}

/**
 * Returns the ids of visible venues within the radius. SQL selects a bounding box and this function the circle, because
 * the last digits of trigonometric functions differ between engines.
 */
export async function venuesNear(
  sql: Sql,
  params: EventParams,
  context: RequestContext,
): Promise<number[] | undefined> {
  const { geoloc_lat: lat, geoloc_lng: lng, geoloc_radius: radius = DEFAULT_RADIUS_KM } = params;
  if (lat === undefined || lng === undefined) return undefined;
  const box = boundingBox(lat, lng, radius);
  const where = allOf([
    condition('v.geo_lat BETWEEN ? AND ?', box.latMin, box.latMax),
    anyOf(box.lngRanges.map(([from, to]) => condition('v.geo_lng BETWEEN ? AND ?', from, to))),
    visibleVenue('v', context),
  ]);
  const venues = await sql.query<{ id: number; geo_lat: number; geo_lng: number }>(
    `SELECT v.id, v.geo_lat, v.geo_lng FROM ${TABLES.venues} v WHERE ${where.sql}`,
    where.params,
  );
  return venues.filter((venue) => distanceKm(lat, lng, venue.geo_lat, venue.geo_lng) <= radius).map(({ id }) => id);
}
