// Writes docs/configuration.md from the Environment class: npm run docs:configuration
import { readFileSync, writeFileSync } from 'node:fs';

const PAGE = new URL('configuration.md', import.meta.url).pathname;
const SOURCE = readFileSync(new URL('../src/config/environment.ts', import.meta.url), 'utf8');

const INTRODUCTION = `# Configuration

Settings are environment variables. An unset variable has its default; so has an empty one, except for lists, where it
is the empty list. A wrong value stops the start with a message that names the variable. A misspelt name causes a warning.

\`\`\`shell
PORT=8080 DATABASE_URL=mysql://kalends:PASSWORD@db.example/kalends node dist/main.js
\`\`\`

To keep settings in a file, copy [\`.env.example\`](../.env.example) to \`.env\`. The service and its commands read the file
\`.env\` of the folder in which they start. A variable of the environment has priority over the file. \`kalends doctor\` shows
which settings are set, and where each comes from; with \`--all\` also the defaults.

\`npm run docs:configuration\` generates this page from [the class of all settings](../src/config/environment.ts).
`;

/** A line that begins a part of the page. */
const PART = /^ {2}\/\/ Part: (.+)$/m;
/** One setting of the class: its comment, its decorators, its name and its default. */
const PROPERTY = /\/\*\* (.+?) \*\/\n((?: {2}(?:@|  |\}).*\n)*) {2}([A-Z_]+)\??: [^=;]+(?:= ([^;]+))?;/g;

const [, ...texts] = SOURCE.split(PART);
const parts = texts.flatMap((title, at) => (at % 2 === 0 ? [{ title, rows: rowsOf(texts[at + 1]) }] : []));
const links = parts.map(({ title }) => `[${title}](#${title.toLowerCase().replaceAll(' ', '-')})`);
const sections = parts.map(
  ({ title, rows }) => `## ${title}\n\n${table([['Variable', 'Default', 'Accepts', 'Meaning'], ...rows])}\n`,
);
const page = `${INTRODUCTION}\nOn this page: ${links.join(', ')}\n\n${sections.join('\n')}`;
if (process.argv[2] === '--print') process.stdout.write(page);
else writeFileSync(PAGE, page);

function rowsOf(source) {
  return [...source.matchAll(PROPERTY)].map(([, meaning, checks, name, byDefault]) => [
    `\`${name}\``,
    shown(byDefault, checks),
    accepted(checks),
    meaning,
  ]);
}

/** Aligns the columns, as Prettier does. */
function table([head, ...rest]) {
  const widths = head.map((_, column) => Math.max(...[head, ...rest].map((cells) => cells[column].length)));
  const dashes = widths.map((width) => '-'.repeat(width));
  const lines = [head, dashes, ...rest];
  return lines.map((cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`).join('\n');
}

function shown(byDefault, checks) {
  if (byDefault === undefined || byDefault === "''") return '';
  const text = byDefault.replace(/^\[|\]$|'/g, '').replaceAll('_', checks.includes('@Whole') ? '' : '_');
  if (checks.includes('@Flag')) return text === 'true' ? '`on`' : '`off`';
  return text === '' ? '' : `\`${text.replaceAll(', ', ',')}\``;
}

function accepted(checks) {
  const [, words] = /@IsIn\(\[([^\]]+)\]/.exec(checks) ?? [];
  if (words !== undefined) return `${checks.includes('@Csv') ? 'list of ' : ''}${words.replaceAll("'", '`')}`;
  if (checks.includes('@Flag')) return '`on`, `off`';
  const [, least, most] = /@Whole\((\w+)(?:, ([^)]+))?\)/.exec(checks) ?? [];
  if (least !== undefined) return most === undefined ? `${least} or more` : `${least} to ${product(most)}`;
  const [, from, to] = /@Length\((\d+), (\d+)\)/.exec(checks) ?? [];
  if (from !== undefined) return `${from} to ${to} characters`;
  const [, characters] = /@MinLength\((\d+)\)/.exec(checks) ?? [];
  if (characters !== undefined) return `${characters} characters or more`;
  const [, message] = /message: 'must be ([^']+)'/.exec(checks) ?? [];
  if (message !== undefined) return message;
  return checks.includes('@Csv') ? 'list' : '';
}

/** `16 * 1024 * 1024`, as it stands in the source. */
function product(expression) {
  return expression
    .replaceAll('_', '')
    .split('*')
    .reduce((result, factor) => result * Number(factor), 1);
}
