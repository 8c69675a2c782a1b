import { acceptsGzip } from './gzip.js';

test.each([
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['GZIP', true],
  ['x-gzip', true],
  ['gzip, deflate, br', true],
  ['br, deflate', false],
  ['*', true],
  ['*;q=0', false],
  ['*;q=0, gzip', true],
  ['*, gzip;q=0', false],
  ['gzip;q=0', false],
  ['gzip;q=0.0', false],
  ['gzip;q=0.000', false],
  ['gzip;q=0.001', true],
  ['gzip ; q=1.0', true],
  ['gzip;Q=0.5', true],
  ['gzip;q=nonsense', false],
  ['gzip;q=2', false],
  ['gzip;q=0.5, identity', true],
  ['gzip;q=0.5, identity;q=0.4', true],
  ['identity, gzip', true],
  ['identity', false],
  ['identity;q=0', false],
  ['identity;q=0, *', true],
  ['identity;q=1, *;q=0.5', true],
])('Accept-Encoding: %s accepts gzip: %s', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected);
});
