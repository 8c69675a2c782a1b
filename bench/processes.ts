import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SYNCHRONOUS } from './database.js';

export const ADMIN_TOKEN = 'bench-administrator-token-0123456789';
const MOUNT = '/calendar/events/v1';

/** A measured server in its own process. */
export interface Contender {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  /** Processor time until the first response, in microseconds. */
  readonly startCpu: number;
  stop(): Promise<void>;
}

/** The folder of the project. */
export const ROOT = join(import.meta.dirname, '..', '..', '..');

interface Service {
  readonly name?: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** The folder of another built tree. */
  readonly root?: string;
  /** The path of another main file, such as that of a team with modules of its own. */
  readonly program?: string;
}

/** Starts the built application with its default settings, request log included: an operator has these. */
export function startKalends(
  databaseUrl: string,
  { name = 'Kalends', settings = {}, root = ROOT, program = join(root, 'dist', 'main.js') }: Service = {},
): Promise<Contender> {
  return start(name, [program], { DATABASE_URL: databaseUrl, ...settings }, '/health/ready');
}

export function startCeiling(databaseUrl: string): Promise<Contender> {
  return start('ceiling', [join(import.meta.dirname, 'ceiling', 'server.js')], { DATABASE_URL: databaseUrl });
}

/** Starts the ceiling of kept responses, which are in a file (`KeptReply[]`). */
export function startHitsCeiling(databaseUrl: string, replies: string): Promise<Contender> {
  const settings = { DATABASE_URL: databaseUrl, REPLIES: replies };
  return start('ceiling of kept responses', [join(import.meta.dirname, 'ceiling', 'hits.js')], settings);
}

const COMMITTER_START_MS = 1_000;

/** Starts a process that commits at a rate, in commits a second. */
export async function startCommitter(databaseUrl: string, rate: number): Promise<Pick<Contender, 'stop'>> {
  const settings = { DATABASE_URL: databaseUrl, COMMITS: String(rate) };
  const child = launch([join(import.meta.dirname, 'committer.js')], settings);
  await once(child, 'spawn');
  // Its start takes processor time, which is not that of commits.
  await sleep(COMMITTER_START_MS);
  const stop = async () => {
    if (child.exitCode !== null) throw new Error(`The committer ended with ${child.exitCode}.`);
    child.kill('SIGTERM');
    await once(child, 'close');
  };
  return { stop };
}

/** Runs a command of the application: `migrate` creates the schema. */
export async function command(
  name: 'migrate' | 'import',
  databaseUrl: string,
  parameters: readonly string[] = [],
): Promise<void> {
  const settings = { DATABASE_URL: databaseUrl, KALENDS_ADMIN_TOKEN: ADMIN_TOKEN };
  const child = launch([join(ROOT, 'dist', 'cli.js'), name, ...parameters], settings);
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
}

/** Waits until a path is answered. A ceiling has no path for its health. */
async function start(
  name: string,
  command: string[],
  settings: Record<string, string>,
  path = `${MOUNT}/tags`,
): Promise<Contender> {
  const port = await freePort();
  const child = launch(command, {
    PORT: String(port),
    HOST: '127.0.0.1',
    KALENDS_ADMIN_TOKEN: ADMIN_TOKEN,
    ...settings,
  });
  await waitUntilReady(name, `http://127.0.0.1:${port}${path}`, child);
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'close');
  };
  const pid = child.pid ?? 0;
  return { name, port, pid, startCpu: cpuMicroseconds({ pid }), stop };
}

function launch(command: string[], settings: Record<string, string>): ChildProcess {
  const { PATH = '' } = process.env;
  const cwd = mkdtempSync(join(tmpdir(), 'kalends-bench-run-'));
  const stdio: ['ignore', 'ignore', 'inherit'] = ['ignore', 'ignore', 'inherit'];
  const env = { PATH, TZ: 'UTC', SQLITE_SYNCHRONOUS: SYNCHRONOUS, ...settings };
  const child = spawn(process.execPath, command, { cwd, env, stdio });
  child.once('close', () => rmSync(cwd, { recursive: true, force: true }));
  return child;
}

/** Five minutes: a million events are loaded into the index before a service is ready, on a machine with other work. */
const MAX_ATTEMPTS = 3_000;

async function waitUntilReady(name: string, url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS && child.exitCode === null; attempt += 1) {
    try {
      const answer = await fetch(url);
      await answer.arrayBuffer();
      if (answer.ok) return;
    } catch {
      // Not listening yet.
    }
    await sleep(100);
  }
  throw new Error(`${name} does not answer.`);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return (address as { port: number }).port;
}

/**
 * Returns the user and system processor time of a process and its workers, in microseconds. 0 for process 0. The kernel
 * counts in hundredths of a second.
 */
export function cpuMicroseconds({ pid }: Pick<Contender, 'pid'>): number {
  if (pid === 0) return 0;
  return processesOf(pid).reduce((sum, one) => sum + ticksOf(one) * 10_000, 0);
}

function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Returns the resident memory of a process or of its largest worker, in megabytes. */
export function residentMegabytes({ pid }: Contender): number {
  const sizes = processesOf(pid).map((one) => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1]);
  return Math.max(...sizes.map((size) => Number(size ?? 0) / 1024));
}

function processesOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}
