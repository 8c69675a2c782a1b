import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { guarded } from './guard.js';
import { until } from './until.js';

/** A program that runs on a terminal. */
export interface OnTerminal {
  /** What the terminal shows so far. */
  shown(): string;
  /** Waits until the terminal shows a text. */
  shows(text: string): Promise<void>;
  /** Interrupts the program as Ctrl+C does, and waits for its end. */
  interrupt(): Promise<void>;
}

/** Runs the built server on a pseudo-terminal of its own, by the program `script` of util-linux. */
export function startOnTerminal(settings: Record<string, string>, folder: string): OnTerminal {
  const { PATH = '' } = process.env;
  const program = `exec "${process.execPath}" "${resolve('dist', 'main.js')}"`;
  const child = guarded(
    spawn('script', ['--quiet', '--command', program, '/dev/null'], {
      cwd: folder,
      env: { PATH, SHELL: '/bin/sh', ...settings },
      stdio: ['pipe', 'pipe', 'inherit'],
      timeout: 120_000,
    }),
  );
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const shown = () => text.replaceAll('\r\n', '\n');
  return {
    shown,
    shows: (expected) => until(() => shown().includes(expected), 60_000),
    interrupt: () => {
      child.stdin?.write('\x03');
      return ended;
    },
  };
}
