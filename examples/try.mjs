// Follows the pages on adding a field and a resource: makes their changes in a copy of the tree, one page after the other,
// runs tests, and builds the copy. Then tries the package with a module of another repository (try-package.mjs).
//   npm run test:examples -- [docs | rooms] [mysql://…]…   the engine of DATABASE_URL; rooms on these servers, too
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyTree, filesIn } from './copied-tree.mjs';
import { tryPackage } from './try-package.mjs';

/**
 * For each page the folder of its new files, and the tests that check its changes. The tests of the second page also try the
 * filter and the column of the first.
 */
const PAGES = {
  'docs/adding-a-field.md': {
    files: undefined,
    tests: ['engine/venues', 'engine/event-index', 'service/docs', 'service/translations'],
  },
  'docs/adding-a-resource.md': {
    files: 'examples/speakers',
    tests: ['engine/speakers', 'engine/organizers', 'engine/events-list', 'engine/schema', 'engine/statements'],
  },
};

const [only = '', ...servers] = process.argv.slice(2);
const pages = Object.entries(PAGES).filter(([page]) => page.includes(only));
const copy = pages.length > 0 ? copyTree() : '';
if (pages.length > 0) tryPages();
if ('examples/rooms'.includes(only)) await tryPackage([process.env.DATABASE_URL, ...servers]);

function tryPages() {
  try {
    const sources = [];
    for (const [page, { files, tests }] of pages) {
      sources.push(...follow(page, files));
      // Checks the types; some tests read the built sources.
      run('npm', 'run', 'build');
      run('npm', 'test', '--ignore-scripts', '--', ...tests);
    }
    run('node', 'tools/run.mjs', 'prettier', '--check', ...sources);
    run('node', 'tools/run.mjs', 'eslint', ...sources);
    run('npm', 'run', 'arch');
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Makes the changes of a page. Returns the sources that it wrote or changed. */
function follow(page, files) {
  const text = readFileSync(page, 'utf8');
  const written = [...newFiles(text), ...(files === undefined ? [] : exampleFiles(files))];
  for (const [path, content] of written) writeNew(join(copy, path), content);
  const patch = diffsIn(text);
  writeFileSync(join(copy, 'page.patch'), patch);
  run('git', 'apply', '--unidiff-zero', 'page.patch');
  rmSync(join(copy, 'page.patch'));
  const changed = [...patch.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path]) => path);
  console.log(`== ${page}: ${written.length} new files, ${changed.length} changed ones`);
  return [...written.map(([path]) => path), ...changed].filter((path) => path.endsWith('.ts'));
}

function run(command, ...args) {
  execFileSync(command, args, { cwd: copy, stdio: 'inherit' });
}

/** Returns the files that a page names with "New file `path`", with the block that follows as content. */
function newFiles(text) {
  return [...text.matchAll(/^New file `([^`]+)`[^]*?^```ts\n([^]*?)^```$/gm)].map(([, path, content]) => [
    path,
    content,
  ]);
}

function diffsIn(text) {
  return [...text.matchAll(/^```diff\n([^]*?)^```$/gm)].map(([, diff]) => diff).join('');
}

function exampleFiles(folder) {
  return filesIn(folder).map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]);
}

function writeNew(path, content) {
  if (existsSync(path)) throw new Error(`${path} is there already`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
