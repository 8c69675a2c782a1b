import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Injectable } from '@nestjs/common';
import { makeFolder } from '../../config/data-folder.js';
import { Environment } from '../../config/environment.js';
import { OperatorError } from '../../errors/operator-error.js';
import { UsersService } from './users.service.js';

const FIRST_LOGIN = 'admin';
const TOKEN_FILE = './data/admin-token';

/** Creates the administrator of an empty database and shows its token once. */
@Injectable()
export class FirstAdmin {
  constructor(
    private readonly users: UsersService,
    private readonly environment: Environment,
  ) {}

  /** `apiRoot`: the URL for the example command in the output. */
  async run(apiRoot: string): Promise<void> {
    const { KALENDS_ADMIN_TOKEN: given } = this.environment;
    // Many people can read logs, so the token goes to an interactive terminal or to a private file.
    const isInteractive = process.stderr.isTTY;
    let file = '';
    const storeToken = (token: string) => {
      if (given === undefined && !isInteractive) file = writeToken(token);
    };
    const token = await this.users.createFirst(FIRST_LOGIN, storeToken, given);
    if (token === undefined || given !== undefined) return;
    const text = isInteractive
      ? greeting(apiRoot, `the token ${token}`, token)
      : greeting(apiRoot, `its token in ${file}`, `$(cat ${file})`);
    process.stderr.write(text);
  }
}

/** Writes a new file. Never overwrites one, because it may be the only copy of another database's token. */
function writeToken(token: string): string {
  try {
    makeFolder(dirname(TOKEN_FILE));
  } catch (error) {
    throw unwritable(error);
  }
  for (let n = 1; ; n += 1) {
    const file = n === 1 ? TOKEN_FILE : `${TOKEN_FILE}-${n}`;
    try {
      writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' });
      return file;
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw unwritable(error);
    }
  }
}

function unwritable(error: unknown): OperatorError {
  const { message } = error as Error;
  return new OperatorError(`KALENDS_ADMIN_TOKEN: it is not set, and a new token cannot be kept: ${message}`);
}

function greeting(apiRoot: string, where: string, token: string): string {
  return `
First start: the user ${FIRST_LOGIN} was made, with ${where}. It is shown once. Try:

  curl -X POST ${apiRoot}/events -H "Authorization: Bearer ${token}" \\
    -H "Content-Type: application/json" \\
    -d '{"title":"Opening night","start_date":"tomorrow 8pm","end_date":"tomorrow 11pm","venue":{"venue":"Town hall"}}'

`;
}
