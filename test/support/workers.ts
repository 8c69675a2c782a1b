import { readFileSync } from 'node:fs';
import { startServer } from './process.js';
import { until } from './until.js';

export const TOKEN = 'operators-token-of-at-least-32-characters';

type Server = Awaited<ReturnType<typeof startServer>>;

/** Returns the child processes of a process. */
export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

/** Returns how often the log contains the message. */
export function said({ output }: Server, message: string): number {
  return output.stdout.split(`"msg":"${message}"`).length - 1;
}

/** Returns the workers that handled requests, by their number in the log. */
export function answered({ output }: Server): Set<string> {
  const lines = output.stdout.split('\n').filter((line) => line.includes('"status":'));
  return new Set(lines.map((line) => /"worker":(\d+)/.exec(line)?.[1] ?? 'none'));
}

/** Waits longer, because processes start slowly on a busy machine. */
export const comes = (isSo: () => boolean) => until(isSo, 40_000);

/** Starts a server with several workers on a database, and waits until all of them listen. */
export async function workersOf(databaseUrl: string, count: number, settings: Record<string, string>): Promise<Server> {
  const own = { DATABASE_URL: databaseUrl, KALENDS_ADMIN_TOKEN: TOKEN, WORKERS: String(count) };
  const server = await startServer({ ...own, ...settings });
  await comes(() => said(server, 'listening') === count);
  return server;
}
