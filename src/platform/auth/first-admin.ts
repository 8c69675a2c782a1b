import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Injectable } from '@nestjs/common';
import { makeFolder } from '../../config/data-folder.js';
import { Environment } from '../../config/environment.js';
import { OperatorError } from '../../errors/operator-error.js';
import { UsersService } from './users.service.js';

const FIRST_LOGIN = 'admin';
const TOKEN_FILE = './data/admin-token';

/** On an empty database: makes the administrator and shows its token, once. */
@Injectable()
export class FirstAdmin {
  constructor(
    private readonly users: UsersService,
    private readonly environment: Environment,
  ) {}

  /** `rootUrl`: the address for the command line that is shown as an example. */
  async run(rootUrl: string): Promise<void> {
    const { KALENDS_ADMIN_TOKEN: given } = this.environment;
    // Logs are shipped to many eyes, so the token goes to the terminal in front of somebody, or to a private file.
    const isSeen = process.stderr.isTTY;
    let file = '';
    const keep = (token: string) => {
      if (given === undefined && !isSeen) file = writeToken(token);
    };
    const token = await this.users.createFirst(FIRST_LOGIN, keep, given);
    if (token === undefined || given !== undefined) return;
    const text = isSeen
      ? greeting(rootUrl, `the token ${token}`, token)
      : greeting(rootUrl, `its token in ${file}`, `$(cat ${file})`);
    process.stderr.write(text);
  }
}

/** Writes a new file: one that is there holds the token of another database, and the only copy of it. */
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

function greeting(rootUrl: string, where: string, token: string): string {
  return `
First start: the user ${FIRST_LOGIN} was made, with ${where}. It is shown once. Try:

  curl -X POST ${rootUrl}/events -H "Authorization: Bearer ${token}" \\
    -H "Content-Type: application/json" \\
    -d '{"title":"Opening night","start_date":"tomorrow 8pm","end_date":"tomorrow 11pm","venue":{"venue":"Town hall"}}'

`;
}
