// Whether some text makes a regular expression of the sources slow: npm run check:regex. Each is analysed by recheck; one
// whose work grows faster than the length of the text fails, and so does one that could not be analysed in time.
import { readdirSync, readFileSync } from 'node:fs';
import { check } from 'recheck';
import ts from 'typescript';

const TIMEOUT = 30_000;
/** The square of this length takes seconds. */
const LONGEST = 100_000;
const MOST_MILLISECONDS = 200;
/** Built while the program runs: of fixed words and, between them, one class of characters that none of them holds. */
const OF_FIXED_WORDS = [
  'src/errors/error-catalogue.ts',
  'src/platform/http/routing/route-table.ts',
  'src/platform/http/routing/site-paths.ts',
  'src/kernel/text/readable-text.ts',
  'src/docs/swagger-ui/labels.browser.js',
];

const files = readdirSync('src', { recursive: true })
  .map((path) => `src/${path}`)
  .filter((path) => /\.(tsx?|browser\.js)$/.test(path) && !path.endsWith('.spec.ts'));
const literals = [];
const builders = [];
for (const file of files) collect(file);
const found = [...literals, ...(await built())];
const distinct = [...new Map(found.map((regex) => [`/${regex.source}/${regex.flags}`, regex])).values()];
const verdicts = await Promise.all(distinct.map(judge));
const failed = verdicts.filter(({ status }) => status !== 'safe');

for (const { place, source, flags, status, attack } of failed) {
  console.log(`${place}: /${source}/${flags} is ${status}${attack === undefined ? '' : `: ${attack.pattern}`}`);
}
console.log(`${distinct.length} regular expressions, ${failed.length} not known to be safe`);
process.exitCode = failed.length > 0 || distinct.length === 0 ? 1 : 0;

/** Notes the literals of a file, and whether it builds others of text. */
function collect(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const visit = (node) => {
    const place = () => `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      literals.push({ place: place(), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') {
      if (!builders.includes(file)) builders.push(file);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

/** Loads the built files that build regular expressions, and notes which ones: they must do it when they are loaded. */
async function built() {
  const native = globalThis.RegExp;
  const made = [];
  globalThis.RegExp = new Proxy(native, {
    construct(target, [source, flags = '']) {
      const [, name] = /\/dist\/(.+)\.js:/.exec(new Error().stack) ?? [];
      if (name !== undefined) made.push({ place: `src/${name}.ts`, source: String(source), flags });
      return new target(source, flags);
    },
  });
  const expected = builders.filter((file) => !OF_FIXED_WORDS.includes(file));
  for (const file of expected) {
    await import(new URL(`../${file.replace(/^src/, 'dist').replace(/ts$/, 'js')}`, import.meta.url).href);
  }
  globalThis.RegExp = native;
  const silent = expected.filter((file) => !made.some(({ place }) => place === file));
  if (silent.length > 0) throw new Error(`build none when they are loaded: ${silent.join(', ')}`);
  return made;
}

async function judge(regex) {
  const { status, checker, attack } = await check(regex.source, regex.flags, { timeout: TIMEOUT });
  // A proof counts. What was guessed from tries, as with backreferences, is tried.
  const isRefuted =
    status === 'vulnerable' && checker === 'fuzz' && isFast(new RegExp(regex.source, regex.flags), attack);
  return { ...regex, status: isRefuted ? 'safe' : status, attack };
}

/** Whether ever longer texts of the suspected kind, up to LONGEST characters, take no longer than MOST_MILLISECONDS. */
function isFast(regex, { pumps, suffix }) {
  for (let times = 1; ; times = Math.ceil(times * 1.1)) {
    const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix;
    const start = process.cpuUsage();
    text.replace(regex, '');
    const { user, system } = process.cpuUsage(start);
    if (user + system > MOST_MILLISECONDS * 1000) return false;
    if (text.length > LONGEST) return true;
  }
}
