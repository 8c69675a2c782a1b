import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { makeFolder } from '../../config/data-folder.js';
import { isServer, sqlitePath } from '../../config/database-url.js';
import { Environment } from '../../config/environment.js';
import { OperatorError } from '../../errors/operator-error.js';
import { UsersService } from './users.service.js';

export const FIRST_LOGIN = 'admin';
const TOKEN_FILE = 'admin-token';
/** The folder of the token if the database is on a server. */
const DATA_FOLDER = 'data';

/** Creates the administrator of an empty database, with a token in a file. */
@Injectable()
export class FirstAdmin {
  constructor(
    private readonly users: UsersService,
    private readonly environment: Environment,
  ) {}

  /**
   * Creates the administrator if there are no users. Returns the path of the file with the token: undefined if there are
   * users already, or if the token is that of KALENDS_ADMIN_TOKEN. The token is never logged, because many people can read
   * logs.
   */
  async create(): Promise<string | undefined> {
    const { KALENDS_ADMIN_TOKEN: given } = this.environment;
    let file: string | undefined;
    const storeToken = (token: string) => {
      if (given === undefined) file = this.writeToken(token);
    };
    await this.users.createFirst(FIRST_LOGIN, storeToken, given);
    return file;
  }

  /** Returns where a valid token of the first start is: the name of the setting or the path of the file, if there is one. */
  async tokenPlace(): Promise<string | undefined> {
    const { KALENDS_ADMIN_TOKEN: given } = this.environment;
    if (given !== undefined && (await this.users.isTokenValid(given))) return 'KALENDS_ADMIN_TOKEN';
    for (const file of this.files()) {
      const token = contentOf(file);
      if (token === undefined) return undefined;
      if (await this.users.isTokenValid(token)) return file;
    }
    return undefined;
  }

  /** Writes a new file. Never overwrites one, because it may be the only copy of another database's token. */
  private writeToken(token: string): string {
    for (const file of this.files()) {
      try {
        makeFolder(dirname(file));
        writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' });
        return file;
      } catch (error) {
        if ((error as { code?: string }).code !== 'EEXIST') throw unwritable(file, error);
      }
    }
    throw new Error('not reached: there is always another name');
  }

  /** Yields the names of files for tokens, beside the embedded database: admin-token, admin-token-2, … */
  private *files(): Generator<string> {
    const { DATABASE_URL } = this.environment;
    const folder = isServer(DATABASE_URL) ? DATA_FOLDER : dirname(sqlitePath(DATABASE_URL));
    for (let n = 1; ; n += 1) yield join(folder, n === 1 ? TOKEN_FILE : `${TOKEN_FILE}-${n}`);
  }
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function unwritable(file: string, error: unknown): OperatorError {
  const { message } = error as Error;
  return new OperatorError(
    `KALENDS_ADMIN_TOKEN: the token of the first administrator cannot be written to ${file} (${message}). ` +
      'Make the folder writable, or set a token of 32 characters or more.',
  );
}
