import type { INestApplicationContext } from '@nestjs/common';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import type { Role } from '../../kernel/capability.js';
import { textTable } from '../../kernel/text/text-table.js';
import { parseDate } from '../../kernel/time/date-input.js';
import { Clock } from '../../config/clock.js';
import { SiteSettings } from '../../config/site-settings.js';
import { OperatorError } from '../../errors/operator-error.js';
import { type ListedToken, UsersService } from './users.service.js';

/** The options of `kalends token create`. */
export interface CreateOptions {
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

/** The actions of `kalends token`. Each returns the exit code. */
export async function createToken(app: INestApplicationContext, login: string, { name, expires, as }: CreateOptions) {
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

export async function listTokens(app: INestApplicationContext, login: string | undefined) {
  const rows = (await app.get(UsersService).tokens(login)).map((token) => COLUMNS.map(([, column]) => token[column]));
  const headings = COLUMNS.map(([heading]) => heading);
  process.stdout.write(textTable(headings, rows));
  return 0;
}

export async function revokeToken(app: INestApplicationContext, id: string) {
  if (!/^\d{1,10}$/.test(id)) throw new OperatorError(`"${id}" is not the number of a token.`);
  await app.get(UsersService).revokeToken(Number(id));
  process.stdout.write(`Token ${Number(id)} was revoked.\n`);
  return 0;
}
