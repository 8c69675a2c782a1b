// Runs test files of a copy of the tree, on SQLite, up to the first file that fails.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The only place that names the test runner. Without files it runs all of `npm test`. */
function command(report, files) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'all', '--bail', '1'];
  return [...vitest, '--reporter', 'json', '--outputFile', report, ...files];
}

const running = new Set();

/**
 * Returns the first failed test as `file: title`, or undefined where all passed. A run that takes longer than `minutes` is
 * killed and counts as failed. Throws where no test ran, because then the result says nothing about the fault.
 */
export async function firstFailure(root, files, minutes) {
  const report = join(root, 'coverage', 'run.json');
  rmSync(report, { force: true });
  const env = { ...process.env, VITEST_MAX_WORKERS: '1' };
  delete env.DATABASE_URL;
  // A process group of its own, so that the processes of a run that is cut short end with it.
  const child = spawn(process.execPath, command(report, files), { cwd: root, env, detached: true });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => (output = (output + text).slice(-1000)));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill(child);
  }, minutes * 60_000);
  const code = await new Promise((done) => child.once('close', done));
  clearTimeout(timer);
  running.delete(child);
  if (isLate) return `time limit of ${minutes} minutes`;
  const failure = failureIn(report, root, output);
  if (failure === undefined && code !== 0) throw new Error(`the tests ended with ${code}: ${output}`);
  return failure;
}

/** Kills what is running. */
export function killAll() {
  running.forEach(kill);
}

function kill({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function failureIn(report, root, output) {
  let run;
  try {
    run = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    throw new Error(`the tests left no report: ${output}`);
  }
  for (const { name, status, message, assertionResults } of run.testResults) {
    const failed = assertionResults.find((test) => test.status === 'failed');
    if (failed !== undefined) return `${relative(root, name)}: ${failed.fullName}`;
    if (status === 'failed') throw new Error(`${relative(root, name)} does not run: ${message}`);
  }
  if (run.numPassedTests === 0) throw new Error(`no test ran: ${output}`);
  return undefined;
}
