import type { INestApplicationContext } from '@nestjs/common';
import type { Role } from '../../kernel/capability.js';
import { textTable } from '../../kernel/text/text-table.js';
import { UsersService } from './users.service.js';

/** The actions of `kalends user`. Each returns the exit code. */
export async function addUser(app: INestApplicationContext, login: string, role: Role): Promise<number> {
  return say(`User ${await app.get(UsersService).create(login, role)} was made: ${login}, ${role}.`);
}

export async function listUsers(app: INestApplicationContext): Promise<number> {
  const users = await app.get(UsersService).list();
  const rows = users.map(({ id, login, role, tokens, created_utc }) => [id, login, role, tokens, created_utc]);
  process.stdout.write(textTable(['id', 'login', 'role', 'tokens', 'created (UTC)'], rows));
  return 0;
}

export async function setRole(app: INestApplicationContext, login: string, role: Role): Promise<number> {
  await app.get(UsersService).setRole(login, role);
  return say(`${login} has the role ${role} now.`);
}

export async function removeUser(app: INestApplicationContext, login: string): Promise<number> {
  await app.get(UsersService).remove(login);
  return say(`${login} was removed.`);
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
