import { IdSet } from './cached-matches.js';

describe('a set of ids', () => {
  it('holds what was put in and not taken out, and counts it', () => {
    const [set, other] = [new IdSet(), new Set<number>()];
    const ids = [1, 31, 32, 33, 63, 64, 1_000, 999_999, 4_000_000];
    for (let round = 0; round < 4; round += 1) {
      for (const [index, id] of ids.entries()) {
        const isMember = (index + round) % 3 !== 0;
        for (let times = 0; times < 2; times += 1) set.put(id, isMember);
        if (isMember) other.add(id);
        else other.delete(id);
      }
      expect(ids.filter((id) => set.has(id))).toEqual(ids.filter((id) => other.has(id)));
      expect(set.size).toBe(other.size);
    }
  });

  it('has no id that nobody put in', () => {
    const set = new IdSet();
    set.put(64, true);
    expect([0, 32, 63, 65, 96, 5_000].filter((id) => set.has(id))).toEqual([]);
    set.put(5_000, false);
    expect(set.size).toBe(1);
  });
});
