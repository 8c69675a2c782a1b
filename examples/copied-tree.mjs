import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Copies the files of the working tree that git tracks or would track, and links the installed packages. */
export function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), 'kalends-example-'));
  for (const path of filesIn('.')) cpSync(path, join(copy, path));
  for (const packages of ['node_modules', 'tools/node_modules']) symlinkSync(resolve(packages), join(copy, packages));
  return copy;
}

/** Returns the paths of the files in a folder that git tracks or would track. */
export function filesIn(folder) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', folder]);
  const paths = listed.toString().split('\0');
  return paths.filter((path) => path !== '' && existsSync(path));
}
