import { retryAfterSeconds, retryDelay } from './retry-schedule.js';

test('HOOK-12: ten attempts: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h', () => {
  const delays = Array.from({ length: 10 }, (_, index) => retryDelay(index + 1, () => 0.5));
  expect(delays).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, undefined]);
});

test('HOOK-12: each delay varies by 10 %', () => {
  expect([retryDelay(1, () => 0), retryDelay(1, () => 1)]).toEqual([4.5, 5.5]);
  const delays = Array.from({ length: 100 }, () => retryDelay(2)!);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(270);
  expect(Math.max(...delays)).toBeLessThanOrEqual(330);
  expect(new Set(delays).size).toBeGreaterThan(1);
});

const NOW = Date.parse('2026-11-20T08:39:00Z');

test.each([
  [undefined, undefined],
  ['7', 7],
  [' 7 ', 7],
  ['0', 0],
  ['999999', 86_400],
  ['Fri, 20 Nov 2026 08:39:30 GMT', 30],
  ['Fri, 20 Nov 2026 08:38:30 GMT', 0],
  ['Fri, 20 Nov 2028 08:38:30 GMT', 86_400],
  ['soon', undefined],
  ['', undefined],
])('HOOK-11: Retry-After %j is %j seconds', (header, seconds) => {
  expect(retryAfterSeconds(header, NOW)).toBe(seconds);
});
