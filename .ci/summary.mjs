// The end of .ci/run: the minutes of each step, and one line "N passed, N failed". A test that is skipped or still to be
// written counts as failed, and so does a step that failed outside its tests.
//   node .ci/summary.mjs STEPS SECONDS      STEPS: lines of name, exit code, seconds, file of test results or -
import { existsSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

const [stepsFile, seconds] = process.argv.slice(2);
const steps = readFileSync(stepsFile, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [name, status, duration, results] = line.split('\t');
    const { passed, failed } = results === '-' ? { passed: 0, failed: 0 } : count(results);
    const hasFailedOutside = status !== '0' && failed === 0;
    return {
      name,
      duration: Number(duration),
      passed,
      failed: hasFailedOutside ? 1 : failed,
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
  `${'the whole run'.padEnd(26)} ${minutes(seconds).padStart(7)}  on ${cpus().length} cores, load at its end ${load}`,
);

const passed = sum(steps.map((step) => step.passed));
const failed = sum(steps.map((step) => step.failed)) || (passed === 0 ? 1 : 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function count(file) {
  // A runner that wrote nothing did not come to its end.
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  return { passed, failed: tests.length - passed + brokenFiles.length };
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

function minutes(duration) {
  return (Number(duration) / 60).toFixed(1);
}
