import { Injectable } from '@nestjs/common';
import { TABLES } from '../../database/sql/tables.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/connection/transaction.js';
import { ANONYMOUS, type Caller, callerWith } from '../../kernel/caller.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { lowerRole, type Role } from '../../kernel/capability.js';
import { apiError, AUTHENTICATE } from '../../errors/api-error.js';
import { Log } from '../observability/log.js';
import { FailedAttempts } from './failed-attempts.js';
import { tokenHash } from './hashing.js';

interface TokenOwner {
  readonly token_id: number;
  readonly user_id: number;
  readonly login: string;
  readonly user_role: Role;
  readonly token_role: Role | null;
  readonly expires_utc: UtcTime | null;
  readonly last_used_utc: UtcTime | null;
}

/** Authenticates `Bearer {token}` and `Basic base64(login:token)` (contract 7.1). */
@Injectable()
export class Authenticator {
  constructor(
    private readonly database: Database,
    private readonly attempts: FailedAttempts,
    private readonly log: Log,
  ) {}

  /**
   * Returns the caller of an Authorization header; anonymous without a header, or with a scheme only. Throws 401 for
   * wrong credentials, and 429 beyond FAILED_ATTEMPTS of one client.
   */
  async callerOf(header: string | undefined, clientAddress: string, nowUtc: UtcTime): Promise<Caller> {
    if (header === undefined || WITHOUT_VALUE.test(header)) return ANONYMOUS;
    const owner = await this.ownerOf(header, nowUtc);
    if (owner === undefined) {
      await this.attempts.fail(clientAddress);
      throw apiError('invalid_credentials', { headers: AUTHENTICATE });
    }
    this.storeLastUse(owner, nowUtc);
    return callerWith(
      owner.user_id,
      owner.token_role === null ? owner.user_role : lowerRole(owner.user_role, owner.token_role),
    );
  }

  private async ownerOf(header: string, nowUtc: UtcTime): Promise<TokenOwner | undefined> {
    const credentials = parseCredentials(header);
    if (credentials === undefined) return undefined;
    const [owner] = await this.database.query<TokenOwner>(
      `SELECT t.id AS token_id, t.user_id, u.login, u.role AS user_role, t.role AS token_role, t.expires_utc, t.last_used_utc
       FROM ${TABLES.tokens} t JOIN ${TABLES.users} u ON u.id = t.user_id WHERE t.hash = ?`,
      [tokenHash(credentials.token)],
    );
    if (owner === undefined || (owner.expires_utc !== null && owner.expires_utc <= nowUtc)) return undefined;
    return credentials.login === undefined || credentials.login === owner.login ? owner : undefined;
  }

  /** Stores the last use at most once a minute, so that few reads cause a write. Runs in the background. */
  private storeLastUse(owner: TokenOwner, nowUtc: UtcTime): void {
    const minute = `${nowUtc.slice(0, 16)}:00`;
    if (owner.last_used_utc !== null && owner.last_used_utc >= minute) return;
    const write = (tx: Transaction) => tx.update(TABLES.tokens, owner.token_id, { last_used_utc: minute });
    this.database
      .withDeadlineFor('write', () => this.database.inTransaction(write))
      .catch((error: unknown) => this.log.warn(`The last use of a token was not stored: ${String(error)}`));
  }
}

/** Clients without a token send these for public reads (contract AUTH-03). */
const WITHOUT_VALUE = /^(?:bearer(?: +(?:null|undefined))?|basic) *$/i;

function parseCredentials(header: string): { login?: string; token: string } | undefined {
  const [, scheme = '', value = ''] = /^(\S+) +(\S+) *$/.exec(header) ?? [];
  if (/^bearer$/i.test(scheme)) return { token: value };
  if (!/^basic$/i.test(scheme)) return undefined;
  const [login = '', ...rest] = Buffer.from(value, 'base64').toString().split(':');
  return { login, token: rest.join(':') };
}
