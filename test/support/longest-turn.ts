import { setImmediate as nextTurn } from 'node:timers/promises';

/** What work cost the process. */
export interface WorkCost {
  /** The longest turn of the event loop, in milliseconds of processor time. */
  readonly turnMs: number;
  /** By how much the process grew at most, in bytes. */
  readonly grownBytes: number;
}

/** The longest turn that requests of others wait for (ical 5, pages P10). */
export const MAX_TURN_MS = 50;

/** Runs work and returns what it cost. Processor time, because other processes may use the machine. */
export async function costOf(work: () => Promise<unknown>): Promise<WorkCost> {
  const before = process.memoryUsage.rss();
  let [turnMs, most, isRunning] = [0, before, true];
  const watch = async () => {
    while (isRunning) {
      const since = process.cpuUsage();
      await nextTurn();
      const { user, system } = process.cpuUsage(since);
      turnMs = Math.max(turnMs, (user + system) / 1000);
      most = Math.max(most, process.memoryUsage.rss());
    }
  };
  const watched = watch();
  try {
    await work();
  } finally {
    isRunning = false;
  }
  // The turn in which the work ends counts, too.
  await watched;
  return { turnMs, grownBytes: most - before };
}
