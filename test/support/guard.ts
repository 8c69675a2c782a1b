import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/** Reads `+pid` and `-pid` from stdin. When the writing process ends, it kills the remaining processes. */
const GUARD = `
  const pids = new Set();
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\\n');
    rest = lines.pop();
    for (const line of lines) line[0] === '+' ? pids.add(+line.slice(1)) : pids.delete(+line.slice(1));
  });
  process.stdin.on('end', () => {
    for (const pid of pids) try { process.kill(pid, 'SIGKILL'); } catch {}
  });
`;

let guard: ChildProcessByStdio<Writable, null, null> | undefined;

/** Ends the child when this process ends, even by SIGKILL, which leaves no time to end children. */
export function guarded<Child extends ChildProcess>(child: Child): Child {
  const { pid } = child;
  if (pid === undefined) return child;
  const { stdin } = (guard ??= startGuard());
  stdin.write(`+${pid}\n`);
  child.once('exit', () => stdin.write(`-${pid}\n`));
  return child;
}

/** Starts the guard in its own process group, so that signals of a terminal do not reach it. */
function startGuard() {
  const started = spawn(process.execPath, ['-e', GUARD], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  started.unref();
  started.stdin.on('error', () => undefined);
  (started.stdin as Writable & { unref(): void }).unref();
  return started;
}
