import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
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

/** Runs a command and returns its standard output. */
function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
