import { setImmediate as turn } from 'node:timers/promises';
import { currentDeadline, withDeadline } from '../../database/connection/deadline.js';
import { OutOfTime } from '../../database/connection/unavailable.js';
import { findWords } from './dictionary-scan.js';
import { Dictionary } from './dictionary.js';

const WORDS = Array.from({ length: 200_000 }, (_, n) => `${(n * 7_919).toString(36)}x`);
const large = new Dictionary();
large.add(WORDS);
/** Needles that no word has take the longest. */
const MISSING = Array.from({ length: 40 }, (_, n) => `no${n}such`);

it('returns the words that contain each needle, or undefined if there are too many', async () => {
  const small = new Dictionary();
  small.add(['jazz', 'jazzy', 'acidjazz', 'night', 'nights']);
  const found = await findWords(small, ['jazz', 'jazz\n', '\njazz', '\njazz\n', '\nfolk\n', 'i', 'q'], 2);
  expect(found).toEqual([undefined, ['acidjazz', 'jazz'], ['jazz', 'jazzy'], ['jazz'], [], undefined, []]);
});

it('lets other work run', async () => {
  let turns = 0;
  let isDone = false;
  const work = findWords(large, MISSING, 10).then(() => (isDone = true));
  for (; !isDone; turns += 1) await turn();
  await work;
  expect(turns).toBeGreaterThan(2);
});

it('stops after the deadline of the request, and when its client has left', async () => {
  await expect(withDeadline(1, () => findWords(large, MISSING, 10))).rejects.toThrow(OutOfTime);
  await withDeadline(10_000, async () => {
    const work = findWords(large, MISSING, 10);
    await turn();
    currentDeadline().expire();
    await expect(work).rejects.toThrow(OutOfTime);
  });
});

it('runs two searches at once', async () => {
  const order: number[] = [];
  const search = async (needles: readonly string[], n: number) => {
    await findWords(large, needles, 10);
    order.push(n);
  };
  await Promise.all([search(MISSING, 1), search(MISSING, 2), search(['\nx\n'], 3)]);
  expect(order.indexOf(3)).toBeGreaterThan(0);
});
