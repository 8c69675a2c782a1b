/** The result of a promise, or an error when it takes longer. */
export async function within<Result>(milliseconds: number, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // Of a busy process, timers come before what has arrived meanwhile: that may be the answer.
    timer = setTimeout(() => setImmediate(reject, new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** How long a stop waits for a step of work behind the requests, in milliseconds. */
const STEP_ENDS = 1_000;

/** At a stop: done when the step under way has ended, or hangs. The next process goes on from the last one that was finished. */
export async function lastStep(work: Promise<unknown> | undefined): Promise<void> {
  await within(STEP_ENDS, Promise.resolve(work)).catch(() => undefined);
}
