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
  const watch = (since: NodeJS.CpuUsage) => {
    const { user, system } = process.cpuUsage(since);
    turnMs = Math.max(turnMs, (user + system) / 1000);
    most = Math.max(most, process.memoryUsage.rss());
    if (isRunning) setImmediate(watch, process.cpuUsage());
  };
  setImmediate(watch, process.cpuUsage());
  await work();
  isRunning = false;
  return { turnMs, grownBytes: most - before };
}
