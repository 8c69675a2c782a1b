// Writes docs/configuration.md from the Environment class: npm run docs:configuration
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

const PAGE = new URL('configuration.md', import.meta.url).pathname;
const SOURCE = readFileSync(new URL('../src/config/environment.ts', import.meta.url), 'utf8');

const INTRODUCTION = `# Configuration

Settings are environment variables. An unset variable has its default; so has an empty one, except for lists, where it
is the empty list. A wrong value stops the start with a message that names the variable. To keep settings in a file, copy
[\`.env.example\`](../.env.example) to \`.env\` and start with \`node --env-file=.env dist/main.js\`, commands with \`node --env-file=.env dist/cli.js\`.

\`npm run docs:configuration\` generates this page from [the class of all settings](../src/config/environment.ts).
`;

/** One setting of the class: its comment, its decorators, its name and its default. */
const PROPERTY = /\/\*\* (.+?) \*\/\n((?: {2}(?:@|  |\}).*\n)*) {2}([A-Z_]+)\??: [^=;]+(?:= ([^;]+))?;/g;

const rows = [...SOURCE.matchAll(PROPERTY)].map(([, meaning, checks, name, byDefault]) => [
  `\`${name}\``,
  shown(byDefault, checks),
  accepted(checks),
  meaning,
]);

const lines = [['Variable', 'Default', 'Accepts', 'Meaning'], ['---', '---', '---', '---'], ...rows];
const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const page = await format(`${INTRODUCTION}\n${table}\n`, { ...(await resolveConfig(PAGE)), filepath: PAGE });
if (process.argv[2] === '--print') process.stdout.write(page);
else writeFileSync(PAGE, page);

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
