const FIRST = 100;
const MOST = 30_000;

/** How long to wait before a process is started again, in milliseconds: after so many that ended soon after their start. */
export function restartDelay(failures: number): number {
  return failures === 0 ? 0 : Math.min(MOST, FIRST * 2 ** (failures - 1));
}
