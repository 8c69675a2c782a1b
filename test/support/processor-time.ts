const MEASUREMENTS = 3;
const ATTEMPTS = 5;

/** Returns the least CPU time of several runs, in microseconds. Excludes other processes on the machine. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < MEASUREMENTS; n += 1) {
    const start = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(start);
    times.push(user + system);
  }
  return Math.min(...times);
}

/**
 * Returns the CPU time of `work` as a multiple of that of `other`. Measures again while the ratio reaches `limit`,
 * because garbage collection and compilation in this process may distort a single measurement.
 */
export async function costRatio(limit: number, work: () => Promise<unknown>, other: () => Promise<unknown>) {
  let least = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && least >= limit; attempt += 1) {
    least = Math.min(least, (await processorTime(work)) / (await processorTime(other)));
  }
  return least;
}

/** Limit of `growth`: above linear growth (16) with garbage collection, below quadratic growth (256). */
export const MOST_GROWTH = 128;

/**
 * Returns the CPU time for a text as a multiple of that for a sixteenth of it: about 16 if linear, 256 if quadratic.
 * Measures again while the ratio reaches MOST_GROWTH, as `costRatio` does. `least`: the shortest measurable time, in
 * microseconds.
 */
export async function growth(text: string, work: (text: string) => unknown, least = 1_000): Promise<number> {
  const timeOf = (part: string) => processorTime(() => Promise.resolve(work(part)));
  let ratio = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && ratio >= MOST_GROWTH; attempt += 1) {
    const part = await timeOf(text.slice(0, text.length / 16));
    ratio = Math.min(ratio, (await timeOf(text)) / Math.max(part, least));
  }
  return ratio;
}
