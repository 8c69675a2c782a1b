import type { INestApplicationContext } from '@nestjs/common';
import { Command, Option } from 'commander';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { type Role, ROLES } from '../../kernel/capability.js';
import { parseDate } from '../../kernel/time/date-input.js';
import { Clock } from '../../config/clock.js';
import { SiteSettings } from '../../config/site-settings.js';
import { OperatorError } from '../../errors/operator-error.js';
import { textTable, type WithApp } from './users.command.js';
import { type ListedToken, UsersService } from './users.service.js';

interface CreateOptions {
  readonly name?: string;
  readonly expires?: string;
  readonly as?: Role;
}

/** Headings and columns of `token list`. */
const COLUMNS = [
  ['id', 'id'],
  ['login', 'login'],
  ['name', 'name'],
  ['as', 'role'],
  ['expires (UTC)', 'expires_utc'],
  ['last used (UTC)', 'last_used_utc'],
  ['created (UTC)', 'created_utc'],
] as const satisfies readonly (readonly [string, keyof ListedToken])[];

/** `kalends token …`: the credentials of people and programs (contract 7.1). */
export function tokenCommand(withApp: WithApp): Command {
  const command = new Command('token').description('the tokens that requests are made with');
  command
    .command('create')
    .description('make a token; the last line of the output is the token, shown this once')
    .argument('<login>')
    .option('--name <name>', 'what the token is for')
    .option(
      '--expires <when>',
      'a date as the interface takes it, in the zone of the site: "2027-03-10 17:00", "+90 days"',
    )
    .addOption(new Option('--as <role>', 'a role below the one of the user').choices(ROLES))
    .action((login: string, options: CreateOptions) => withApp((app) => create(app, login, options)));
  command
    .command('list')
    .description('show the tokens of a user, or all')
    .argument('[login]')
    .action((login: string | undefined) => withApp((app) => list(app, login)));
  command
    .command('revoke')
    .description('make a token invalid at once')
    .argument('<id>', 'the number that `token list` shows')
    .action((id: string) => withApp((app) => revoke(app, id)));
  return command;
}

async function create(app: INestApplicationContext, login: string, { name, expires, as }: CreateOptions) {
  const users = app.get(UsersService);
  const now = app.get(Clock).now();
  const expiresUtc = readExpiry(expires, app.get(SiteSettings), now);
  const { id } = await users.get(login);
  const token = await users.issueToken(id, { name, role: as, expiresUtc });
  if (expiresUtc !== undefined) {
    process.stderr.write(`The token ${expiresUtc > now ? 'is' : 'was'} valid until ${expiresUtc} UTC.\n`);
  }
  process.stdout.write(`${token}\n`);
  return 0;
}

function readExpiry(when: string | undefined, { timeZone }: SiteSettings, nowUtc: UtcTime): UtcTime | undefined {
  if (when === undefined) return undefined;
  const expiry = parseDate(when, timeZone, nowUtc);
  if (expiry === undefined) throw new OperatorError(`--expires: "${when}" is not a date in a supported format.`);
  return expiry.utc;
}

async function list(app: INestApplicationContext, login: string | undefined) {
  const rows = (await app.get(UsersService).tokens(login)).map((token) => COLUMNS.map(([, column]) => token[column]));
  const headings = COLUMNS.map(([heading]) => heading);
  process.stdout.write(textTable(headings, rows));
  return 0;
}

async function revoke(app: INestApplicationContext, id: string) {
  if (!/^\d{1,10}$/.test(id)) throw new OperatorError(`"${id}" is not the number of a token.`);
  await app.get(UsersService).revokeToken(Number(id));
  process.stdout.write(`Token ${Number(id)} was revoked.\n`);
  return 0;
}
