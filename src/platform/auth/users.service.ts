import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Sql } from '../../database/dialect.js';
import { TABLES } from '../../database/tables.js';
import type { Transaction } from '../../database/transaction.js';
import type { UtcTime } from '../../kernel/calendar-time.js';
import type { Role } from '../../kernel/capability.js';
import { Clock } from '../clock.js';
import { newToken, tokenHash } from './tokens.js';

/** What a new token may be told. */
export interface TokenOptions {
  readonly name?: string;
  /** A role below the user's. */
  readonly role?: Role;
  readonly expiresUtc?: UtcTime;
}

/** Users and their tokens: managed by the command line, outside the interface (contract 7.1). */
@Injectable()
export class UsersService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes the administrator of an empty database. Answers the token, or undefined where there are users already;
   * of several processes that start at once, one makes it.
   */
  async createFirst(login: string, token = newToken()): Promise<string | undefined> {
    return this.database.inTransaction(async (tx) => {
      await tx.lockName('first user');
      const [{ users } = { users: 0 }] = await tx.query<{ users: number }>(
        `SELECT count(*) AS users FROM ${TABLES.users}`,
      );
      if (Number(users) > 0) return undefined;
      await this.createToken(tx, await this.createIn(tx, login, 'administrator'), token, { name: 'first start' });
      return token;
    });
  }

  /** The id of the administrator that was made first: who commands of the operator act as. */
  async firstAdministrator(): Promise<number> {
    const [user] = await this.database.query<{ id: number }>(
      `SELECT id FROM ${TABLES.users} WHERE role = 'administrator' ORDER BY id LIMIT 1`,
    );
    if (user === undefined) throw new Error('There is no administrator: this needs a user who may do everything.');
    return user.id;
  }

  /** Makes a user. */
  create(login: string, role: Role): Promise<number> {
    return this.database.inTransaction((tx) => this.createIn(tx, login, role));
  }

  /** Makes a token for a user and answers it: it can never be read again. */
  async issueToken(userId: number, options: TokenOptions = {}): Promise<string> {
    const token = newToken();
    await this.database.inTransaction((tx) => this.createToken(tx, userId, token, options));
    return token;
  }

  private createIn(tx: Transaction, login: string, role: Role): Promise<number> {
    return tx.insert(TABLES.users, { login, role, created_utc: this.clock.now() });
  }

  private createToken(tx: Transaction, userId: number, token: string, options: TokenOptions): Promise<number> {
    return tx.insert(TABLES.tokens, {
      user_id: userId,
      hash: tokenHash(token),
      name: options.name ?? '',
      role: options.role ?? null,
      expires_utc: options.expiresUtc ?? null,
      last_used_utc: null,
      created_utc: this.clock.now(),
    });
  }
}

/** Whether a user of this id exists: authors are users. */
export async function userExists(sql: Sql, id: number): Promise<boolean> {
  return (await sql.query(`SELECT id FROM ${TABLES.users} WHERE id = ?`, [id])).length > 0;
}
