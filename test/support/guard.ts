import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/** Reads `+pid` and `-pid`. When the process that writes them is gone, it kills those that are left. */
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

/** The child ends with this process, however this one ends: SIGKILL leaves it no time to end its children itself. */
export function guarded<Child extends ChildProcess>(child: Child): Child {
  const { pid } = child;
  if (pid === undefined) return child;
  const { stdin } = (guard ??= startGuard());
  stdin.write(`+${pid}\n`);
  child.once('exit', () => stdin.write(`-${pid}\n`));
  return child;
}

/** It has a group of its own: signals to the group of a terminal do not reach it. */
function startGuard() {
  const started = spawn(process.execPath, ['-e', GUARD], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  started.unref();
  started.stdin.on('error', () => undefined);
  (started.stdin as Writable & { unref(): void }).unref();
  return started;
}
