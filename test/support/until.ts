import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MILLISECONDS = 50;

/**
 * Waits for what comes by itself; a condition that does not come true is an error, not a test without end. `patience`: the
 * pauses between the looks together, in milliseconds.
 */
export async function until(condition: () => boolean | Promise<boolean>, patience = 10_000): Promise<void> {
  for (let paused = 0; paused < patience; paused += PAUSE_MILLISECONDS) {
    if (await condition()) return;
    await sleep(PAUSE_MILLISECONDS);
  }
  throw new Error('It did not come true.');
}
