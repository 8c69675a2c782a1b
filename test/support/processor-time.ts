const MEASUREMENTS = 3;

/** The least processor time of several runs, in microseconds: what else runs on the machine does not count. */
export async function processorTime(work: () => Promise<unknown>): Promise<number> {
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
 * How many times the time of a sixteenth of a text its whole takes: about 16 in proportion, 256 as the square. `least`: in
 * microseconds; what takes less cannot be measured.
 */
export async function growth(text: string, work: (text: string) => unknown, least = 1_000): Promise<number> {
  const timeOf = (part: string) => processorTime(() => Promise.resolve(work(part)));
  const part = await timeOf(text.slice(0, text.length / 16));
  return (await timeOf(text)) / Math.max(part, least);
}

/** Of `growth`: more than in proportion, with garbage to collect, and less than the square. */
export const MOST_GROWTH = 128;
