// The conformance report: which test proves which case of the interface, on which engine.
//   node test/conformance/report.mjs REPORT.md service.json browser.json sqlite.json mariadb.json mysql.json
// Each JSON file holds the results of one run (`--reporter=json`). Its name is the engine, `service` or `browser`. A passed
// test over HTTP whose title names a case proves it: a test of test/engine on every engine, or a test of test/service or
// test/browser where cases.txt gives the reason why one run is enough. Exits with 1 if a case is not proven, a reason is out of date, or a title names an
// unknown case.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

const ENGINES = ['sqlite', 'mariadb', 'mysql'];
/** Folders whose tests prove a case by one run. */
const ONCE = ['service', 'browser'];
const COLUMNS = [...ONCE, ...ENGINES];
const ID = /\b[A-Z]+(?:-[A-Z]+)?-\d\d\b/g;
/** Kernel specs name cases, too, but nothing is proven before it was seen from outside. */
const OVER_HTTP = /^test\/(engine|service|browser)\//;

const [reportFile, ...runFiles] = process.argv.slice(2);
const { cases, pending, provenOnce } = readCases();
const runs = runFiles.map((file) => ({ run: basename(file, '.json'), tests: testsOf(file) }));
const rows = cases.map((id) => ({ id, tests: testsNaming(id) }));

const missing = rows
  .filter(({ id }) => !pending.has(id))
  .map(({ id, tests }) => ({
    id,
    engines: provenOnce.has(id) ? without(provenOnce.get(id).folder, tests) : withoutEngine(tests),
  }))
  .filter(({ engines }) => engines.length > 0);
const outOfDate = rows.filter(({ id, tests }) => provenOnce.has(id) && withoutEngine(tests).length === 0);
const unknown = [...new Set(runs.flatMap(({ tests }) => tests.flatMap(({ ids }) => ids)))].filter(isUnknown);

mkdirSync(dirname(reportFile), { recursive: true });
writeFileSync(reportFile, report());
console.log(
  `conformance: ${cases.length - missing.length - pending.size} of ${cases.length} cases proven, ${provenOnce.size} of them ` +
    `once, the others on ${ENGINES.join(', ')}; ${pending.size} pending; ${reportFile}`,
);
for (const column of COLUMNS) {
  const ids = missing.filter(({ engines }) => engines.includes(column)).map(({ id }) => id);
  if (ids.length > 0) console.error(`conformance: no passed test of ${column} names ${ids.join(', ')}`);
}
for (const { id } of outOfDate) console.error(`conformance: ${id} has a test on every engine and needs no reason`);
if (unknown.length > 0) console.error(`conformance: titles name ${unknown.join(', ')}, which are no cases`);
process.exitCode = missing.length + outOfDate.length + unknown.length > 0 ? 1 : 0;

/** Reads one id a line. `pending ID REASON`: not proven in full yet. `service ID REASON`: one run of that folder is enough. */
function readCases() {
  const lines = readFileSync(join(import.meta.dirname, 'cases.txt'), 'utf8')
    .trim()
    .split('\n');
  const pending = new Map();
  const provenOnce = new Map();
  const cases = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, kind, id, reason] = /^(pending|service|browser) (\S+) (.+)$/.exec(line) ?? [];
      if (id === undefined) return line;
      if (kind === 'pending') pending.set(id, reason);
      else provenOnce.set(id, { folder: kind, reason });
      return id;
    });
  return { cases, pending, provenOnce };
}

function testsOf(file) {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  return testResults.flatMap(({ name, assertionResults }) => {
    const path = relative(process.cwd(), name);
    const [, folder] = OVER_HTTP.exec(path) ?? [];
    if (folder === undefined) return [];
    return assertionResults.map(({ fullName, status }) => ({
      title: `${fullName} (${path})`,
      ids: fullName.match(ID) ?? [],
      folder,
      status,
    }));
  });
}

/** Returns the tests that name a case, each with its results: of test/engine by engine, of test/service from any run. */
function testsNaming(id) {
  const found = new Map();
  for (const { run, tests } of runs) {
    for (const { title, ids, folder, status } of tests) {
      if (!ids.includes(id)) continue;
      const results = found.get(title) ?? {};
      const column = ONCE.includes(folder) ? folder : run;
      // Tests of one title count as one: it passed if all of them did.
      if (results[column] === undefined || results[column] === 'passed') results[column] = status;
      found.set(title, results);
    }
  }
  return [...found].map(([title, results]) => ({ title, results }));
}

function withoutEngine(tests) {
  return ENGINES.filter((engine) => !tests.some(({ results }) => results[engine] === 'passed'));
}

function without(folder, tests) {
  return tests.some(({ results }) => results[folder] === 'passed') ? [] : [folder];
}

/** Only the families of the interface: `UTC-12` is no case. */
function isUnknown(id) {
  const families = new Set(cases.map((known) => known.replace(/-\d\d$/, '')));
  return families.has(id.replace(/-\d\d$/, '')) && !cases.includes(id);
}

function report() {
  const line = (...cells) => `| ${cells.join(' | ')} |`;
  const body = rows.flatMap(({ id, tests }) => {
    if (tests.length === 0) return [line(id, '**no test**', ...COLUMNS.map(() => '–'))];
    return tests.map(({ title, results }) =>
      line(
        id,
        title.replace(/[|\\<]/g, '\\$&').replace(/\s+/g, ' '),
        ...COLUMNS.map((column) => results[column] ?? '–'),
      ),
    );
  });
  return [
    '# Conformance',
    '',
    `${cases.length} cases. Not proven: ${missing.map(({ id, engines }) => `${id} (${engines.join(', ')})`).join(', ') || 'none'}.`,
    ...[...pending].map(([id, reason]) => `Pending: ${id}: ${reason}`),
    '',
    'Proven by one run:',
    '',
    ...[...provenOnce].map(([id, { folder, reason }]) => `- ${id} (test/${folder}): ${reason}`),
    '',
    line('Case', 'Test', ...COLUMNS),
    line('---', '---', ...COLUMNS.map(() => '---')),
    ...body,
    '',
  ].join('\n');
}
