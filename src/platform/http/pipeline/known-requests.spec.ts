import { type KnownRequest, KnownRequests } from './known-requests.js';

/** An entry that counts as 1,000 characters under a key of one. */
const known = (cacheKey: string): KnownRequest => ({
  cacheKey: cacheKey.padEnd(499),
  headers: { ofContent: [], ofUnchanged: [], isGzipped: false, characters: 0 },
  headersOfReply: {},
  matched: undefined,
});

describe('KnownRequests', () => {
  it('drops the requests that were not used recently', () => {
    const requests = new KnownRequests(6_000);
    for (const key of ['a', 'b', 'c', 'd']) requests.set(key, known(key));
    expect(requests.get('a')).toBeDefined();
    for (const key of ['e', 'f', 'g']) requests.set(key, known(key));
    expect(['b', 'c', 'a'].map((key) => requests.get(key)?.cacheKey.trim())).toEqual([undefined, undefined, 'a']);
  });

  it('counts a request once, however often it is noted', () => {
    const requests = new KnownRequests(6_000);
    requests.set('a', known('a'));
    for (let time = 0; time < 20; time += 1) requests.set('b', known('b'));
    expect(requests.get('a')).toBeDefined();
  });

  it('has no room for a request that alone would fill it, after the next one', () => {
    const requests = new KnownRequests(1_000);
    requests.set('a', known('a'));
    requests.set('b', known('b'));
    requests.set('c', known('c'));
    expect(requests.get('a')).toBeUndefined();
  });
});
