// Runs the tests that take too long for every commit, and writes the result into docs/nightly.md.
//   npm run nightly [part…]      with names of parts: only these, and nothing is written
import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';

/** Parts and their commands. The servers are those of the machine, whose data is on a disk. */
const COMMANDS = {
  proxy: 'npm run test:proxy',
  'servers-mariadb': 'DATABASE_URL=$TEST_MARIADB_URL npm run test:servers',
  'servers-mysql': 'DATABASE_URL=$TEST_MYSQL_URL npm run test:servers',
  'service-mariadb': 'DATABASE_URL=$TEST_MARIADB_URL npm run test:service',
  fuzz: 'FUZZ_REQUESTS=200000 npm run test:engine -- engine/fuzz',
  long: 'npm run test:long',
  faults: 'npm run test:faults',
  upgrade: 'npm run trial:upgrade',
  deploy: 'npm run test:deploy',
  bench: 'npm run bench:check -- --own-server --size 200000',
  mutants: 'npm run mutants',
};
const ENVIRONMENT = {
  TEST_MARIADB_URL: 'mysql://root@127.0.0.1:3306/mysql',
  TEST_MYSQL_URL: 'mysql://root@127.0.0.1:3307/mysql',
  ...process.env,
};

const PAGE = 'docs/nightly.md';
const LOGS = 'coverage/nightly';
const START = '<!-- prettier-ignore-start -->\n\n';
const END = '\n\n<!-- prettier-ignore-end -->';

const parts = Object.keys(COMMANDS);
const names = process.argv.slice(2);
const unknown = names.filter((name) => !parts.includes(name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; there are ${parts.join(', ')}.`);
  process.exit(2);
}

let running;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (running !== undefined) process.kill(-running.pid, signal);
    process.exit(1);
  });
}

mkdirSync(LOGS, { recursive: true });
const facts = factsNow();
const rows = [];
for (const part of names.length === 0 ? parts : names) rows.push(await run(part, COMMANDS[part]));
const table = ['| Part | Command | Minutes | Result |', '| --- | --- | ---: | --- |', ...rows.map(({ row }) => row)];
console.log(table.join('\n'));
if (names.length === 0) writeResult([facts, '', ...table].join('\n'));
const failed = rows.filter(({ hasPassed }) => !hasPassed).length;
console.log(`${rows.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** Runs a part to its end, whatever it is; its output goes to the console and to a log. */
async function run(part, command) {
  const began = performance.now();
  console.log(`== ${new Date().toISOString().slice(11, 19)} ${part}: ${command}`);
  const log = createWriteStream(`${LOGS}/${part}.log`);
  // A group of its own, which ends as a whole.
  const child = spawn('sh', ['-c', command], { env: ENVIRONMENT, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  running = child;
  for (const output of [child.stdout, child.stderr]) {
    output.pipe(process.stdout, { end: false });
    output.pipe(log, { end: false });
  }
  const code = await new Promise((done) => child.once('close', done));
  running = undefined;
  log.end();
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  return {
    row: `| ${part} | \`${command}\` | ${minutes} | ${code === 0 ? 'passed' : '**FAILED**'} |`,
    hasPassed: code === 0,
  };
}

function factsNow() {
  const git = (...args) => execFileSync('git', args).toString().trim();
  const changes = git('status', '--porcelain') === '' ? '' : ' with changes';
  const [{ model }] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return [
    `- Began: ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `- Commit: ${git('rev-parse', '--short', 'HEAD')}${changes}`,
    `- Machine: ${cpus().length} × ${model}, ${memory}, Linux ${release()}, Node ${process.version}; load before ${loadavg()[0].toFixed(1)}`,
  ].join('\n');
}

function writeResult(text) {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(PAGE, page.slice(0, page.indexOf(START) + START.length) + text + page.slice(page.indexOf(END)));
}
