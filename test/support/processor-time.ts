const MEASUREMENTS = 3;
const ATTEMPTS = 5;

/** The least processor time of several runs, in microseconds: what else runs on the machine does not count. */
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
 * How many times the processor time of other work some work takes. What is no less than `limit` is measured again: garbage
 * and compilation of others in this process may count at once, but do not do so each time.
 */
export async function costRatio(limit: number, work: () => Promise<unknown>, other: () => Promise<unknown>) {
  let least = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && least >= limit; attempt += 1) {
    least = Math.min(least, (await processorTime(work)) / (await processorTime(other)));
  }
  return least;
}

/** Of `growth`: more than in proportion, with garbage to collect, and less than the square. */
export const MOST_GROWTH = 128;

/**
 * How many times the time of a sixteenth of a text its whole takes: about 16 in proportion, 256 as the square. Measured again
 * where it is no less than MOST_GROWTH, for the reason of `costRatio`. `least`: in microseconds; what takes less cannot be
 * measured.
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
