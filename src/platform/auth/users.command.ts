import type { INestApplicationContext } from '@nestjs/common';
import { Argument, Command, Option } from 'commander';
import { type Role, ROLES } from '../../kernel/capability.js';
import { UsersService } from './users.service.js';

/** Runs a command on the open database. The command returns the exit code. */
export type WithApp = (command: (app: INestApplicationContext) => Promise<number>) => Promise<void>;

/** `kalends user …`: people and what they may do (contract 7.2). */
export function userCommand(withApp: WithApp): Command {
  const withUsers = (work: (users: UsersService) => Promise<void>) =>
    withApp(async (app) => {
      await work(app.get(UsersService));
      return 0;
    });
  const command = new Command('user').description('people and their roles');
  command
    .command('add')
    .description('make a user')
    .argument('<login>', 'up to 60 characters, without blanks and colons')
    .addOption(new Option('--role <role>', 'what the user may do').choices(ROLES).makeOptionMandatory())
    .action((login: string, { role }: { role: Role }) =>
      withUsers(async (users) => say(`User ${await users.create(login, role)} was made: ${login}, ${role}.`)),
    );
  command
    .command('list')
    .description('show all users')
    .action(() => withUsers(async (users) => list(await users.list())));
  command
    .command('set-role')
    .description('change what a user may do; it holds at once')
    .argument('<login>')
    .addArgument(new Argument('<role>').choices(ROLES))
    .action((login: string, role: Role) =>
      withUsers(async (users) => {
        await users.setRole(login, role);
        say(`${login} has the role ${role} now.`);
      }),
    );
  command
    .command('remove')
    .description('remove a user with all tokens; the records of the user stay')
    .argument('<login>')
    .action((login: string) =>
      withUsers(async (users) => {
        await users.remove(login);
        say(`${login} was removed.`);
      }),
    );
  return command;
}

function list(users: Awaited<ReturnType<UsersService['list']>>): void {
  const rows = users.map(({ id, login, role, tokens, created_utc }) => [id, login, role, tokens, created_utc]);
  process.stdout.write(textTable(['id', 'login', 'role', 'tokens', 'created (UTC)'], rows));
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Formats rows below their headings, in aligned columns. An empty cell is a dash. */
export function textTable(headings: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const lines = [
    headings,
    ...rows.map((row) => row.map((cell) => (cell === null || cell === '' ? '-' : String(cell)))),
  ];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
