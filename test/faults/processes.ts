import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Started processes and created folders, which must not outlive the run. */
const running = new Set<ChildProcess>();
const folders = new Set<string>();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** Creates a folder that is removed at the end of the run. */
export function folderFor(what: string): string {
  const folder = mkdtempSync(join(tmpdir(), `kalends-faults-${what}-`));
  folders.add(folder);
  return folder;
}

/** A process that can be killed and started again. Its output is appended to a log file. */
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

  /** `more`: further arguments for this start only. */
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

  /** Returns the last 1,500 characters of the log file. */
  lastWords(): string {
    return readFileSync(this.logFile, 'utf8').slice(-1_500);
  }

  /** Sends a signal without waiting for its effect. */
  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Sends a signal and waits for the end of the process. Kills it after `patience` milliseconds. */
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

/** Waits until `isSo` returns true, and returns the time it took, in milliseconds. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, patience = 60_000): Promise<number> {
  const start = performance.now();
  while (!(await isSo())) {
    if (performance.now() - start > patience) throw new Error(`not within ${patience / 1000} s: ${what}`);
    await sleep(20);
  }
  return performance.now() - start;
}
