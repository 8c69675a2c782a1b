import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guarded } from '../support/guard.js';
import { temporaryFolder } from '../support/run-folder.js';
import { until } from '../support/until.js';

const folder = temporaryFolder('guard');
const OPTIONS = ['--ignoreConfig', '--noCheck', '--module', 'nodenext', '--target', 'es2023', '--outDir', folder];
execFileSync('node_modules/.bin/tsc', [...OPTIONS, 'test/support/guard.ts']);

const STARTS_ANOTHER = `
  ${readFileSync(join(folder, 'guard.js'), 'utf8')}
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
