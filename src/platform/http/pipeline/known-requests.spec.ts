import { type KnownRequest, KnownRequests } from './known-requests.js';

/** An entry that counts as 1,000 characters under a key of one. */
const known = (cacheKey: string): KnownRequest => ({
  cacheKey: cacheKey.padEnd(499),
  headers: { ofContent: [], ofUnchanged: [], isGzipped: false, characters: 0 },
  headersOfReply: {},
  matched: undefined,
});

test('known requests are limited by the characters of their keys and headers', () => {
  const requests = new KnownRequests(6_000);
  const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  for (const key of keys) requests.set(key, known(key));
  expect(keys.filter((key) => requests.get(key) !== undefined)).toEqual(['b', 'c', 'd', 'e', 'f', 'g']);
});
