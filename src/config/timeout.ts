/** Returns the result of a promise, or throws if it takes longer. */
export async function within<Result>(milliseconds: number, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // In a busy process, timers run before input that has arrived in the meantime, which may be the result.
    timer = setTimeout(() => setImmediate(reject, new Error(`no response within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** How long a shutdown waits for a step of background work. */
const STEP_TIMEOUT_MS = 1_000;

/** Waits at a shutdown until the running step has ended, or hangs. The next process continues after the last finished one. */
export async function waitForStep(work: Promise<unknown> | undefined): Promise<void> {
  await within(STEP_TIMEOUT_MS, Promise.resolve(work)).catch(() => undefined);
}
