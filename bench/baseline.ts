import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sizes } from './dataset/bodies.js';
import { ROOT } from './processes.js';

/** Another commit of the project, built in a clone of its own. */
export interface Baseline {
  /** Abbreviated. */
  readonly commit: string;
  /** Where its sources lie, and what was built of them. */
  readonly root: string;
  /** Fills an empty database as that commit does. */
  load(url: string, sizes: Sizes): Promise<void>;
  remove(): void;
}

/** `ref`: whatever git takes for a commit. Packages are installed only where the commit names others. */
export async function buildBaseline(ref: string): Promise<Baseline> {
  const commit = git(ROOT, 'rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`);
  const root = mkdtempSync(join(tmpdir(), 'kalends-bench-against-'));
  const remove = () => rmSync(root, { recursive: true, force: true });
  try {
    git(ROOT, 'clone', '--quiet', '--shared', '--no-checkout', ROOT, root);
    git(root, 'checkout', '--quiet', '--detach', commit);
    if (lockFile(root) === lockFile(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    else run('npm', ['ci', '--no-audit', '--no-fund'], root);
    run('npm', ['run', 'prebench'], root);
    const { load } = (await import(join(root, 'bench/dist/bench/dataset/load.js'))) as Pick<Baseline, 'load'>;
    return { commit: commit.slice(0, 8), root, load, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function lockFile(root: string): string {
  return readFileSync(join(root, 'package-lock.json'), 'utf8');
}

function git(cwd: string, ...args: string[]): string {
  return run('git', args, cwd).trim();
}

/** Answers what it writes; its errors go where those of the bench go. */
function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
