import { RecentKeys } from './recent-keys.js';

describe('RecentKeys', () => {
  let now = 0;
  const keys = () => new RecentKeys({ maxKeys: 2, seconds: 60 }, () => now);
  beforeEach(() => (now = 5));

  it('keeps a key until it expires; adding it again restarts its time', () => {
    const recent = keys();
    recent.add('a');
    expect([recent.has('a'), recent.has('b')]).toEqual([true, false]);
    now += 59_999;
    expect(recent.has('a')).toBe(true);
    recent.add('a');
    now += 59_999;
    expect(recent.has('a')).toBe(true);
    now += 1;
    expect(recent.has('a')).toBe(false);
  });

  it('removes the oldest key above maxKeys', () => {
    const recent = keys();
    for (const key of ['a', 'b', 'a', 'c']) recent.add(key);
    expect(['a', 'b', 'c'].map((key) => recent.has(key))).toEqual([true, false, true]);
  });
});
