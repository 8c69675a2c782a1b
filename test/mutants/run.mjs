// Plants each fault of list.json in a copy of the sources and shows which test catches it.
//   npm run mutants [-- NAME…]      NAME: a part of the name of a fault
// Runs the tests that a fault names, then, where they pass, all of `npm test`. Exits with 1 when fewer than 95 % are caught.
// The result is written to coverage/mutants.json.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FAULTS, problemsOf, withFault } from './faults.mjs';
import { firstFailure, killAll } from './test-run.mjs';

/** The tools have the last version that programs can call. */
const ts = createRequire(resolve('tools/package.json'))('typescript');

const AT_ONCE = 2;
const LEAST_CAUGHT = 0.95;
/** Time limits: some times as long as on a busy machine. */
const MINUTES = { named: 10, all: 30 };
const REPORT = 'coverage/mutants.json';

const faults = chosen(process.argv.slice(2));
const copies = Array.from({ length: Math.min(AT_ONCE, faults.length) }, copyTree);
process.once('exit', () => copies.forEach((copy) => rmSync(copy, { recursive: true, force: true })));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    killAll();
    process.exit(1);
  });
}

const began = performance.now();
await baseline();
const results = await inCopies(faults, plant);
report(results.toSorted((a, b) => faults.indexOf(a.fault) - faults.indexOf(b.fault)));

/** Stops where a fault has lost its place in the sources. */
function chosen(names) {
  const unknown = names.filter((name) => !FAULTS.some((fault) => fault.name.includes(name)));
  const some = FAULTS.filter((fault) => names.length === 0 || names.some((name) => fault.name.includes(name)));
  const problems = [...unknown.map((name) => `${name}: no such fault`), ...some.flatMap((one) => problemsOf(one, '.'))];
  if (problems.length === 0) return some;
  console.error(problems.join('\n'));
  process.exit(2);
}

/** The files of the working tree that git knows, or would know, with our packages and what `npm run build` has made. */
function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), 'kalends-mutants-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']).toString();
  for (const path of listed.split('\0')) if (path !== '' && existsSync(path)) cpSync(path, join(copy, path));
  cpSync('dist', join(copy, 'dist'), { recursive: true });
  mkdirSync(join(copy, 'coverage'));
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Does `work` for each item, with one copy of the tree at a time. */
async function inCopies(items, work) {
  const left = [...items];
  const done = [];
  const inCopy = async (copy) => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) done.push(await work(item, copy));
  };
  await Promise.all(copies.map(inCopy));
  return done;
}

/** A test that fails without a fault shows nothing. */
async function baseline() {
  const files = [...new Set(faults.flatMap(({ tests }) => tests))];
  const parts = copies.map((_, index) => files.filter((_file, at) => at % copies.length === index));
  const failures = await inCopies(
    parts.filter((part) => part.length > 0),
    (part, copy) => firstFailure(copy, part, MINUTES.all),
  );
  const failed = failures.filter((failure) => failure !== undefined);
  if (failed.length === 0) return;
  console.error(`without a fault fails ${failed.join('; ')}`);
  process.exit(2);
}

async function plant(fault, copy) {
  const start = performance.now();
  const file = join(copy, fault.file);
  const text = readFileSync(file, 'utf8');
  const set = (content) => {
    writeFileSync(file, content);
    writeFileSync(file.replace('/src/', '/dist/').replace(/\.ts$/, '.js'), compiled(content));
  };
  let caughtBy;
  let problem;
  try {
    set(withFault(text, fault));
    caughtBy = await firstFailure(copy, fault.tests, MINUTES.named);
    const isNamed = caughtBy !== undefined;
    caughtBy ??= await firstFailure(copy, [], MINUTES.all);
    set(text);
    // Other tests have no baseline: one that fails without the fault as well has not caught it.
    if (!isNamed && caughtBy !== undefined) {
      const again = await firstFailure(copy, [caughtBy.split(': ', 1)[0]], MINUTES.named);
      if (again !== undefined) [caughtBy, problem] = [undefined, `also without the fault fails ${again}`];
    }
  } catch (error) {
    problem = error.message;
    set(text);
  }
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(line({ fault, caughtBy, seconds, problem }));
  return { fault, caughtBy, seconds, problem };
}

/** As `npm run build` does it: commands are tested as built. */
function compiled(content) {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...config.compilerOptions, noEmit: false, sourceMap: false },
    '.',
  );
  return ts.transpileModule(content, { compilerOptions: options, fileName: 'fault.ts' }).outputText;
}

function line({ fault: { name }, caughtBy, seconds, problem }) {
  const outcome = caughtBy ?? `SURVIVED${problem === undefined ? '' : `: ${problem}`}`;
  return `${String(seconds).padStart(5)} s  ${name.padEnd(70)}  ${outcome}`;
}

function report(results) {
  const survivors = results.filter(({ caughtBy }) => caughtBy === undefined);
  const caught = results.length - survivors.length;
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  const rows = results.map(({ fault: { name, file }, ...rest }) => ({ name, file, ...rest }));
  mkdirSync('coverage', { recursive: true });
  writeFileSync(REPORT, `${JSON.stringify({ caught, of: results.length, minutes, rows }, null, 2)}\n`);
  console.log(`\n${results.map(line).join('\n')}\n`);
  for (const { fault } of survivors) console.log(`survived: ${fault.name} (${fault.file})`);
  console.log(`${caught} of ${results.length} faults caught in ${minutes} minutes, see ${REPORT}`);
  process.exitCode = caught < LEAST_CAUGHT * results.length ? 1 : 0;
}
