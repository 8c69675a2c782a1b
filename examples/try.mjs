// Tries the pages on adding things, as a reader would: makes their changes to a copy of the tree, builds it, runs tests.
//   npm run test:examples [page]
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Which files a page tells to write, and which tests prove that it worked. */
const PAGES = {
  'docs/adding-a-field.md': {
    files: undefined,
    tests: ['engine/venues', 'service/docs', 'engine/schema', 'service/translations'],
  },
  'docs/adding-a-resource.md': {
    files: 'examples/speakers',
    tests: ['engine/speakers', 'engine/organizers', 'engine/events-list', 'engine/schema', 'engine/statements'],
  },
};

const [only = ''] = process.argv.slice(2);
for (const [page, example] of Object.entries(PAGES)) if (page.includes(only)) tryPage(page, example);

function tryPage(page, { files, tests }) {
  const copy = copyTree();
  const run = (command, ...args) => execFileSync(command, args, { cwd: copy, stdio: 'inherit' });
  try {
    const text = readFileSync(page, 'utf8');
    const written = [...newFiles(text), ...(files === undefined ? [] : filesIn(files))];
    for (const [path, content] of written) writeNew(join(copy, path), content);
    const patch = diffsIn(text);
    writeFileSync(join(copy, 'page.patch'), patch);
    run('git', 'apply', '--unidiff-zero', 'page.patch');
    rmSync(join(copy, 'page.patch'));
    const changed = [...patch.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path]) => path);
    console.log(`== ${page}: ${written.length} new files, ${changed.length} changed ones`);
    const sources = [...written.map(([path]) => path), ...changed].filter((path) => path.endsWith('.ts'));
    run('npx', 'prettier', '--check', ...sources);
    run('npx', 'eslint', ...sources);
    run('npm', 'run', 'arch');
    run('npm', 'test', '--', '--maxWorkers=1', ...tests);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The files of the working tree that git knows, or would know, with our packages. */
function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), 'kalends-example-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']).toString();
  for (const path of listed.split('\0')) if (path !== '' && existsSync(path)) cpSync(path, join(copy, path));
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** New file `path` … and the block that follows. */
function newFiles(text) {
  return [...text.matchAll(/^New file `([^`]+)`[^]*?^```ts\n([^]*?)^```$/gm)].map(([, path, content]) => [
    path,
    content,
  ]);
}

function diffsIn(text) {
  return [...text.matchAll(/^```diff\n([^]*?)^```$/gm)].map(([, diff]) => diff).join('');
}

function filesIn(folder) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', folder]);
  const paths = listed.toString().split('\0');
  return paths.filter((path) => path !== '').map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]);
}

function writeNew(path, content) {
  if (existsSync(path)) throw new Error(`${path} is there already`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
