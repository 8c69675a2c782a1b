import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MILLISECONDS = 50;

/**
 * Waits until a condition is true, and throws at the deadline. `patience`: the sum of the pauses between the checks, in
 * milliseconds.
 */
export async function until(condition: () => boolean | Promise<boolean>, patience = 10_000): Promise<void> {
  for (let paused = 0; paused < patience; paused += PAUSE_MILLISECONDS) {
    if (await condition()) return;
    await sleep(PAUSE_MILLISECONDS);
  }
  throw new Error('It did not come true.');
}
