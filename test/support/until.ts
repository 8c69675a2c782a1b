import { setTimeout as sleep } from 'node:timers/promises';

const MOST_LOOKS = 200;
const PAUSE_MILLISECONDS = 50;

/** Waits for what comes by itself; a condition that does not come true is an error, not a test without end. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    if (await condition()) return;
    await sleep(PAUSE_MILLISECONDS);
  }
  throw new Error('It did not come true.');
}
