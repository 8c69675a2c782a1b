import { databaseName } from '../config/database-url.js';
import { configuredEnvironment, type Environment, InvalidEnvironment, settingNames } from '../config/environment.js';
import { version } from '../config/version.js';
import type { Migrations } from '../database/further-migrations.js';
import { type Inspection, inspectDatabase } from '../database/inspect.js';
import { OperatorError } from '../errors/operator-error.js';
import { counted } from '../kernel/text/counted.js';
import { alignedColumns } from '../kernel/text/text-table.js';

/** What the examination starts from. */
interface Given {
  /** The variables that the environment sets. */
  readonly fromEnvironment: readonly string[];
  /** The variables that come from `.env`. */
  readonly fromFile: readonly string[];
  /** Texts about misspelt names of settings. */
  readonly warnings: readonly string[];
  readonly migrations?: Migrations;
  /** Whether to show defaults, too. */
  readonly all?: boolean;
}

interface Examination {
  readonly text: string;
  /** Whether the service can work with these settings and this database. */
  readonly isHealthy: boolean;
}

/** `kalends doctor`: describes settings and database in plain text, at the end what is wrong. Changes nothing. */
export async function examine({ warnings, migrations, ...shown }: Given): Promise<Examination> {
  const head = `Kalends ${version()}, Node.js ${process.versions.node}, ${process.platform} ${process.arch}\n`;
  let environment: Environment;
  try {
    environment = configuredEnvironment();
  } catch (error) {
    if (!(error instanceof InvalidEnvironment)) throw error;
    return { text: `${head}\n${findingsText(error.message.split('\n'), warnings)}`, isHealthy: false };
  }
  const { text, problems, warnings: further } = await database(environment, migrations);
  const sections = [head, settingsText(environment, shown), text, findingsText(problems, [...warnings, ...further])];
  return { text: sections.join('\n'), isHealthy: problems.length === 0 };
}

/** Settings whose values are secret. */
const SECRET = /TOKEN$/;

type Sources = Pick<Given, 'fromEnvironment' | 'fromFile'>;
type Shown = Sources & Pick<Given, 'all'>;

function settingsText(environment: Environment, { all = false, ...sources }: Shown): string {
  const rows = settingNames().map((name) => {
    const source = sourceOf(name, environment, sources);
    return [`  ${name}`, shownValue(name, environment[name as keyof Environment]), source];
  });
  const defaults = rows.filter(([, , source]) => source === 'default');
  const set = rows.filter((row) => !defaults.includes(row));
  if (all) return `Settings\n${alignedColumns([...set, ...defaults])}`;
  const others = `  ${counted(defaults.length, 'setting')} not set: kalends doctor --all shows the defaults.\n`;
  return `Settings\n${set.length > 0 ? alignedColumns(set) : ''}${others}`;
}

function sourceOf(name: string, environment: Environment, { fromEnvironment, fromFile }: Sources): string {
  if (fromFile.includes(name)) return '.env';
  if (fromEnvironment.includes(name)) return 'environment';
  // Secrets may be in files of their own.
  return environment[`${name}_FILE` as keyof Environment] === undefined ? 'default' : `${name}_FILE`;
}

function shownValue(name: string, value: Environment[keyof Environment]): string {
  if (value === undefined) return '-';
  if (SECRET.test(name)) return '(secret)';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const text = Array.isArray(value) ? value.join(',') : String(value);
  // URLs may contain user and password.
  return text === '' ? '-' : withoutCredentials(text);
}

function withoutCredentials(text: string): string {
  const begin = text.indexOf('//') + 2;
  const end = text.lastIndexOf('@');
  return begin < 2 || end < begin ? text : `${text.slice(0, begin)}(secret)${text.slice(end)}`;
}

type Findings = Pick<Inspection, 'problems' | 'warnings'> & { readonly text: string };

async function database(environment: Environment, migrations?: Migrations): Promise<Findings> {
  const name = databaseName(environment.DATABASE_URL);
  try {
    const found = await inspectDatabase(environment, migrations);
    const later = found.schema.unknown.map(
      (migration) => `a later version, or a module that is not here, has applied the migration ${migration}`,
    );
    return { text: databaseText(name, found), problems: problemsOf(found), warnings: [...found.warnings, ...later] };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { text: `Database\n  Name  ${name}\n`, problems: [error.message], warnings: [] };
  }
}

function databaseText(name: string, { engine, schema, records, problems }: Inspection): string {
  const newest = schema.applied.at(-1) ?? 'none';
  const rows = [
    ['  Name', name],
    ['  Engine', engine],
    ['  Schema', `${newest}, ${counted(schema.applied.length, 'migration')}`],
    ['  Rights', problems.length === 0 ? 'read and write' : 'not enough'],
  ];
  const numbers = records.map(([label, text]) => [`  ${label}`, text]);
  return `Database\n${alignedColumns(rows)}${numbers.length > 0 ? `\nRecords\n${alignedColumns(numbers)}` : ''}`;
}

function problemsOf({ schema: { pending }, problems }: Inspection): string[] {
  if (pending.length === 0) return [...problems];
  const lack = counted(pending.length, 'migration');
  return [...problems, `the database lacks ${lack}: a start of the service or \`kalends migrate\` applies them`];
}

function findingsText(problems: readonly string[], warnings: readonly string[]): string {
  const list = (title: string, texts: readonly string[]) =>
    texts.length === 0 ? [] : [`${title}\n${texts.map((text) => `  - ${text}\n`).join('')}`];
  const lists = [...list('Warnings', warnings), ...list('Problems', problems)];
  return lists.length === 0 ? 'No problems found.\n' : lists.join('\n');
}
