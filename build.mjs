// Compiles src/ to dist/ and copies the assets that nest-cli.json names: npm run build.
// Builds in a folder of its own, which then takes the place of dist/, because a service may be running from dist/.
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const { sourceRoot, compilerOptions } = JSON.parse(readFileSync('nest-cli.json', 'utf8'));
const built = `dist-${process.pid}`;
const replaced = `${built}-replaced`;

try {
  const tsc = ['node_modules/typescript-7/bin/tsc', '--project', compilerOptions.tsConfigPath, '--outDir', built];
  process.exitCode = spawnSync(process.execPath, tsc, { stdio: 'inherit' }).status ?? 1;
  if (process.exitCode === 0) {
    compilerOptions.assets.forEach(copy);
    takePlace();
  }
} finally {
  for (const folder of [built, replaced]) rmSync(folder, { recursive: true, force: true });
}

/** Copies the files of a pattern such as `docs/*.css`. */
function copy(pattern) {
  const [folder, end] = pattern.split('*');
  const names = readdirSync(join(sourceRoot, folder)).filter((name) => name.endsWith(end));
  if (names.length === 0) throw new Error(`nest-cli.json: no file matches ${pattern}`);
  for (const name of names) cpSync(join(sourceRoot, folder, name), join(built, folder, name));
}

/** Tries again where another build has finished in between: the last one wins. */
function takePlace() {
  for (;;) {
    try {
      renameSync('dist', replaced);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    try {
      return renameSync(built, 'dist');
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
      rmSync(replaced, { recursive: true, force: true });
    }
  }
}
