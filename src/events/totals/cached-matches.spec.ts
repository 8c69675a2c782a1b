import { IdSet } from './cached-matches.js';

describe('a set of ids', () => {
  it('contains and counts the ids that were added and not removed', () => {
    const [set, expected] = [new IdSet(), new Set<number>()];
    const ids = [1, 31, 32, 33, 63, 64, 1_000, 999_999, 4_000_000];
    for (let round = 0; round < 4; round += 1) {
      for (const [index, id] of ids.entries()) {
        const isMember = (index + round) % 3 !== 0;
        for (let times = 0; times < 2; times += 1) set.set(id, isMember);
        if (isMember) expected.add(id);
        else expected.delete(id);
      }
      expect(ids.filter((id) => set.has(id))).toEqual(ids.filter((id) => expected.has(id)));
      expect(set.size).toBe(expected.size);
    }
  });

  it('contains no id that was not added', () => {
    const set = new IdSet();
    set.set(64, true);
    expect([0, 32, 63, 65, 96, 5_000].filter((id) => set.has(id))).toEqual([]);
    set.set(5_000, false);
    expect(set.size).toBe(1);
  });
});
