import { within } from './within.js';

/** How long a stop waits for a step of work behind the requests, in milliseconds. */
const STEP_ENDS = 1_000;

/** At a stop: done when the step under way has ended, or hangs. The next process goes on from the last one that was finished. */
export async function lastStep(work: Promise<unknown> | undefined): Promise<void> {
  await within(STEP_ENDS, Promise.resolve(work)).catch(() => undefined);
}
