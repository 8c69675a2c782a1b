import { boundingBox, distanceKm, type BoundingBox } from './distance.js';

const HALF_CIRCLE = Math.PI * 6371;

describe('distanceKm', () => {
  it.each([
    ['no way', 45.76, 4.84, 45.76, 4.84, 0],
    ['one degree along the equator', 0, 0, 0, 1, HALF_CIRCLE / 180],
    ['across the 180th meridian', 0, 179.5, 0, -179.5, HALF_CIRCLE / 180],
    ['Lyon to Paris', 45.764, 4.8357, 48.8566, 2.3522, 391.5],
    ['pole to pole', 90, 12, -90, -100, HALF_CIRCLE],
    ['antipodes', 33.3, 77.7, -33.3, -102.3, HALF_CIRCLE],
  ])('EV-LIST-34: %s', (_what, lat1, lng1, lat2, lng2, km) => {
    const distance = distanceKm(lat1, lng1, lat2, lng2);
    expect(Math.abs(distance - km)).toBeLessThan(0.1);
    expect(distanceKm(lat2, lng2, lat1, lng1)).toBeCloseTo(distance, 6);
  });
});

const LATS = [-90, -89.99, -60, 0, 0.0001, 45.764, 89.9, 90];
const LNGS = [-180, -179.9999, -90, 0, 4.8357, 179, 180];
const RADII = [0.001, 1, 25, HALF_CIRCLE / 180, 5000, 10007.543, 15000, 20015, 20038];

describe('boundingBox', () => {
  it.each(RADII)('EV-LIST-34: contains every point within %d km', (radius) => {
    for (const lat of LATS) {
      for (const lng of LNGS) {
        const box = boundingBox(lat, lng, radius);
        const missed = pointsAround(lat, lng, radius).filter(
          ([pointLat, pointLng]) =>
            distanceKm(lat, lng, pointLat, pointLng) <= radius && !holds(box, pointLat, pointLng),
        );
        expect({ lat, lng, missed }).toEqual({ lat, lng, missed: [] });
      }
    }
  });

  it('EV-LIST-34: has one small range far from poles and the 180th meridian', () => {
    const { latMin, latMax, lngRanges } = boundingBox(60, 10, 25);
    expect([latMin, latMax]).toEqual([expect.closeTo(59.775, 3), expect.closeTo(60.225, 3)]);
    expect(lngRanges).toEqual([[expect.closeTo(9.55, 2), expect.closeTo(10.45, 2)]]);
  });

  it.each([
    ['west', -179.9],
    ['east', 179.9],
  ])('EV-LIST-34: has two ranges across the 180th meridian from the %s', (_side, lng) => {
    const { lngRanges } = boundingBox(0, lng, 25);
    expect(lngRanges).toHaveLength(2);
    expect(lngRanges).toContainEqual([expect.any(Number), 180]);
    expect(lngRanges).toContainEqual([-180, expect.any(Number)]);
  });

  it.each([
    [90, 0, 1],
    [-89.9, 50, 25],
    [10, 10, 20038],
  ])('EV-LIST-34: contains all longitudes if a pole is inside: %d %d %d', (lat, lng, radius) => {
    expect(boundingBox(lat, lng, radius).lngRanges).toEqual([[-180, 180]]);
  });
});

function pointsAround(lat: number, lng: number, radius: number): [number, number][] {
  const bearings = Array.from({ length: 72 }, (_, step) => (step * Math.PI) / 36);
  const around = [1, 0.999999, 0.5].flatMap((part) => bearings.map((angle) => pointAt(lat, lng, part * radius, angle)));
  return [...around, ...LATS.flatMap((pointLat) => LNGS.map((pointLng): [number, number] => [pointLat, pointLng]))];
}

function pointAt(lat: number, lng: number, km: number, bearing: number): [number, number] {
  const [phi, lambda, delta] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180, km / 6371];
  const sine = Math.sin(phi) * Math.cos(delta) + Math.cos(phi) * Math.sin(delta) * Math.cos(bearing);
  const pointLat = Math.asin(Math.max(-1, Math.min(1, sine)));
  const turn = Math.atan2(
    Math.sin(bearing) * Math.sin(delta) * Math.cos(phi),
    Math.cos(delta) - Math.sin(phi) * Math.sin(pointLat),
  );
  const pointLng = ((lambda + turn) * 180) / Math.PI;
  return [(pointLat * 180) / Math.PI, ((((pointLng + 180) % 360) + 360) % 360) - 180];
}

function holds({ latMin, latMax, lngRanges }: BoundingBox, lat: number, lng: number): boolean {
  return lat >= latMin && lat <= latMax && lngRanges.some(([west, east]) => lng >= west && lng <= east);
}
