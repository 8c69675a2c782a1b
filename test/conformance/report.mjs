// The conformance report: which test proves which case of the interface, on which engine.
//   node test/conformance/report.mjs REPORT.md sqlite.json mariadb.json …
// Each file is what the runner's JSON reporter wrote about a run and is named for its engine. A case is proven by a passed test over
// HTTP whose title names it. Exits with 1 when a case is not proven on every engine, or when a title names an unknown one.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

const ID = /\b[A-Z]+(?:-[A-Z]+)?-\d\d\b/g;
/** Kernel specs name cases, too, but nothing is proven before it was seen from outside. */
const OVER_HTTP = /^test\/(engine|service)\//;

const [reportFile, ...runFiles] = process.argv.slice(2);
const { cases, pending } = readCases();
const runs = runFiles.map((file) => ({ engine: basename(file, '.json'), tests: testsOf(file) }));

const rows = cases.map((id) => ({ id, tests: testsNaming(id) }));
const unproven = rows.flatMap(({ id, tests }) =>
  runs
    .map(({ engine }) => engine)
    .filter((engine) => !tests.some(({ results }) => results[engine] === 'passed'))
    .map((engine) => ({ id, engine })),
);
const missing = unproven.filter(({ id }) => !pending.has(id));
const unknown = [...new Set(runs.flatMap(({ tests }) => tests.flatMap(({ ids }) => ids)))].filter(isUnknown);

mkdirSync(dirname(reportFile), { recursive: true });
writeFileSync(reportFile, report());
console.log(
  `conformance: ${cases.length - new Set(missing.map(({ id }) => id)).size - pending.size} of ${cases.length} cases proven on ` +
    `${runs.map(({ engine }) => engine).join(', ')}; ${pending.size} pending; ${reportFile}`,
);
for (const { engine } of runs) {
  const ids = missing.filter((one) => one.engine === engine).map(({ id }) => id);
  if (ids.length > 0) console.error(`conformance: no passed test on ${engine} names ${ids.join(', ')}`);
}
if (unknown.length > 0) console.error(`conformance: titles name ${unknown.join(', ')}, which are no cases`);
process.exitCode = runs.length === 0 || missing.length > 0 || unknown.length > 0 ? 1 : 0;

/** One id a line; `pending ID REASON`: not proven in full yet, and why. */
function readCases() {
  const lines = readFileSync(join(import.meta.dirname, 'cases.txt'), 'utf8')
    .trim()
    .split('\n');
  const pending = new Map();
  const cases = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, id, reason] = /^pending (\S+) (.+)$/.exec(line) ?? [];
      if (id !== undefined) pending.set(id, reason);
      return id ?? line;
    });
  return { cases, pending };
}

function testsOf(file) {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  return testResults.flatMap(({ name, assertionResults }) => {
    const path = relative(process.cwd(), name);
    if (!OVER_HTTP.test(path)) return [];
    return assertionResults.map(({ fullName, status }) => ({
      title: `${fullName} (${path})`,
      ids: fullName.match(ID) ?? [],
      status,
    }));
  });
}

/** The tests that name a case, each with its result on every engine. */
function testsNaming(id) {
  const found = new Map();
  for (const { engine, tests } of runs) {
    for (const { title, ids, status } of tests) {
      if (!ids.includes(id)) continue;
      const results = found.get(title) ?? {};
      // Tests of one title count as one: it passed if all of them did.
      results[engine] = results[engine] === undefined || results[engine] === 'passed' ? status : results[engine];
      found.set(title, results);
    }
  }
  return [...found].map(([title, results]) => ({ title, results }));
}

/** Only the families of the interface: `UTC-12` is no case. */
function isUnknown(id) {
  const families = new Set(cases.map((known) => known.replace(/-\d\d$/, '')));
  return families.has(id.replace(/-\d\d$/, '')) && !cases.includes(id);
}

function report() {
  const engines = runs.map(({ engine }) => engine);
  const line = (...cells) => `| ${cells.join(' | ')} |`;
  const body = rows.flatMap(({ id, tests }) => {
    if (tests.length === 0) return [line(id, '**no test**', ...engines.map(() => '–'))];
    return tests.map(({ title, results }) =>
      line(
        id,
        title.replace(/[|\\<]/g, '\\$&').replace(/\s+/g, ' '),
        ...engines.map((engine) => results[engine] ?? '–'),
      ),
    );
  });
  return [
    '# Conformance',
    '',
    `${cases.length} cases. Not proven: ${missing.map(({ id, engine }) => `${id} (${engine})`).join(', ') || 'none'}.`,
    ...[...pending].map(([id, reason]) => `Pending: ${id}: ${reason}`),
    '',
    line('Case', 'Test', ...engines),
    line('---', '---', ...engines.map(() => '---')),
    ...body,
    '',
  ].join('\n');
}
