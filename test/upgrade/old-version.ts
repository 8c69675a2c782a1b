import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../faults/instance.js';
import { folderFor } from '../faults/processes.js';

const run = promisify(execFile);
const EXTENSIVE = { maxBuffer: 64 * 1024 * 1024 };

/** Returns the last commit before the newest migration. */
export async function beforeNewestMigration(): Promise<string> {
  return `${await git('log', '-1', '--format=%H', '--', 'src/database/migrations')}^`;
}

/** Builds another commit of this repository in a separate folder and returns the path of its `dist`. */
export async function build(ref: string): Promise<string> {
  const folder = join(folderFor('version'), 'sources');
  await git('worktree', 'add', '--detach', folder, ref);
  // Removes git's record of the worktree after its folder was deleted.
  process.once('exit', () => execFileSync('git', ['-C', ROOT, 'worktree', 'prune']));
  const lock = 'package-lock.json';
  if (readFileSync(join(folder, lock), 'utf8') === readFileSync(join(ROOT, lock), 'utf8')) {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  } else {
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, ...EXTENSIVE });
  }
  await run('npm', ['run', 'build'], { cwd: folder, ...EXTENSIVE });
  return join(folder, 'dist');
}

async function git(...args: string[]): Promise<string> {
  return (await run('git', ['-C', ROOT, ...args])).stdout.trim();
}
