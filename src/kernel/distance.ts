const EARTH_RADIUS_KM = 6371;
const DEGREE = Math.PI / 180;
// About a metre: more than floating-point error, so that the box never misses a point of the circle.
const MARGIN_DEGREES = 1e-5;

export interface BoundingBox {
  latMin: number;
  latMax: number;
  /** One range, or two where the box crosses the 180th meridian. */
  lngRanges: [number, number][];
}

/** Returns the great-circle distance in km by the haversine formula, R = 6371 km (contract 10.1, geoloc_lat). */
export function distanceKm(lat1: number, lng1: number, lat2: number, lng2: number): number {
  const latHalf = Math.sin(((lat2 - lat1) * DEGREE) / 2);
  const lngHalf = Math.sin(((lng2 - lng1) * DEGREE) / 2);
  const chord = latHalf ** 2 + Math.cos(lat1 * DEGREE) * Math.cos(lat2 * DEGREE) * lngHalf ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, chord)));
}

/** Returns a box in degrees around the circle, so that a query can use an index (contract 10.1, geoloc_radius). */
export function boundingBox(lat: number, lng: number, radiusKm: number): BoundingBox {
  const radius = radiusKm / EARTH_RADIUS_KM / DEGREE + MARGIN_DEGREES;
  const [south, north] = [lat - radius, lat + radius];
  return {
    latMin: Math.max(-90, south),
    latMax: Math.min(90, north),
    lngRanges: south <= -90 || north >= 90 ? [[-180, 180]] : lngRanges(lng, widestLng(lat, radius)),
  };
}

// The circle is widest in longitude where a meridian touches it: nearer to the pole than its centre.
function widestLng(lat: number, radius: number): number {
  const ratio = Math.sin(radius * DEGREE) / Math.cos(lat * DEGREE);
  return Math.asin(Math.min(1, ratio)) / DEGREE + MARGIN_DEGREES;
}

function lngRanges(lng: number, reach: number): [number, number][] {
  const [west, east] = [lng - reach, lng + reach];
  if (west < -180) return splitAtAntimeridian(west + 360, east);
  if (east > 180) return splitAtAntimeridian(west, east - 360);
  return [[west, east]];
}

function splitAtAntimeridian(west: number, east: number): [number, number][] {
  return [
    [west, 180],
    [-180, east],
  ];
}
