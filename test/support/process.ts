import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { guarded } from './guard.js';
import { PATIENT } from './patience.js';
import { temporaryFolder } from './run-folder.js';

/** They save a fifth of the processor time of a start. No process lives long enough to gain by optimized code. */
const SHORT_LIVED = ['--no-opt', '--min-semi-space-size=16'];

/** The exit code and the output of a finished process. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Creates an empty working directory, because the service writes its default files there. */
export function emptyFolder(): string {
  return temporaryFolder('run');
}

/** Runs the built command line and waits for its end. */
export function runCli(
  args: readonly string[],
  settings: Record<string, string>,
  folder = emptyFolder(),
): Promise<Finished> {
  return finished(start('cli.js', args, settings, folder));
}

/** Starts the built server on a free port, and waits until it reaches the given state. */
export async function startServer(
  settings: Record<string, string>,
  folder = emptyFolder(),
  state: 'ready' | 'listening' = 'ready',
) {
  // LOG_LEVEL overrides the settings, because the port is read from the log.
  const child = start(
    'main.js',
    [],
    { PORT: '0', HOST: '127.0.0.1', SHUTDOWN_DELAY: '0', ...settings, LOG_LEVEL: 'info' },
    folder,
  );
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (output.stderr += chunk));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const port = await new Promise<number>((found, failed) => {
    child.stdout?.on('data', () => {
      const [, listening] = said(state).exec(output.stdout) ?? [];
      if (listening !== undefined) found(Number(listening));
    });
    void ended.then((code) => failed(new Error(`the server ended with ${code}: ${output.stderr}`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { pid: child.pid ?? 0, port, output, stop, ended, kill: (signal: NodeJS.Signals) => child.kill(signal) };
}

/** Returns the port of METRICS_PORT=0, which the log of a started server names. */
export function metricsPortOf({ output }: { readonly output: { readonly stdout: string } }): number {
  return Number(/"port":(\d+),"msg":"metrics"/.exec(output.stdout)?.[1]);
}

const said = (state: string) => new RegExp(`"url":"http://127\\.0\\.0\\.1:(\\d+)[^"]*","msg":"${state}"`);

/** Runs the built server until it ends by itself, as with invalid settings. */
export function runServer(settings: Record<string, string>, folder = emptyFolder()): Promise<Finished> {
  return finished(start('main.js', [], { PORT: '0', ...settings }, folder));
}

/** Starts a built program without reading its output. */
export function start(
  file: string,
  args: readonly string[],
  settings: Record<string, string>,
  folder: string,
  stdout: 'pipe' | number = 'pipe',
): ChildProcess {
  const { PATH = '' } = process.env;
  // A child that hangs must not outlive the test that fails because of it.
  return guarded(
    spawn(process.execPath, [...SHORT_LIVED, resolve('dist', file), ...args], {
      cwd: folder,
      env: { PATH, ...PATIENT, ...settings },
      stdio: ['pipe', stdout, 'pipe'],
      timeout: 120_000,
    }),
  );
}

function finished(child: ChildProcess): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  return new Promise((done) => child.once('close', (code) => done({ code, stdout, stderr })));
}
