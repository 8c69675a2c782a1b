// Runs a program of the packages of tools/. Installs them first if they are missing or if package-lock.json has changed.
//   node tools/run.mjs eslint .
//   node tools/run.mjs              only installs
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TOOLS = import.meta.dirname;
const LOCK = join(TOOLS, 'package-lock.json');
/** The lock of the installed packages. */
const INSTALLED = join(TOOLS, 'node_modules', '.tools-lock.json');

const [program, ...args] = process.argv.slice(2);
if (!isInstalled()) install();
if (program !== undefined) run();

function isInstalled() {
  return existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === readFileSync(LOCK, 'utf8');
}

function install() {
  console.error('Installing the tools of the project (once, below tools/) …');
  const npm = ['ci', '--prefix', TOOLS, '--no-audit', '--no-fund', '--loglevel=error'];
  // The output of the program is its own.
  const { status, error } = spawnSync('npm', npm, { stdio: ['ignore', 2, 2] });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
  copyFileSync(LOCK, INSTALLED);
}

function run() {
  const child = spawn(process.execPath, [join(TOOLS, 'node_modules', '.bin', program), ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('close', (code) => process.exit(code ?? 1));
}
