import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { UsersService } from './users.service.js';

const FIRST_LOGIN = 'admin';
const TOKEN_FILE = './data/admin-token';

/** On an empty database: makes the administrator and shows its token, once. */
@Injectable()
export class FirstStart {
  constructor(
    private readonly users: UsersService,
    private readonly environment: Environment,
  ) {}

  /** `rootUrl`: the address for the command line that is shown as an example. */
  async run(rootUrl: string): Promise<void> {
    const token = await this.users.createFirst(FIRST_LOGIN, this.environment.KALENDS_ADMIN_TOKEN);
    if (token === undefined || this.environment.KALENDS_ADMIN_TOKEN !== undefined) return;
    // Logs are shipped to many eyes, so the token goes to the terminal in front of somebody, or to a private file.
    if (process.stderr.isTTY) process.stderr.write(greeting(rootUrl, `the token ${token}`, token));
    else process.stderr.write(greeting(rootUrl, `its token in ${writeToken(token)}`, `$(cat ${TOKEN_FILE})`));
  }
}

function writeToken(token: string): string {
  mkdirSync(dirname(TOKEN_FILE), { recursive: true });
  writeFileSync(TOKEN_FILE, `${token}\n`, { mode: 0o600 });
  // The mode above holds for new files only.
  chmodSync(TOKEN_FILE, 0o600);
  return TOKEN_FILE;
}

function greeting(rootUrl: string, where: string, token: string): string {
  return `
First start: the user ${FIRST_LOGIN} was made, with ${where}. It is shown once. Try:

  curl -X POST ${rootUrl}/events -H "Authorization: Bearer ${token}" \\
    -H "Content-Type: application/json" \\
    -d '{"title":"Opening night","start_date":"tomorrow 8pm","end_date":"tomorrow 11pm","venue":{"venue":"Town hall"}}'

`;
}
