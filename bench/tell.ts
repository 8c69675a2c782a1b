/** Logs progress on standard error, because standard output is for the results. */
export function log(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
