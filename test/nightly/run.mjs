// Runs the tests that take too long for every commit. The result of each part is written into docs/nightly.md at its end.
//   npm run nightly [part…]      with names of parts: only these; the results of the others stay
import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { withResult } from './result.mjs';

/** Parts and their commands. The servers are those of the machine, whose data is on a disk. */
const COMMANDS = {
  proxy: 'npm run test:proxy',
  'servers-mariadb': 'DATABASE_URL=$TEST_MARIADB_URL npm run test:servers',
  'servers-mysql': 'DATABASE_URL=$TEST_MYSQL_URL npm run test:servers',
  'service-mariadb': 'DATABASE_URL=$TEST_MARIADB_URL npm run test:service',
  fuzz: 'FUZZ_REQUESTS=200000 npm run test:engine -- engine/fuzz',
  matrix: 'MATRIX=whole npm run test:engine -- engine/visibility',
  'matrix-mariadb':
    'DATABASE_URL=$TEST_MARIADB_URL FUZZ_REQUESTS=20000 MATRIX=whole npm run test:engine -- engine/fuzz engine/visibility',
  'matrix-mysql':
    'DATABASE_URL=$TEST_MYSQL_URL FUZZ_REQUESTS=20000 MATRIX=whole npm run test:engine -- engine/fuzz engine/visibility',
  random: 'INDEX_WRITES=12 INTERLEAVINGS=1000 npm run test:engine -- engine/event-index engine/repositories',
  'random-mariadb':
    'DATABASE_URL=$TEST_MARIADB_URL INDEX_WRITES=12 INTERLEAVINGS=1000 npm run test:engine -- engine/event-index engine/repositories',
  'random-mysql':
    'DATABASE_URL=$TEST_MYSQL_URL INDEX_WRITES=12 INTERLEAVINGS=1000 npm run test:engine -- engine/event-index engine/repositories',
  'index-on': 'INDEX=on npm run test:engine',
  'index-on-mariadb': 'INDEX=on DATABASE_URL=$TEST_MARIADB_URL npm run test:engine',
  'index-on-mysql': 'INDEX=on DATABASE_URL=$TEST_MYSQL_URL npm run test:engine',
  mirror: 'MIRROR_OPERATIONS=20000 npm run test:engine -- engine/changes-mirror',
  'mirror-mariadb':
    'DATABASE_URL=$TEST_MARIADB_URL MIRROR_OPERATIONS=20000 npm run test:engine -- engine/changes-mirror',
  'mirror-mysql': 'DATABASE_URL=$TEST_MYSQL_URL MIRROR_OPERATIONS=20000 npm run test:engine -- engine/changes-mirror',
  webhooks:
    'WEBHOOK_WRITES=5000 WEBHOOK_EVENTS=6008 npm run test:engine -- engine/webhooks-kills engine/webhooks-import',
  'webhooks-mariadb':
    'DATABASE_URL=$TEST_MARIADB_URL WEBHOOK_WRITES=5000 WEBHOOK_EVENTS=6008 npm run test:engine -- engine/webhooks-kills engine/webhooks-import',
  'webhooks-mysql':
    'DATABASE_URL=$TEST_MYSQL_URL WEBHOOK_WRITES=5000 WEBHOOK_EVENTS=6008 npm run test:engine -- engine/webhooks-kills engine/webhooks-import',
  calendars: 'CALENDAR_EVENTS=6008 npm run test:service -- service/calendar-programs',
  pages: 'PAGES_WALK=whole npm run test:browser -- browser/pages-access',
  long: 'npm run test:long',
  faults: 'npm run test:faults',
  'faults-mysql': 'npm run test:faults -- --engine mysql',
  'faults-sqlite': 'npm run test:faults -- --engine sqlite',
  'faults-index-on': 'INDEX=on npm run test:faults',
  'faults-index-on-mysql': 'INDEX=on npm run test:faults -- --engine mysql',
  'faults-index-on-sqlite': 'INDEX=on npm run test:faults -- --engine sqlite',
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
const results = [];
for (const part of names.length === 0 ? parts : names) results.push(await run(part, COMMANDS[part]));
for (const { part, minutes, hasPassed } of results)
  console.log(`${part.padEnd(20)} ${minutes.toFixed(1).padStart(6)}  ${hasPassed ? 'passed' : 'FAILED'}`);
const failed = results.filter(({ hasPassed }) => !hasPassed).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** Runs a part to its end, whatever it is; its output goes to the console and to a log. */
async function run(part, command) {
  const commit = commitNow();
  const began = new Date();
  console.log(`== ${began.toISOString().slice(11, 19)} ${part}: ${command}`);
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
  const result = {
    minutes: (Date.now() - began) / 60_000,
    began: began.toISOString().slice(0, 16).replace('T', ' '),
    commit,
    hasPassed: code === 0,
  };
  writeFileSync(PAGE, withResult(readFileSync(PAGE, 'utf8'), COMMANDS, part, result));
  return { part, ...result };
}

/** Returns the commit; says so if the tree has other changes than the results. */
function commitNow() {
  const git = (...args) => execFileSync('git', args).toString().trim();
  const hasChanges = git('status', '--porcelain', '--', '.', `:!${PAGE}`) !== '';
  return `${git('rev-parse', '--short=7', 'HEAD')}${hasChanges ? ' with changes' : ''}`;
}
