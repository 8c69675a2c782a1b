import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sizes } from './dataset/bodies.js';
import { ROOT } from './processes.js';

/** Another commit of the project, built in its own clone. */
export interface Baseline {
  /** The first 8 digits of the hash. */
  readonly commit: string;
  /** The folder of its sources and build. */
  readonly root: string;
  /** Fills an empty database with that commit's code. */
  load(url: string, sizes: Sizes): Promise<void>;
  remove(): void;
}

/** Builds a commit. `ref`: any git revision. Installs packages only if package-lock.json differs. */
export async function buildBaseline(ref: string): Promise<Baseline> {
  const commit = git(ROOT, 'rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`);
  const root = mkdtempSync(join(tmpdir(), 'kalends-bench-against-'));
  const remove = () => rmSync(root, { recursive: true, force: true });
  try {
    git(ROOT, 'clone', '--quiet', '--shared', '--no-checkout', ROOT, root);
    git(root, 'checkout', '--quiet', '--detach', commit);
    if (isLockedAlike(root, '.')) symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    else run('npm', ['ci', '--no-audit', '--no-fund'], root);
    // An older commit has no tools. One with others installs them itself.
    if (isLockedAlike(root, 'tools')) symlinkSync(join(ROOT, 'tools/node_modules'), join(root, 'tools/node_modules'));
    run('npm', ['run', 'prebench'], root);
    const { load } = (await import(join(root, 'bench/dist/bench/dataset/load.js'))) as Pick<Baseline, 'load'>;
    return { commit: commit.slice(0, 8), root, load, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Whether the packages of a folder are those of this tree. */
function isLockedAlike(root: string, folder: string): boolean {
  const [lock, ours] = [root, ROOT].map((tree) => join(tree, folder, 'package-lock.json')) as [string, string];
  return existsSync(lock) && readFileSync(lock, 'utf8') === readFileSync(ours, 'utf8');
}

function git(cwd: string, ...args: string[]): string {
  return run('git', args, cwd).trim();
}

/** Runs a command and returns its standard output. */
function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
