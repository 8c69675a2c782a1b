import { isOneOf, NEVER } from './sql-condition.js';

describe('isOneOf', () => {
  it('passes each value as a parameter', () => {
    expect(isOneOf('id', [3, 1])).toEqual({ sql: 'id IN (?, ?)', params: [3, 1] });
    expect(isOneOf('slug', ["o'x"])).toEqual({ sql: 'slug IN (?)', params: ["o'x"] });
  });

  it('is never true for an empty list', () => {
    expect(isOneOf('id', [])).toBe(NEVER);
  });

  it('writes many ids, but never texts, into the SQL, because databases limit the number of parameters', () => {
    const ids = Array.from({ length: 40_000 }, (_, n) => n + 1);
    expect(isOneOf('id', ids)).toEqual({ sql: `id IN (${ids.join(', ')})`, params: [] });
    expect(isOneOf('slug', ids.map(String)).params).toHaveLength(40_000);
  });
});
