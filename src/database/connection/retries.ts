import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats work that fails, after growing pauses with a random part, for as long as `mayRepeat` says so of the error. */
export async function withRetries<Result>(
  run: () => Promise<Result>,
  mayRepeat: (error: unknown, attempt: number) => boolean,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!mayRepeat(error, attempt)) throw error;
      await sleep(10 + Math.random() * Math.min(20 * 2 ** attempt, 490));
    }
  }
}
