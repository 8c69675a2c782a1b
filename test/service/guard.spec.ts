import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { guarded } from '../support/guard.js';
import { until } from '../support/until.js';

const MODULE = ts.transpileModule(readFileSync('test/support/guard.ts', 'utf8'), {
  compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
}).outputText;

const STARTS_ANOTHER = `
  ${MODULE}
  const other = guarded(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }));
  console.log(other.pid);
  setInterval(() => {}, 1000);
`;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'processes of a test end with the process of the test: %s',
  async (signal) => {
    const args = ['--input-type=module', '-e', STARTS_ANOTHER];
    const starter = guarded(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }));
    const pid = Number(((await once(starter.stdout, 'data')) as [Buffer])[0].toString());
    expect(isRunning(pid)).toBe(true);
    starter.kill(signal);
    await until(() => !isRunning(pid), 30_000);
  },
);
