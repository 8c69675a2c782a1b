import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import type { Transaction } from '../../database/connection/transaction.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { lowerRole, type Role } from '../../kernel/capability.js';
import { Clock } from '../../config/clock.js';
import { OperatorError } from '../../errors/operator-error.js';
import { newToken, tokenHash } from './hashing.js';
import type { TokenRow, UserRow } from './user.entity.js';

/** Optional properties of a new token. */
export interface TokenOptions {
  readonly name?: string;
  /** A role below the user's. */
  readonly role?: Role;
  readonly expiresUtc?: UtcTime;
}

export type ListedUser = UserRow & { readonly tokens: number };
export type ListedToken = Omit<TokenRow, 'hash' | 'user_id'> & { readonly login: string };

/** Name of the lock of all changes to users, so that the last administrator always remains. */
const LOCK = 'users';
/** Without colons, because Basic credentials are `login:token`, and without spaces for the command line. */
const LOGIN = /^[^\s:\p{Cc}]{1,60}$/u;
const NAME = /^\P{Cc}{0,100}$/u;

/** Users and their tokens: managed by the command line, outside the interface (contract 7.1). */
@Injectable()
export class UsersService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates the administrator of an empty database. Returns the token, or undefined if there are users already. Only
   * one of several starting processes creates it. `storeToken` saves it for the operator before the commit, because
   * without the token the administrator could not be used.
   */
  async createFirst(
    login: string,
    storeToken: (token: string) => void,
    token = newToken(),
  ): Promise<string | undefined> {
    return this.database.inTransaction(async (tx) => {
      await tx.lockName(LOCK);
      const [{ users } = { users: 0 }] = await tx.query<{ users: number }>(
        `SELECT count(*) AS users FROM ${TABLES.users}`,
      );
      if (Number(users) > 0) return undefined;
      await this.insertToken(tx, await this.insertUser(tx, login, 'administrator'), token, { name: 'first start' });
      storeToken(token);
      return token;
    });
  }

  /** Returns the id of the oldest administrator. Operator commands act as this user. */
  async firstAdministrator(): Promise<number> {
    const [user] = await this.database.query<{ id: number }>(
      `SELECT id FROM ${TABLES.users} WHERE role = 'administrator' ORDER BY id LIMIT 1`,
    );
    if (user === undefined)
      throw new OperatorError('There is no administrator: this needs a user who may do everything.');
    return user.id;
  }

  /** Whether requests with this token are accepted. */
  async isTokenValid(token: string): Promise<boolean> {
    const found = await this.database.query(
      `SELECT 1 FROM ${TABLES.tokens} WHERE hash = ? AND (expires_utc IS NULL OR expires_utc > ?)`,
      [tokenHash(token), this.clock.now()],
    );
    return found.length > 0;
  }

  list(): Promise<ListedUser[]> {
    return this.database.query<ListedUser>(
      `SELECT u.*, (SELECT count(*) FROM ${TABLES.tokens} t WHERE t.user_id = u.id) AS tokens
       FROM ${TABLES.users} u ORDER BY u.id`,
    );
  }

  async get(login: string): Promise<UserRow> {
    return mustExist(await findUser(this.database, 'login', login), login);
  }

  /** Creates a user and returns the id. */
  async create(login: string, role: Role): Promise<number> {
    if (!LOGIN.test(login)) {
      throw new OperatorError('A login is 1 to 60 characters, without blanks, colons and control characters.');
    }
    return this.database.inTransaction(async (tx) => {
      await tx.lockName(LOCK);
      if ((await findUser(tx, 'login', login)) !== undefined) {
        throw new OperatorError(`There is a user ${login} already.`);
      }
      return this.insertUser(tx, login, role);
    });
  }

  /** Changes the role, which applies to all tokens of the user immediately. */
  setRole(login: string, role: Role): Promise<void> {
    return this.database.inTransaction(async (tx) => {
      await tx.lockName(LOCK);
      const user = mustExist(await findUser(tx, 'login', login), login);
      if (role !== 'administrator') await mustNotBeLastAdministrator(tx, user);
      await tx.update(TABLES.users, user.id, { role });
    });
  }

  /** Removes a user and all tokens. Records keep the id as their author; ids are never reused. */
  remove(login: string): Promise<void> {
    return this.database.inTransaction(async (tx) => {
      await tx.lockName(LOCK);
      const user = mustExist(await findUser(tx, 'login', login), login);
      await mustNotBeLastAdministrator(tx, user);
      await tx.execute(`DELETE FROM ${TABLES.users} WHERE id = ?`, [user.id]);
      await tx.execute(`DELETE FROM ${TABLES.tokens} WHERE user_id = ?`, [user.id]);
    });
  }

  /** Creates a token for a user and returns it. It cannot be read later. */
  async issueToken(userId: number, options: TokenOptions = {}): Promise<string> {
    const { name = '', role } = options;
    if (!NAME.test(name)) {
      throw new OperatorError('The name of a token is up to 100 characters, without control characters.');
    }
    const token = newToken();
    await this.database.inTransaction(async (tx) => {
      // Locks the user, so that no token remains if another process removes the user.
      const user = mustExist(await findUser(tx, 'id', userId, tx.dialect.forUpdate), String(userId));
      if (role !== undefined && lowerRole(user.role, role) !== role) {
        throw new OperatorError(`The role ${role} is above that of ${user.login}, ${user.role}.`);
      }
      await this.insertToken(tx, userId, token, options);
    });
    return token;
  }

  /** Returns the tokens of one user or of all. */
  async tokens(login?: string): Promise<ListedToken[]> {
    const [where, params] = login === undefined ? ['', []] : ['WHERE u.id = ?', [(await this.get(login)).id]];
    return this.database.query<ListedToken>(
      `SELECT t.id, u.login, t.name, t.role, t.expires_utc, t.last_used_utc, t.created_utc
       FROM ${TABLES.tokens} t JOIN ${TABLES.users} u ON u.id = t.user_id ${where} ORDER BY t.id`,
      params,
    );
  }

  async revokeToken(id: number): Promise<void> {
    const revoked = await this.database.inTransaction((tx) =>
      tx.execute(`DELETE FROM ${TABLES.tokens} WHERE id = ?`, [id]),
    );
    if (revoked === 0) throw new OperatorError(`There is no token ${id}.`);
  }

  private insertUser(tx: Transaction, login: string, role: Role): Promise<number> {
    return tx.insert(TABLES.users, { login, role, created_utc: this.clock.now() });
  }

  private insertToken(tx: Transaction, userId: number, token: string, options: TokenOptions): Promise<number> {
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

async function findUser(
  sql: Sql,
  column: 'id' | 'login',
  value: string | number,
  suffix = '',
): Promise<UserRow | undefined> {
  const [user] = await sql.query<UserRow>(`SELECT * FROM ${TABLES.users} WHERE ${column} = ?${suffix}`, [value]);
  return user;
}

function mustExist(user: UserRow | undefined, name: string): UserRow {
  if (user === undefined) throw new OperatorError(`There is no user ${name}.`);
  return user;
}

async function mustNotBeLastAdministrator(tx: Transaction, { id, login, role }: UserRow): Promise<void> {
  if (role !== 'administrator') return;
  const others = await tx.query(`SELECT id FROM ${TABLES.users} WHERE role = ? AND id <> ? LIMIT 1`, [role, id]);
  if (others.length === 0) throw new OperatorError(`${login} is the last administrator: make another one first.`);
}
