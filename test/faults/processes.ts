import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What was started and made here, and must not outlive the run. */
const running = new Set<ChildProcess>();
const folders = new Set<string>();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** A folder that goes away with the run. */
export function folderFor(what: string): string {
  const folder = mkdtempSync(join(tmpdir(), `kalends-faults-${what}-`));
  folders.add(folder);
  return folder;
}

/** A process that can be killed and started again. What it says stands in a file. */
export class Process {
  private child: ChildProcess | undefined;

  constructor(
    private readonly logFile: string,
    readonly command: readonly string[],
    private readonly options: { readonly cwd?: string; readonly env?: Record<string, string> } = {},
  ) {}

  get isRunning(): boolean {
    return this.child !== undefined;
  }

  /** `more`: further arguments, of this start only. */
  start(more: readonly string[] = []): void {
    const log = openSync(this.logFile, 'a');
    const [file = '', ...args] = this.command;
    const child = spawn(file, [...args, ...more], { ...this.options, stdio: ['ignore', log, log] });
    this.child = child;
    running.add(child);
    child.once('error', (error) => process.stderr.write(`${file}: ${error.message}\n`));
    child.once('close', () => {
      running.delete(child);
      if (this.child === child) this.child = undefined;
    });
  }

  /** The end of what it said. */
  lastWords(): string {
    return readFileSync(this.logFile, 'utf8').slice(-1_500);
  }

  /** Sends a signal without waiting for what it does. */
  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Ends the process and waits until it is gone; kills it where that takes longer than `patience` milliseconds. */
  async end(signal: NodeJS.Signals, patience = 60_000): Promise<void> {
    const { child } = this;
    if (child === undefined) return;
    const gone = once(child, 'close');
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), patience);
    await gone;
    clearTimeout(timer);
  }
}

/** Waits until something is so, and answers how many milliseconds it took. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, patience = 60_000): Promise<number> {
  const start = performance.now();
  while (!(await isSo())) {
    if (performance.now() - start > patience) throw new Error(`not within ${patience / 1000} s: ${what}`);
    await sleep(20);
  }
  return performance.now() - start;
}
