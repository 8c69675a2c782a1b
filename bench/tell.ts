/** What the bench is at, on standard error: standard output is for the figures. */
export function tell(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
