// The end of .ci/run: the minutes of each step, the tests that failed, and one line "N passed, N failed". A test that is skipped or still to be
// written counts as failed, and so does a step that failed outside its tests.
//   node .ci/summary.mjs STEPS SECONDS PROCESSORS
// STEPS: lines of name, exit code, seconds, file of test results or -. PROCESSORS: the first line of /proc/stat at the start.
import { existsSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

const [stepsFile, seconds, processorsFile] = process.argv.slice(2);
const steps = readFileSync(stepsFile, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [name, status, duration, results] = line.split('\t');
    const { passed, failures } = results === '-' ? { passed: 0, failures: [] } : read(results);
    const failed = failures.length;
    const hasFailedOutside = status !== '0' && failed === 0;
    return {
      name,
      duration: Number(duration),
      passed,
      failed: hasFailedOutside ? 1 : failed,
      failures,
      hasTests: results !== '-',
    };
  });

console.log('\nStep                       Minutes  Result');
for (const { name, duration, passed, failed, hasTests } of steps) {
  const result = hasTests ? `${passed} passed, ${failed} not` : failed === 0 ? 'done' : 'FAILED';
  console.log(`${name.padEnd(26)} ${minutes(duration).padStart(7)}  ${result}`);
}
const load = loadavg()[0].toFixed(1);
console.log(
  `${'the whole run'.padEnd(26)} ${minutes(seconds).padStart(7)}  on ${cpus().length} cores, busy ${busyPercent()} %, load at its end ${load}`,
);

for (const { name, failures } of steps) {
  for (const failure of failures) console.log(`${name}: ${failure}`);
}
const passed = sum(steps.map((step) => step.passed));
const failed = sum(steps.map((step) => step.failed)) || (passed === 0 ? 1 : 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function read(file) {
  // A runner that wrote nothing did not come to its end.
  if (!existsSync(file)) return { passed: 0, failures: ['the runner did not come to its end'] };
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status !== 'passed');
    // A file may fail outside its tests, too.
    if (status === 'failed' && failed.length === 0) return [`${name}: ${firstLine(message)}`];
    return failed.map((test) => `${name}: ${test.fullName}: ${test.status} ${firstLine(test.failureMessages?.[0])}`);
  });
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return { passed: tests.filter(({ status }) => status === 'passed').length, failures };
}

function firstLine(text = '') {
  return text.split('\n', 1)[0];
}

/** Returns how busy the processors of the machine were during the run. If it is far below 100, more lanes take less time. */
function busyPercent() {
  const [before, now] = [processorsFile, '/proc/stat'].map(ticks);
  const total = sum(now) - sum(before);
  // The fourth and fifth numbers are idle, and idle while the disk works.
  const idle = now[3] + now[4] - before[3] - before[4];
  return Math.round((100 * (total - idle)) / total);
}

/** The ticks of all processors: user, nice, system, idle, iowait, irq, softirq, steal. */
function ticks(file) {
  const [line] = readFileSync(file, 'utf8').split('\n');
  return line.split(/ +/).slice(1, 9).map(Number);
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

function minutes(duration) {
  return (Number(duration) / 60).toFixed(1);
}
