import { restartDelay } from './supervisor.js';

test.each([
  [0, 0],
  [1, 100],
  [2, 200],
  [9, 25_600],
  [10, 30_000],
  [2000, 30_000],
])('after %i early exits the next worker starts after %i ms', (failures, delay) => {
  expect(restartDelay(failures)).toBe(delay);
});
