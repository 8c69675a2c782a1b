import { RecentKeys } from './recent-keys.js';

describe('RecentKeys', () => {
  let now = 0;
  const keys = () => new RecentKeys({ most: 2, seconds: 60 }, () => now);
  beforeEach(() => (now = 5));

  it('remembers a key for its time, from the last time it was noted', () => {
    const recent = keys();
    recent.note('a');
    expect([recent.has('a'), recent.has('b')]).toEqual([true, false]);
    now += 59_999;
    expect(recent.has('a')).toBe(true);
    recent.note('a');
    now += 59_999;
    expect(recent.has('a')).toBe(true);
    now += 1;
    expect(recent.has('a')).toBe(false);
  });

  it('forgets what was noted first where there is no room', () => {
    const recent = keys();
    for (const key of ['a', 'b', 'a', 'c']) recent.note(key);
    expect(['a', 'b', 'c'].map((key) => recent.has(key))).toEqual([true, false, true]);
  });
});
