import { isOneOf, NEVER } from './sql-condition.js';

describe('isOneOf', () => {
  it('names each value by a parameter', () => {
    expect(isOneOf('id', [3, 1])).toEqual({ sql: 'id IN (?, ?)', params: [3, 1] });
    expect(isOneOf('slug', ["o'x"])).toEqual({ sql: 'slug IN (?)', params: ["o'x"] });
  });

  it('is never true of an empty list', () => {
    expect(isOneOf('id', [])).toBe(NEVER);
  });

  it('writes many ids out, since statements have a limit of parameters; texts never', () => {
    const ids = Array.from({ length: 40_000 }, (_, n) => n + 1);
    expect(isOneOf('id', ids)).toEqual({ sql: `id IN (${ids.join(', ')})`, params: [] });
    expect(isOneOf('slug', ids.map(String)).params).toHaveLength(40_000);
  });
});
